import { addFault, type FieldErrors } from "../../ground/errors.ts";
import { refuseName, shortenName, UNKNOWN_SHOWN } from "../../ground/nearest-name.ts";
import { joinWords } from "../../ground/text.ts";
import type { Dialect } from "./dialect.ts";
import { nameEncoding } from "./encodings.ts";

const MOST_BYTES = 8_192;
const MOST_HEADER_ROW = 20;
const MOST_COLUMNS = 10_000;

/** A dialect as a sender names it, or every fault of it by its field. */
export type ReadDialect =
  | { ok: true; dialect: Dialect | "auto" }
  | { ok: false; faults: Record<string, string[]> };

const NO_OBJECT = 'The dialect has to be a JSON object such as {"delimiter": ";"}, or the word auto.';

/** Reads the form field `dialect`: a JSON object, or the word `auto`. */
export function readDialect(text: string): ReadDialect {
  if (Buffer.byteLength(text) > MOST_BYTES) return refuseWhole("The dialect may have 8 KiB.");
  if (text.trim() === "auto") return { ok: true, dialect: "auto" };
  try {
    const value: unknown = JSON.parse(text);
    return value === "auto" ? refuseWhole(NO_OBJECT) : readDialectValue(value);
  } catch {
    return refuseWhole(NO_OBJECT);
  }
}

/** Reads a dialect that came as a value, such as the argument of a tool. */
export function readDialectValue(value: unknown): ReadDialect {
  if (value === "auto") return { ok: true, dialect: "auto" };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuseWhole(NO_OBJECT);
  if (Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES)
    return refuseWhole("The dialect may have 8 KiB.");
  const faults: FieldErrors = {};
  for (const [name, sent] of Object.entries(value)) {
    const rule = Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof Dialect] : undefined;
    if (rule === undefined) refuseUnknown(name, faults);
    else if (!rule.takes(sent)) addFault(faults, `dialect.${name}`, `The ${name} has to be ${rule.what}.`);
  }
  checkTogether(value, faults);
  return Object.keys(faults).length === 0 ? { ok: true, dialect: value } : { ok: false, faults };
}

function refuseWhole(sentence: string): ReadDialect {
  return { ok: false, faults: { dialect: [sentence] } };
}

function refuseUnknown(sent: string, faults: FieldErrors): void {
  if (Object.keys(faults).length >= UNKNOWN_SHOWN) return;
  const name = shortenName(sent);
  addFault(
    faults,
    `dialect.${name}`,
    refuseName(name, { kind: "member", taker: "dialect" }, Object.keys(MEMBERS)),
  );
}

/** What a member takes, how a refusal says it, and its JSON Schema, as far as one can say it. */
interface MemberRule {
  takes(value: unknown): boolean;
  what: string;
  form: object;
}

const isBoolean: MemberRule = {
  takes: (value) => typeof value === "boolean",
  what: "true or false",
  form: { type: "boolean" },
};

function oneOf(...values: (string | null)[]): MemberRule {
  const listed = values.map((value) => (value === null ? "null" : JSON.stringify(value)));
  return {
    takes: (value) => values.some((one) => one === value),
    what: joinWords(listed, "or"),
    form: { enum: values },
  };
}

const DELIMITER = /^[\t\u0001 -~]$/;
const NO_DELIMITER = /^[\p{L}\d"'.-]$/u;
const COMMENT = /^[!-~]$/;

const MEMBERS: Record<keyof Dialect, MemberRule> = {
  delimiter: {
    takes: (value) => typeof value === "string" && DELIMITER.test(value) && !NO_DELIMITER.test(value),
    what: "one printable ASCII character, tab or U+0001, and no letter, digit, quote, point or hyphen",
    form: { type: "string", pattern: "^[\\t\\u0001 !#-&(-,/:-@[-`{-~]$" },
  },
  quoteChar: oneOf('"', "'", null),
  doubleQuote: isBoolean,
  escapeChar: oneOf("\\", null),
  lineTerminator: oneOf("\r"),
  skipInitialSpace: isBoolean,
  header: isBoolean,
  headerRows: {
    takes: isRowList,
    what: "a list of row numbers from 1 to 20, each greater than the one before",
    form: { type: "array", minItems: 1, items: { type: "integer", minimum: 1, maximum: MOST_HEADER_ROW } },
  },
  commentChar: {
    takes: (value) => value === null || (typeof value === "string" && COMMENT.test(value)),
    what: "one printable ASCII character, or null",
    form: { type: ["string", "null"], pattern: "^[!-~]$" },
  },
  nullColumns: oneOf("name", "refuse"),
  encoding: {
    takes: (value) => typeof value === "string" && nameEncoding(value) !== null,
    what: "the name of an encoding in the WHATWG's Encoding standard, such as windows-1252 or utf-16le",
    form: { type: "string" },
  },
  decimalChar: oneOf(",", "."),
  groupChar: oneOf(".", ",", " ", "\u00a0", "\u202f", "'"),
  columns: {
    takes: (value) =>
      Array.isArray(value) && value.length <= MOST_COLUMNS && value.every((name) => typeof name === "string"),
    what: "a list of column names",
    form: { type: "array", maxItems: MOST_COLUMNS, items: { type: "string" } },
  },
  rows: {
    takes: isRange,
    what: "[first, last], two row numbers from 1; last may be null",
    form: {
      ...{ type: "array", minItems: 2, maxItems: 2 },
      items: { type: ["integer", "null"], minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
  },
};

const EXAMPLES: Required<Dialect> = {
  ...{ delimiter: ";", quoteChar: "'", doubleQuote: true, escapeChar: "\\", lineTerminator: "\r" },
  ...{ skipInitialSpace: true, header: true, headerRows: [3], commentChar: "#", nullColumns: "name" },
  ...{ encoding: "windows-1252", decimalChar: ",", groupChar: ".", columns: ["height_m"], rows: [1, null] },
};

/** A dialect as a JSON Schema, for documents. */
export const DIALECT_FORM = {
  type: "object",
  properties: Object.fromEntries(
    Object.entries(MEMBERS).map(([name, { form, what }]) => [
      name,
      { ...form, description: `The ${name}: ${what}.`, examples: [EXAMPLES[name as keyof Dialect]] },
    ]),
  ),
  additionalProperties: false,
};

/** The members of a dialect, in the order in which they are written. */
export const DIALECT_MEMBERS = Object.keys(MEMBERS) as (keyof Dialect)[];

function isRow(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isRowList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((row, at) => isRow(row) && row <= MOST_HEADER_ROW && (at === 0 || row > value[at - 1]));
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last] = value;
  return isRow(first) && (last === null || (isRow(last) && last >= first));
}

/** What each member takes alone, but not beside another. */
function checkTogether(dialect: Dialect, faults: FieldErrors): void {
  const { delimiter = ",", escapeChar, commentChar, decimalChar, groupChar, columns } = dialect;
  const refuse = (member: keyof Dialect, sentence: string) => addFault(faults, `dialect.${member}`, sentence);
  const isQuoted = dialect.quoteChar !== null;
  if (dialect.header === false && dialect.headerRows)
    refuse("headerRows", "With header false no row has the names. Leave out headerRows or header.");
  if (groupChar !== undefined && groupChar === decimalChar)
    refuse("groupChar", "The groupChar has to differ from the decimalChar.");
  if (isQuoted && dialect.doubleQuote === true && escapeChar)
    refuse("doubleQuote", "A quote in a value is doubled or escaped. Leave out doubleQuote or escapeChar.");
  if (columns && decimalChar === undefined && groupChar === undefined)
    refuse(
      "columns",
      "The columns are those of decimalChar and groupChar. Name one of the two, or no columns.",
    );
  if (isQuoted && escapeChar && escapeChar === delimiter)
    refuse("delimiter", "The delimiter has to differ from the escapeChar.");
  if (commentChar && [delimiter, isQuoted ? (dialect.quoteChar ?? '"') : null].includes(commentChar))
    refuse("commentChar", "The commentChar has to differ from delimiter and quoteChar.");
  const last = dialect.rows?.[1] ?? null;
  if (last !== null && dialect.headerRows?.some((row) => row >= last))
    refuse("headerRows", `The rows end with row ${last}: the names have to stand above.`);
}
