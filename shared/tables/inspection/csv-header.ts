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
    hints.push(`The file begins as HTML or XML does: "${clip(first)}". Does it hold the data it should?`);
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
