import { type SpannedRow, stackAreas, stackBars } from "../../charts/stack.ts";
import { type Chart, type ChartField, isStacked, splitFacets } from "./chart.ts";
import type { ProblemList } from "./members.ts";

/** So much may sums of doubles miss a domain by, as a share of it. */
const TOLERANCE = 1e-9;

/**
 * Notes what the scales cannot show: each value that a log scale has no place for, and all values outside a domain
 * together, on the first of their rows; values that are stacked count summed. `numbers` are those of the rows, in their
 * order.
 */
export function checkScales(chart: Chart, numbers: readonly number[], problems: ProblemList): void {
  const { x, y, rows } = chart;
  if (x.type === "quantitative") {
    const places = rows.map(({ at }, index) => ({ index, field: x, value: at, isSum: false }));
    checkScale(x, places, numbers, problems);
  }
  checkScale(y, listValues(chart), numbers, problems);
}

function checkScale(
  { channel, scale }: ChartField,
  values: readonly DrawnValue[],
  numbers: readonly number[],
  problems: ProblemList,
): void {
  const note = ({ index, field, value, isSum }: DrawnValue, kind: string, rule: string, mend: string) => {
    const got = isSum ? `a stack of ${value}` : value;
    problems.addOfRow((numbers[index] ?? 1) - 1, field.field, kind, `must ${rule}, got ${got}${mend}.`);
  };
  const stray = values.filter(({ value }) => !holds({ scale }, value));
  const outside = stray.filter(({ value }) => !scale.log || value > 0);
  for (const one of stray)
    if (!outside.includes(one))
      note(one, "not above 0", "be above 0 on a log scale", "; leave the row out, or use a linear scale");
  const [first] = outside.toSorted((one, other) => one.index - other.index);
  if (first === undefined || scale.domain === null) return;
  const [low, high] = findSpan(outside.map(({ value }) => value));
  const count = new Set(outside.map(({ index }) => index)).size;
  const others = count === 1 ? "" : ` (${count} rows are outside, from ${low} to ${high})`;
  const wide = findSpan([...scale.domain, low, high]).join(", ");
  const mend = `${others}; widen encoding.${channel}.scale.domain to [${wide}], or leave it out`;
  note(first, "outside the domain", `lie from ${scale.domain.join(" to ")}`, mend);
}

function findSpan(values: readonly number[]): [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Whether the scale of a field has a place for a value. */
export function holds({ scale: { log, domain } }: Pick<ChartField, "scale">, value: number): boolean {
  if (log && value <= 0) return false;
  if (domain === null) return true;
  const slack = (domain[1] - domain[0]) * TOLERANCE;
  return value >= domain[0] - slack && value <= domain[1] + slack;
}

/** A value that is drawn, its field, and the index of the row that it comes from. */
interface DrawnValue {
  index: number;
  field: ChartField;
  value: number;
  isSum: boolean;
}

function listValues(chart: Chart): DrawnValue[] {
  const { mark, rows, y } = chart;
  if (!isStacked(chart))
    return rows.flatMap((row, index) =>
      (["y", "y2", "line"] as const).flatMap((name) => {
        const [field, value] = [chart[name], row[name]];
        return field === null || value === null ? [] : [{ index, field, value, isSum: false }];
      }),
    );
  const indexes = new Map(rows.map((row, index) => [row, index]));
  return splitFacets(chart)
    .flatMap((part) => (mark === "bar" ? stackBars(part, 1) : listLayers(part)))
    .map(({ row, base, top }) => ({
      ...{ index: indexes.get(row) ?? 0, field: y, value: top, isSum: base !== 0 },
    }));
}

/** The points of stacked areas. Between two rows of its own a layer has none: that of another group tells where it is. */
function listLayers(part: Chart): SpannedRow[] {
  const places = Map.groupBy(part.rows, ({ at }) => at);
  return stackAreas(part, 1).flatMap((layer, group) =>
    layer.flatMap((point) => {
      const there = point === null ? [] : (places.get(point.at) ?? []);
      const row = there.find((one) => one.group === group) ?? there[0];
      return point === null || row === undefined ? [] : [{ row, base: point.base, top: point.top }];
    }),
  );
}
