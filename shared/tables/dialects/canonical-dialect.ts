import type { Dialect } from "./dialect.ts";
import { nameEncoding, UTF_8 } from "./encodings.ts";
import { DIALECT_MEMBERS } from "./read-dialect.ts";

function isEscaped({ quoteChar, escapeChar }: Dialect): boolean {
  return quoteChar !== null && typeof escapeChar === "string";
}

/** Whether a member says no more than its absence; all others say something. */
const SAYS_NOTHING: Partial<Record<keyof Dialect, (dialect: Dialect) => boolean>> = {
  quoteChar: ({ quoteChar }) => quoteChar === '"',
  doubleQuote: (dialect) => dialect.doubleQuote !== false || dialect.quoteChar === null || isEscaped(dialect),
  escapeChar: (dialect) => !isEscaped(dialect),
  skipInitialSpace: ({ skipInitialSpace }) => skipInitialSpace === false,
  header: ({ header }) => header === true,
  // Without the list the names are in the first row that is no comment.
  headerRows: ({ headerRows, rows, commentChar }) =>
    headerRows?.length === 1 && headerRows[0] === (rows?.[0] ?? 1) && !commentChar,
  commentChar: ({ commentChar }) => commentChar === null,
  nullColumns: ({ nullColumns }) => nullColumns === "refuse",
  encoding: ({ encoding = UTF_8 }) => nameEncoding(encoding) === UTF_8,
  rows: ({ rows }) => rows?.[0] === 1 && rows[1] === null,
};

/** A dialect as it is kept: the delimiter is always written, other defaults never, and the encoding has its name. */
export function canonicalDialect(dialect: Dialect): Dialect {
  const { delimiter = ",", encoding = UTF_8 } = dialect;
  const named: Dialect = { ...dialect, delimiter, encoding: nameEncoding(encoding) ?? encoding };
  const kept = DIALECT_MEMBERS.filter(
    (member) => named[member] !== undefined && !SAYS_NOTHING[member]?.(named),
  );
  return Object.fromEntries(kept.map((member) => [member, named[member]]));
}
