import type { Chart, ChartSort } from "./chart.ts";
import { askMeant, type ProblemList, showValue } from "./members.ts";

const BY_WORDS = new Intl.Collator("en", { numeric: true });
const MOST_UNKNOWN = 10;

/** The chart with its names in the order that the block asks for; its rows keep the order of the data. */
export function sortNames(chart: Chart, problems: ProblemList): Chart {
  const { x, rows, categories } = chart;
  if (x.sort === null || rows.length === 0) return chart;
  if (x.sort.by === "list") noteUnknown(x.sort.names, chart, problems);
  const order = orderNames(chart, x.sort);
  const places = new Map(order.map((index, place) => [index, place]));
  const move = (at: number) => places.get(at) ?? at;
  return {
    ...chart,
    categories: order.map((index) => categories[index] ?? ""),
    rows: rows.map((row) => ({ ...row, at: move(row.at) })),
    annotations: chart.annotations.map((annotation) => {
      const [from, to] = annotation.x ?? [];
      if (from === undefined || to === undefined) return annotation;
      return {
        ...annotation,
        x: [
          { ...from, at: move(from.at) },
          { ...to, at: move(to.at) },
        ],
      };
    }),
  };
}

/** The places of the names in data order, sorted; what is equal, or is left out of a list, keeps that order. */
function orderNames(chart: Chart, sort: ChartSort): number[] {
  const { categories } = chart;
  const indexes = [...categories.keys()];
  if (sort.by === "list") {
    const listed = new Map(sort.names.map((name, place) => [name, place]));
    const placeOf = (index: number) => listed.get(categories[index] ?? "") ?? listed.size;
    return indexes.sort((one, other) => placeOf(one) - placeOf(other));
  }
  const compare = sort.by === "name" ? compareNames(categories) : compareSums(chart, sort.descending);
  const turn = sort.by === "name" && sort.descending ? -1 : 1;
  return indexes.sort((one, other) => turn * compare(one, other));
}

/** Names that are all numbers stand by their size, others as words do. */
function compareNames(categories: readonly string[]) {
  const numbers = categories.map((name) => (name.trim() === "" ? Number.NaN : Number(name)));
  const areNumbers = numbers.every(Number.isFinite);
  return (one: number, other: number): number =>
    areNumbers
      ? (numbers[one] ?? 0) - (numbers[other] ?? 0)
      : BY_WORDS.compare(categories[one] ?? "", categories[other] ?? "");
}

/** By the sum of the values of each name; names without any come last in both directions. */
function compareSums({ rows, categories }: Chart, descending: boolean) {
  const sums: (number | null)[] = categories.map(() => null);
  for (const { at, y } of rows) if (y !== null) sums[at] = (sums[at] ?? 0) + y;
  return (one: number, other: number): number => {
    const [first, second] = [sums[one] ?? null, sums[other] ?? null];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order = first < second ? -1 : first > second ? 1 : 0;
    return descending ? -order : order;
  };
}

function noteUnknown(names: readonly string[], { x, categories }: Chart, problems: ProblemList): void {
  const known = new Set(categories);
  const path = `encoding.${x.channel}.sort`;
  const unknown = [...names.keys()].filter((index) => !known.has(names[index] ?? ""));
  for (const index of unknown.slice(0, MOST_UNKNOWN))
    problems.add(
      `${path}[${index}]`,
      `is ${showValue(names[index])}${askMeant(names[index] ?? "", categories, showValue)}, a name that no row has; leave it out, or write it as the rows do.`,
    );
  if (unknown.length > MOST_UNKNOWN)
    problems.add(path, `has ${unknown.length - MOST_UNKNOWN} more names that no row has.`);
}
