import { pick, type Random } from "../inspection/generated.ts";
import type { Asked } from "./oracle/answer.ts";

const CITIES = [
  "Bremen",
  "Husum",
  "bremen",
  "Köln",
  "10",
  "9a",
  "True",
  "😀 Stadt",
  "\uffefx",
  "a,b",
  'say "hi"',
];
const NUMBERS = [
  "0.1",
  "0.2",
  "0.3",
  "1",
  "1.0",
  "-0",
  "-2.5",
  "7.0",
  "9007199254740993",
  "1e3",
  "12.50",
  "3",
];
const LONG = ["0.10000000000000000001", "123456789012345678901234567890", "-9007199254740992.5", "2E-7"];
const DAYS = [
  "2026-01-31",
  "2025-12-29",
  "2026-01-01T08:30:00Z",
  "2024-02-29 23:59",
  "2021-01-03",
  "2020-12-31T00:00+02:00",
];
const MIXED = ["5", "true", "x", "", "2026-01", "-1", "NA", "é"];

const chance = (random: Random, share: number) => random() < share;

/** Whether something of a table or question is there: about one time in `one`. */
const oneIn = (random: Random, one: number) => random() < 1 / one;

/** A table of twenty to sixty rows, with cells that compare in unlike ways. */
export function makeRows(random: Random): Record<string, string>[] {
  return Array.from({ length: Math.floor(random() * 60) }, () => ({
    city: oneIn(random, 8) ? "" : pick(random, CITIES),
    price: oneIn(random, 10) ? "" : pick(random, oneIn(random, 4) ? LONG : NUMBERS),
    qty: oneIn(random, 6) ? "NA" : String(Math.floor(random() * 20)),
    day: oneIn(random, 15) ? "2026-05" : pick(random, DAYS),
    mixed: pick(random, MIXED),
  }));
}

export const NAMES = ["city", "price", "qty", "day", "mixed"];

export function toCsv(rows: Record<string, string>[]): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [NAMES.join(","), ...rows.map((row) => NAMES.map((name) => quote(row[name] ?? "")).join(","))].join(
    "\n",
  );
}

/** The same as JSON: numbers as numbers, some as texts, missing keys, lists. */
export function toJson(random: Random, rows: Record<string, string>[]): string {
  const members = (row: Record<string, string>) =>
    Object.entries(row).flatMap(([name, text]) => {
      if (text === "" && oneIn(random, 2)) return [];
      const isNumber =
        /^-?(0|[1-9]\d*)(\.\d+)?([eE]-?\d+)?$/.test(text) && !oneIn(random, name === "price" ? 60 : 8);
      const nested =
        name === "mixed" && oneIn(random, 9) ? pick(random, ["[1, 2]", '{"b": 1}', "null", "false"]) : null;
      return [
        `${JSON.stringify(name)}: ${nested ?? (isNumber || text === "true" ? text : JSON.stringify(text))}`,
      ];
    });
  return `[${rows.map((row) => `{${members(row).join(", ")}}`).join(",\n")}]`;
}

const OPS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains", "in"];

function makeCondition(random: Random, names: readonly string[], values: readonly string[]) {
  const op = pick(random, OPS);
  const column = pick(random, names);
  if (op === "in")
    return { column, op, value: [...new Set([pick(random, values), pick(random, values), ""])] };
  const isBlank = (op === "eq" || op === "ne") && oneIn(random, 5);
  return isBlank ? { column, op } : { column, op, value: pick(random, values) };
}

const AGGREGATES = ["count", "count_distinct", "sum", "avg", "min", "max", "median"];

function list<Item>(random: Random, most: number, make: () => Item): Item[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, make);
}

const orNone = <Item>(items: Item[]) => (items.length === 0 ? undefined : items);

function uniqueBy<Item>(items: Item[], nameOf: (item: Item) => string): Item[] {
  return items.filter((item, at) => items.findIndex((one) => nameOf(one) === nameOf(item)) === at);
}

/** A question that is well formed; a cell may still be refused. */
export function makeQuestion(random: Random, names: readonly string[], texts: readonly string[]): Asked {
  const values = [...texts, ...NUMBERS, ...CITIES].filter((text) => text !== "");
  const columnOf = (wanted: string) =>
    chance(random, 0.85) && names.includes(wanted) ? wanted : pick(random, names);
  const common: Asked = {
    filter: orNone(list(random, oneIn(random, 2) ? 0 : 3, () => makeCondition(random, names, values))),
    match: oneIn(random, 3) ? "any" : undefined,
    q: oneIn(random, 8) ? pick(random, values).slice(0, 3) : undefined,
    blank: orNone(
      uniqueBy(
        list(random, oneIn(random, 2) ? 0 : 3, () => pick(random, [...MIXED, "1"])),
        (one) => one,
      ),
    ),
    facet: orNone(
      uniqueBy(
        list(random, oneIn(random, 3) ? 2 : 0, () => pick(random, names)),
        (one) => one,
      ),
    ),
    facet_size: oneIn(random, 3) ? 2 : undefined,
    offset: oneIn(random, 4) ? Math.floor(random() * 10) : undefined,
    limit: oneIn(random, 3) ? 1 + Math.floor(random() * 8) : undefined,
  };
  if (chance(random, 0.35)) {
    const sort = list(random, 3, () => ({
      column: pick(random, names),
      order: pick(random, ["asc", "desc"]),
    }));
    const columns = oneIn(random, 3) ? [...new Set([pick(random, names), pick(random, names)])] : undefined;
    return clean({ ...common, columns, sort: orNone(uniqueBy(sort, ({ column }) => column)) });
  }
  return clean({ ...common, ...makeGrouped(random, columnOf, values) });
}

function makeGrouped(random: Random, columnOf: (wanted: string) => string, values: readonly string[]): Asked {
  const group = list(random, 2, () => {
    const turn = random();
    if (turn < 0.25)
      return {
        column: columnOf("day"),
        by: pick(random, ["year", "quarter", "month", "week", "day", "hour"]),
      };
    if (turn < 0.45)
      return { column: columnOf("price"), step: pick(random, ["10", "0.5", "3", "1e2", "0.07"]) };
    return { column: columnOf("city") };
  });
  const groups = uniqueBy(group, ({ column }) => column);
  const aggregate = list(random, 4, () => {
    const op = pick(random, AGGREGATES);
    if (op === "count" && oneIn(random, 2)) return { op, as: "rows" };
    return { op, column: columnOf(["sum", "avg", "median"].includes(op) ? "price" : "qty") };
  });
  const nameOf = ({ op, column, as }: { op: string; column?: string; as?: string }) =>
    as ?? `${op}_${column}`;
  const aggregates = uniqueBy(aggregate, nameOf);
  const isCountTaken = groups.some(({ column }) => column === "count");
  if (aggregates.length === 0 && (groups.length === 0 || isCountTaken))
    aggregates.push({ op: "count", as: "rows" });
  const names = [
    ...groups.map(({ column }) => column),
    ...(aggregates.length > 0 ? aggregates.map(nameOf) : ["count"]),
  ];
  const sort = list(random, 2, () => ({ column: pick(random, names), order: pick(random, ["asc", "desc"]) }));
  return {
    group: orNone(groups),
    aggregate: orNone(aggregates),
    having: orNone(list(random, oneIn(random, 3) ? 2 : 0, () => makeCondition(random, names, values))),
    sort: orNone(uniqueBy(sort, ({ column }) => column)),
  };
}

function clean(asked: Asked): Asked {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}
