import { countNoun } from "../../ground/text.ts";
import type { Hint } from "../inspection/hints.ts";
import type { TableName } from "./table-names.ts";

/** Plain values with a quote in them: the first rows and columns, and how many there are. */
export interface QuotesSeen {
  rows: number[];
  columns: number[];
  count: number;
}

const MOST_ROWS = 3;
const MOST_COLUMNS = 10;

/** Counts a plain value with a quote in it. */
export function noteQuote(seen: QuotesSeen, row: number, column: number): void {
  seen.count++;
  if (seen.rows.length < MOST_ROWS && seen.rows.at(-1) !== row) seen.rows.push(row);
  if (seen.columns.length < MOST_COLUMNS && !seen.columns.includes(column)) seen.columns.push(column);
}

/** The hint of such values; none where there are none. */
export function describeQuotes({ rows, columns, count }: QuotesSeen, names: readonly TableName[]): Hint[] {
  if (count === 0) return [];
  const has = count === 1 ? "holds a quote, which is" : "hold quotes, which are";
  const message = `${countNoun(count, "value")} without quotes around ${count === 1 ? "it" : "them"} ${has} a part of ${count === 1 ? "it" : "them"}, first in row ${rows[0]}.`;
  return [
    { code: "quote_in_value", message, rows, columns: columns.map((at) => names[at]?.name ?? ""), count },
  ];
}
