import { clipText, nameCodePoint } from "../../ground/text.ts";
import { isNumberText } from "./column-types.ts";
import { FileRefused, refuseFault, refuseWideTable } from "./verdict.ts";

/** Reads the names of a CSV's columns; throws `FileRefused` where they are not unique and non-empty. */
export function readHeader(names: Iterable<string>): string[] {
  const first = new Map<string, number>();
  let characters = 0;
  let unnamed = 0;
  for (const name of names) {
    if (unnamed > 0) throw refuseNoName(unnamed, false);
    const column = first.size + 1;
    const earlier = first.get(name);
    if (earlier !== undefined) throw refuseRepeatedName(name, earlier, column);
    if (name.trim() === "") unnamed = column;
    else first.set(name, column);
    characters += name.length;
  }
  if (unnamed > 0) throw refuseNoName(unnamed, true);
  refuseWideTable(first.size, characters);
  return [...first.keys()];
}

function refuseNoName(column: number, isLast: boolean): FileRefused {
  const what = `Row 1, the header, has no name for column ${column}.`;
  if (isLast && column === 1) return new FileRefused(`${what} It is a blank line: remove it.`);
  const habit = isLast
    ? " A comma at the end of a row begins one more column."
    : column === 1
      ? " Row numbers that a program wrote are left out by index=False in pandas and row.names=FALSE in R."
      : "";
  return refuseFault(
    what,
    `Give every column a name of its own, or take the column out of every row.${habit}`,
  );
}

function refuseRepeatedName(name: string, earlier: number, column: number): FileRefused {
  const habit = isNumberText(name.trim()) ? " If row 1 is data, put a row of names above it." : "";
  return refuseFault(
    `Row 1, the header, uses one name for columns ${earlier} and ${column}: "${clip(name)}".`,
    `Give every column a name of its own.${habit}`,
  );
}

// Byte-order marks, what has no width, soft hyphens, what turns the direction of a text, and controls of devices.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u0080-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
// Between characters that are seen some are a part of how a name is written, as in Persian, Hindi and emoji.
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Throws `FileRefused` where a name holds a character that nobody sees, or two names differ by such ones alone. */
export function refuseUnseenNames(names: readonly string[], place = "Row 1"): void {
  const plain = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const unseen = findUnseen(name);
    if (unseen !== null) {
      const isSeparator = unseen === "\u0001" && names.length === 1;
      const other = isSeparator
        ? ' If it separates the values, send it with the dialect {"delimiter": "\\u0001"}.'
        : "";
      throw new FileRefused(
        `${place}, the header, names column ${at + 1} "${spell(name)}": nobody sees its ${nameCodePoint(unseen)}. Write the name without it.${other}`,
      );
    }
    const seen = name.replace(IGNORABLE, "");
    const earlier = plain.get(seen);
    if (earlier !== undefined)
      throw new FileRefused(
        `${place}, the header, names columns ${earlier + 1} and ${at + 1} alike but for what nobody sees: "${spell(names[earlier] ?? "")}" and "${spell(name)}". Give every column a name of its own.`,
      );
    plain.set(seen, at);
  }
}

/** The first character of a name that nobody sees; null where it has none. */
export function findUnseen(name: string): string | null {
  return UNSEEN.exec(name)?.[0] ?? null;
}

/** A name with the code points of what nobody sees. */
export function spell(name: string): string {
  const shown = Array.from(clip(name), (one) =>
    UNSEEN.test(one) || one.match(IGNORABLE) ? nameCodePoint(one) : one,
  );
  return shown.join("");
}

/** A name as a refusal repeats it. */
export function clip(name: string): string {
  return clipText(name, 60);
}

const [COMMA, QUOTE] = [0x2c, 0x22];

/** The values of one sound record as texts, one after the other; `end` is where its line end begins. */
export function* decodeCsvRecord(bytes: Buffer, start: number, end: number): Generator<string> {
  for (const [from, to] of splitCsvRecord(bytes, start, end)) {
    const isQuoted = bytes[from] === QUOTE && from < to;
    const text = bytes.toString("utf8", isQuoted ? from + 1 : from, isQuoted ? to - 1 : to);
    yield isQuoted ? text.replaceAll('""', '"') : text;
  }
}

/** Where the cells of one sound record begin and end, their quotes included. */
export function* splitCsvRecord(bytes: Buffer, start: number, end: number): Generator<[number, number]> {
  for (let at = start; ; ) {
    const isQuoted = bytes[at] === QUOTE && at < end;
    const cellEnd = isQuoted ? findQuotedEnd(bytes, at, end) : findPlainEnd(bytes, at, end);
    yield [at, cellEnd];
    if (cellEnd >= end) return;
    at = cellEnd + 1;
  }
}

function findPlainEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}

/** The place after the closing quote. */
function findQuotedEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  while (at < end) {
    if (bytes[at] === QUOTE) {
      if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at + 1;
      at++;
    }
    at++;
  }
  return end;
}
