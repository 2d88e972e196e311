import { clipText } from "../../ground/text.ts";
import { isNumberText } from "./column-types.ts";
import { FileRefused, refuseWideTable } from "./verdict.ts";

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
  return new FileRefused(
    `${what} Give every column a name of its own, or take the column out of every row.${habit}`,
  );
}

function refuseRepeatedName(name: string, earlier: number, column: number): FileRefused {
  const habit = isNumberText(name.trim()) ? " If row 1 is data, put a row of names above it." : "";
  return new FileRefused(
    `Row 1, the header, uses one name for columns ${earlier} and ${column}: "${clip(name)}". Give every column a name of its own.${habit}`,
  );
}

// Byte-order marks, what has no width, soft hyphens, what turns the direction of a text, and controls of devices.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u0080-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
// Between characters that are seen some are a part of how a name is written, as in Persian, Hindi and emoji.
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Throws `FileRefused` where a name holds a character that nobody sees, or two names differ by such ones alone. */
export function refuseUnseenNames(names: readonly string[]): void {
  const plain = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const unseen = UNSEEN.exec(name)?.[0];
    if (unseen !== undefined)
      throw new FileRefused(
        `Row 1, the header, names column ${at + 1} "${spell(name)}": nobody sees its ${spellCode(unseen)}. Write the name without it.`,
      );
    const earlier = plain.get(name.replace(IGNORABLE, ""));
    if (earlier !== undefined)
      throw new FileRefused(
        `Row 1, the header, names columns ${earlier + 1} and ${at + 1} alike but for what nobody sees: "${spell(names[earlier] ?? "")}" and "${spell(name)}". Give every column a name of its own.`,
      );
    plain.set(name.replace(IGNORABLE, ""), at);
  }
}

/** A name with the code points of what nobody sees. */
function spell(name: string): string {
  const shown = Array.from(clip(name), (one) =>
    UNSEEN.test(one) || one.match(IGNORABLE) ? spellCode(one) : one,
  );
  return shown.join("");
}

function spellCode(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Accepted oddities of a header that its author should look at. */
export function findHeaderHints(names: readonly string[]): string[] {
  const hints: string[] = [];
  const [first = ""] = names;
  const separator = findOtherSeparator(names);
  if (separator !== null) {
    hints.push(
      `The header has ${separator} and no comma, so it names one column: "${clip(first)}". Only commas separate values.`,
    );
  }
  if (/^<[!?a-z]/i.test(first)) {
    hints.push(`The file begins as XML does: "${clip(first)}". Does it hold the data it should?`);
  }
  const number = names.find((name) => name.includes(".") && isNumberText(name.trim()));
  if (number !== undefined) {
    hints.push(
      `Row 1 is the header, and names a column "${clip(number)}". If it is data, put a row of names above it.`,
    );
  }
  return [...hints, ...findLookalikes(names)];
}

function findLookalikes(names: readonly string[]): string[] {
  const composed = new Set<string>();
  return names.flatMap((name) => {
    const normal = name.normalize("NFC");
    if (composed.has(normal))
      return [`Two column names look the same but are encoded differently: "${clip(normal)}".`];
    composed.add(normal);
    return [];
  });
}

const OTHER_SEPARATORS = [
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
] as const;

/** What separates the names of a header without a comma; null where nothing does. */
export function findOtherSeparator(names: readonly string[]): string | null {
  const [only = ""] = names;
  if (names.length !== 1) return null;
  return OTHER_SEPARATORS.find(([mark]) => only.includes(mark))?.[1] ?? null;
}

/** A name as a refusal repeats it. */
export function clip(name: string): string {
  return clipText(name, 60);
}

const [COMMA, QUOTE] = [0x2c, 0x22];

/** The values of one sound record as texts, one after the other; `end` is where its line end begins. */
export function* decodeCsvRecord(bytes: Buffer, start: number, end: number): Generator<string> {
  let at = start;
  for (;;) {
    const isQuoted = bytes[at] === QUOTE && at < end;
    const cellEnd = isQuoted ? findQuotedEnd(bytes, at, end) : findPlainEnd(bytes, at, end);
    const text = bytes.toString("utf8", isQuoted ? at + 1 : at, isQuoted ? cellEnd - 1 : cellEnd);
    yield isQuoted ? text.replaceAll('""', '"') : text;
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
