/** What an accepted file is told that its sender should look at. */

/** The codes, the gravest first. */
export const HINT_CODES = [
  "header_like_data",
  "quote_in_value",
  "row_in_value",
  "other_separator",
  "blank_before_quote",
  "single_quotes",
  "broken_letters",
  "last_rows",
  "header_again",
  "no_rows",
  "similar_names",
  "number_format",
  "exponent_identifier",
  "missing_value_marks",
  "leading_zeros",
  "long_numbers",
  "mixed_column",
  "duplicate_keys",
  "data_frame",
  "invisible_characters",
  "sample_cut",
] as const;

export interface Hint {
  /** `note` is the code of hints from before they had one. */
  code: (typeof HINT_CODES)[number] | "note";
  message: string;
  /** The first rows where it is so, the header being row 1. */
  rows: number[];
  columns: string[];
  /** In how many rows or cells it is so; null where nothing is counted. */
  count: number | null;
}

/** A hint as an asset stores it. */
export interface StoredHint extends Hint {
  /** Of `missing_value_marks`: columns with a mark of each, by which it is known whether a dictionary names them all. */
  marks?: readonly (readonly [column: string, mark: string])[];
}

const MOST = { hints: 20, rows: 3, columns: 10, messages: 5 };
/** A hint with so many marks may have had more. */
export const MOST_MARKS = 1_000;

/** A hint that names what it is of, where that is known. */
export function hint(code: Hint["code"], message: string, of: Partial<StoredHint> = {}): StoredHint {
  return { rows: [], columns: [], count: null, ...of, code, message };
}

/** The hints of a file as it has them: each code once, the gravest first. */
export function collectHints(found: readonly StoredHint[]): StoredHint[] {
  const codes = HINT_CODES.filter((code) => found.some((one) => one.code === code));
  return codes.slice(0, MOST.hints).map((code) => mergeHints(found.filter((one) => one.code === code)));
}

function mergeHints(alike: readonly StoredHint[]): StoredHint {
  const rows = new Set(alike.flatMap((one) => one.rows).sort((one, other) => one - other));
  const columns = new Set(alike.flatMap((one) => one.columns));
  const marks = alike.flatMap((one) => one.marks ?? []);
  const counts = alike.flatMap(({ count }) => count ?? []);
  const rest = alike.length - MOST.messages;
  const messages = alike.slice(0, MOST.messages).map(({ message }) => message);
  if (rest > 0) messages.push(`${rest} more ${rest === 1 ? "column is" : "columns are"} like these.`);
  return {
    code: alike[0]?.code ?? "note",
    message: messages.join(" "),
    rows: [...rows].slice(0, MOST.rows),
    columns: [...columns].slice(0, MOST.columns),
    count: counts.length < alike.length ? null : counts.reduce((sum, count) => sum + count, 0),
    ...(marks.length > 0 && { marks: marks.slice(0, MOST_MARKS) }),
  };
}

/** Hints as an asset has stored them: those from before they were objects are texts. */
export function readHints(stored: string | null): StoredHint[] {
  const hints: (string | StoredHint)[] = stored === null ? [] : JSON.parse(stored);
  return hints.map((one) => (typeof one === "string" ? hint("note", one) : one));
}
