import { clip } from "../inspection/csv-header.ts";

const GIVE_HEADER = "Begin the file with the header of the base: the same names in the same order.";

/** How the header of a part differs first from the base's, as the refusal of it; null where they are equal. */
export function findHeaderDifference(base: readonly string[], part: readonly string[]): string | null {
  const most = Math.max(base.length, part.length);
  for (let at = 0; at < most; at++) {
    if (base[at] !== part[at]) return `${describe(base, part, at)} ${GIVE_HEADER}`;
  }
  return null;
}

function describe(base: readonly string[], part: readonly string[], at: number): string {
  const [expected, found] = [base[at], part[at]];
  const column = `column ${at + 1}`;
  if (expected === undefined) {
    return `The header has ${column}, "${clip(found ?? "")}", and the base has only ${count(base.length)}.`;
  }
  if (found === undefined) {
    return `The header lacks ${column}, "${clip(expected)}": it has ${count(part.length)}, and the base ${base.length}.`;
  }
  const shown = [clip(found), clip(expected)];
  const how = shown[0] === shown[1] ? " The names look the same and are not: compare their characters." : "";
  return `The header names ${column} "${shown[0]}", and the base "${shown[1]}".${how}`;
}

const count = (columns: number) => (columns === 1 ? "1 column" : `${columns} columns`);
