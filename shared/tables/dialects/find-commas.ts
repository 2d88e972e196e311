import { type Hint, hint } from "../inspection/hints.ts";
import { sayWhatSeparates } from "./describe-reading.ts";
import type { Dialect } from "./dialect.ts";
import { type FileHead, splitHead } from "./file-head.ts";

/**
 * The hint of a table of one column, which it has because its dialect names another separator: commas would make a table
 * of the beginning of the file, but for a title of at most as many rows.
 */
export function findCommas(head: FileHead, { delimiter = ",", ...dialect }: Dialect): Hint[] {
  if (delimiter === ",") return [];
  const { records } = splitHead(head, { ...dialect, commentChar: null, delimiter: "," });
  const width = records.at(-1)?.length ?? 0;
  const above = records.findLastIndex(({ length }) => length !== width) + 1;
  const count = records.length - above;
  if (width < 2 || count < 2 || count < above) return [];
  const message = `${sayWhatSeparates(delimiter)} here, and rows from row ${above + 1} on hold equally many commas outside quotes.`;
  return [hint("other_separator", message, { rows: [above + 1], count })];
}
