import { findCellKind, isYears } from "./cell-kinds.ts";
import { MARKS } from "./cell-marks.ts";
import { holdsNumbers, type SurveyedColumn } from "./column-hints.ts";
import { classifyCsvText, KIND_BITS, kindsOfCsv } from "./column-types.ts";
import { clip } from "./csv-header.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import { type Hint, hint } from "./hints.ts";

/** What the names of a row look like that are no names, or look alike; row 0 where the service made them. */
export function findHeaderHints(columns: readonly SurveyedColumn[], survey: CsvSurvey, row: number): Hint[] {
  if (row === 0) return [];
  const first = columns[0]?.name ?? "";
  const xml = `The file begins as XML does: "${clip(first)}". Does it hold the data it should?`;
  return [
    ...(/^<[!?a-z]/i.test(first) ? [hint("header_like_data", xml, { rows: [row] })] : []),
    ...findData(columns, survey, row),
    ...findSimilarNames(
      columns.map(({ name }) => name),
      [row],
    ),
  ];
}

const KINDS = new Set<string>(["number", "date", "boolean"]);

function findData(
  columns: readonly SurveyedColumn[],
  { found, headerAgain }: CsvSurvey,
  row: number,
): Hint[] {
  const areYears = isYears(columns.map(({ name }) => name).filter(isNumber));
  const areNames = columns.some(({ name, type }) => KINDS.has(type) && findCellKind(name) === "text");
  const suspects = columns.flatMap((column, at) => {
    const repeats = found.name.get(at);
    // A mark that ends each row, as "eor" does, tells nothing of names that differ from data.
    const isMark = areNames && repeats?.count === column.filled;
    const again = (repeats?.count ?? 0) > headerAgain.count && !isMark ? (repeats?.rows ?? []) : [];
    const isCell = isNamedAsCell(column) && !(areYears && isNumber(column.name));
    return isCell || again.length > 0 ? [{ name: column.name, isCell, again }] : [];
  });
  const [suspect] = suspects;
  if (suspect === undefined) return [];
  const why = suspect.isCell ? "as its cells are" : `which row ${suspect.again[0]} holds again`;
  const message = `Row ${row} is the header, and names a column "${clip(suspect.name)}", ${why}. If it is data, put a row of names above it, or send "header": false in the dialect.`;
  const rows = [row, ...suspects.flatMap(({ again }) => again)];
  return [hint("header_like_data", message, { rows, columns: suspects.map(({ name }) => name) })];
}

const isNumber = (name: string) => classifyCsvText(name.trim()) === "number";

/**
 * Whether a name is a number, a date, a boolean or an address, and every filled cell below is one too; numbers and dates
 * also where they are texts for how they are written.
 */
function isNamedAsCell({ name, type, bits, first: [earliest] }: SurveyedColumn): boolean {
  if ((bits & MARKS.address) !== 0) return (bits & MARKS.plain) === 0;
  const kind = findCellKind(name);
  if (kind === "number") return holdsNumbers(bits);
  if (kind !== "date" && kind !== "boolean") return false;
  // Of dates that are texts the first one is known.
  if (type === "text" && earliest !== undefined) return findCellKind(earliest.text) === kind;
  // Marks for nothing stand beside cells of any kind.
  const isText = (bits & (MARKS.plain | MARKS.format)) !== 0;
  const own = KIND_BITS[kind];
  return (bits & own) !== 0 && !isText && (kindsOfCsv(bits & ~MARKS.zero) & ~(own | KIND_BITS.text)) === 0;
}

/** Names that differ in case, outer blanks or normal form alone. */
export function findSimilarNames(names: readonly string[], rows: number[]): Hint[] {
  const alike = new Map<string, string>();
  return names.flatMap((name) => {
    const plain = name.normalize("NFC").trim().toLowerCase();
    const earlier = alike.get(plain);
    alike.set(plain, earlier ?? name);
    if (earlier === undefined) return [];
    const what = earlier.normalize("NFC") === name.normalize("NFC") ? "look the same" : "look alike";
    const message = `Two column names ${what} but are not: "${clip(earlier)}" and "${clip(name)}".`;
    return [hint("similar_names", message, { rows, columns: [earlier, name] })];
  });
}
