import type { OracleTable } from "../../rows/oracle/table.ts";

/** What a comparison has to count. */
export interface Expected {
  key: string[] | null;
  same: number;
  cells: number;
  added: number;
  removed: number;
  moved: number;
  changed: number;
  by_column: { name: string; changed: number }[];
}

/** Two tables as lists of records: column by column the JSON of the cell, `null` where there is none. */
interface Both {
  base: Map<string, string>[];
  head: Map<string, string>[];
  inBoth: string[];
  inEither: string[];
}

function toRecords({ columns, rows }: OracleTable): Map<string, string>[] {
  return rows.map((row) => new Map(columns.map((name, at) => [name, row[at]?.json ?? "null"])));
}

const cellOf = (row: Map<string, string>, name: string): string => row.get(name) ?? "null";
const wholeOf = (row: Map<string, string>, names: string[]): string =>
  names.map((name) => cellOf(row, name)).join("\u0000");

/** Counts the changes from one table to another as the contract has them. */
export function expectDiff(base: OracleTable, head: OracleTable, askedKey: string[] | null): Expected {
  const inBoth = head.columns.filter((name) => base.columns.includes(name));
  const inEither = [...new Set([...head.columns, ...base.columns])];
  const both: Both = { base: toRecords(base), head: toRecords(head), inBoth, inEither };
  const key = askedKey ?? findKeyPlainly(both);
  return key === null ? countWholes(both) : countKeyed(both, key);
}

function findKeyPlainly(both: Both): string[] | null {
  const singles = both.inBoth.map((name) => [name]);
  const pairs = both.inBoth.flatMap((one, at) => both.inBoth.slice(at + 1).map((other) => [one, other]));
  const isKey = (names: string[]) =>
    [both.base, both.head].every((rows) => {
      const isFilled = rows.every((row) =>
        names.every((name) => !["null", '""'].includes(cellOf(row, name))),
      );
      return isFilled && new Set(rows.map((row) => wholeOf(row, names))).size === rows.length;
    });
  return [...singles, ...pairs].find(isKey) ?? null;
}

function countKeyed({ base, head, inBoth, inEither }: Both, key: string[]): Expected {
  const places = new Map(base.map((row, at) => [wholeOf(row, key), at]));
  const times = new Map<string, number>();
  const unchanged: number[] = [];
  let [added, changed, columns] = [0, 0, 0];
  for (const row of head) {
    const place = places.get(wholeOf(row, key));
    const before = place === undefined ? undefined : base[place];
    if (place === undefined || before === undefined) added++;
    else if (wholeOf(row, inEither) === wholeOf(before, inEither)) unchanged.push(place);
    else if (wholeOf(row, inBoth) === wholeOf(before, inBoth)) columns++;
    else {
      changed++;
      for (const name of inBoth)
        if (cellOf(row, name) !== cellOf(before, name)) times.set(name, (times.get(name) ?? 0) + 1);
    }
  }
  const kept = longestRising(unchanged);
  return {
    ...{ key, added, changed, same: kept + columns, moved: unchanged.length - kept },
    removed: base.length - changed - columns - unchanged.length,
    cells: [...times.values()].reduce((sum, count) => sum + count, 0),
    by_column: inBoth.flatMap((name) => (times.has(name) ? [{ name, changed: times.get(name) ?? 0 }] : [])),
  };
}

function countWholes({ base, head, inEither }: Both): Expected {
  const [ones, others] = [base, head].map((rows) => rows.map((row) => wholeOf(row, inEither)));
  const same = longestCommon(ones ?? [], others ?? []);
  const none = { key: null, changed: 0, moved: 0, cells: 0, by_column: [] };
  return { ...none, added: head.length - same, removed: base.length - same, same };
}

function longestRising(values: number[]): number {
  const best = values.map(() => 1);
  values.forEach((value, at) => {
    for (let earlier = 0; earlier < at; earlier++)
      if ((values[earlier] ?? 0) < value) best[at] = Math.max(best[at] ?? 1, 1 + (best[earlier] ?? 0));
  });
  return Math.max(0, ...best);
}

/** The length of a longest common subsequence, by the table of all beginnings. */
export function longestCommon(ones: readonly unknown[], others: readonly unknown[]): number {
  let above = new Array<number>(others.length + 1).fill(0);
  for (const one of ones) {
    const line = [0];
    others.forEach((other, at) => {
      line.push(one === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, line[at] ?? 0));
    });
    above = line;
  }
  return above[others.length] ?? 0;
}
