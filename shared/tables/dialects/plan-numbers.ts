import { isNumberText } from "../inspection/column-types.ts";
import type { Dialect } from "./dialect.ts";
import type { HeadRecords } from "./file-head.ts";
import { createMarks, type NumberMarks } from "./number-marks.ts";

const GROUPS = [null, ".", ",", " ", "\u00a0", "\u202f", "'"] as const;
const PAIRS = ([",", "."] as const).flatMap((decimal) =>
  GROUPS.flatMap((group) =>
    group === decimal || (decimal === "." && group === null) ? [] : [createMarks(decimal, group)],
  ),
);

/** The marks of numbers that columns of a table show which are none without; none where they show none, or several that differ. */
export function findNumberMembers(rows: HeadRecords): Pick<Dialect, "decimalChar" | "groupChar"> {
  const columns = [...(rows[0]?.keys() ?? [])].filter((column) =>
    rows.some(({ [column]: text = "" }) => text !== "" && !isNumberText(text)),
  );
  const shown = PAIRS.filter((marks) => columns.some((column) => showsMarks(rows, column, marks)));
  const [first] = shown;
  if (first === undefined || shown.some(({ decimal }) => decimal !== first.decimal)) return {};
  const groups = shown.flatMap(({ group }) => (group === null ? [] : [group]));
  const [groupChar] = groups as NonNullable<Dialect["groupChar"]>[];
  return { decimalChar: first.decimal, ...(groups.length === 1 && { groupChar }) };
}

/** Whether a column is made of numbers by the marks, and one of them shows each mark. */
function showsMarks(rows: HeadRecords, column: number, marks: NumberMarks): boolean {
  let isShown = false;
  for (const row of rows) {
    const text = row[column] ?? "";
    if (text === "") continue;
    if (!marks.pattern.test(text)) return false;
    isShown ||= showsBoth(text, marks);
  }
  return isShown;
}

/** What may be a whole number in groups as well proves no decimal mark. */
function showsBoth(text: string, { decimal, group }: NumberMarks): boolean {
  if (!text.includes(decimal)) return false;
  if (group !== null) return text.includes(group);
  return decimal === "," && !/^-?[1-9]\d{0,2},\d{3}$/.test(text);
}
