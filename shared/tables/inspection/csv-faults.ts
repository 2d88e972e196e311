import { FileRefused } from "./verdict.ts";

const FAULTS = {
  "bare CR": [
    "has a bare carriage return (CR)",
    "End rows with LF or CRLF, and quote a value that holds a CR.",
  ],
  "text after quote": [
    "has text after a closing quote",
    "Put a comma or a line end there, or double a quote that belongs to the value.",
  ],
  "open quote": [
    "opens a quote that is never closed",
    "Close it, or double a quote that belongs to the value.",
  ],
  NUL: ["holds a NUL character", "Remove it."],
} as const;

/** The refusal of a record that is not RFC 4180, by its row, the header being row 1, and the line it begins on. */
export function refuseCsv(fault: keyof typeof FAULTS, row: number, line: number): FileRefused {
  const [what, mend] = FAULTS[fault];
  const place = line === row ? `Row ${row}` : `Row ${row} (line ${line})`;
  return new FileRefused(`${place} ${what}. Row 1 is the header. ${mend}`);
}

const LF = 0x0a;

// Classes of bytes: other 0, quote 1, comma 2, CR 3; a line feed outside of quotes ends the record before.
const CLASS_OF_BYTE = new Uint8Array(256);
for (const [index, character] of ['"', ",", "\r"].entries())
  CLASS_OF_BYTE[character.charCodeAt(0)] = index + 1;

const [FIELD_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE, AFTER_CR] = [0, 1, 2, 3, 4] as const;
const [BARE_CR, TEXT_AFTER_QUOTE] = [5, 6] as const;

// One row a state, one column a class: the next state, or the fault.
const NEXT = Uint8Array.from([
  ...[IN_PLAIN, IN_QUOTES, FIELD_START, AFTER_CR],
  ...[IN_PLAIN, IN_PLAIN, FIELD_START, AFTER_CR],
  ...[IN_QUOTES, AFTER_QUOTE, IN_QUOTES, IN_QUOTES],
  ...[TEXT_AFTER_QUOTE, IN_QUOTES, FIELD_START, AFTER_CR],
  ...[BARE_CR, BARE_CR, BARE_CR, BARE_CR],
]);

/**
 * Checks a record that is cut off before its end, and returns its state there: inside quotes, after a CR, or
 * neither. Throws `FileRefused` on the first fault in it.
 */
export function checkCutRecord(
  bytes: Uint8Array,
  row: number,
  line: number,
): "in quotes" | "after CR" | "between" {
  let state: number = FIELD_START;
  for (let at = 0; at < bytes.length; at++) {
    state = NEXT[state * 4 + (CLASS_OF_BYTE[bytes[at] ?? 0] ?? 0)] ?? 0;
    if (state === BARE_CR) throw refuseCsv("bare CR", row, line);
    if (state === TEXT_AFTER_QUOTE) throw refuseCsv("text after quote", row, line);
  }
  if (state === IN_QUOTES) return "in quotes";
  return state === AFTER_CR ? "after CR" : "between";
}

/** The end of a record that comes in pieces: one call a piece gives the place behind its line end, or -1. */
export type RecordEnd = (piece: Uint8Array) => number;

/** Looks for the end of a file's first record. Throws `FileRefused` on a fault before it. */
export function watchFirstRecord(): RecordEnd {
  let state: number = FIELD_START;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (byte === LF && state !== IN_QUOTES) return at + 1;
      if (byte === 0) throw refuseCsv("NUL", 1, 1);
      state = NEXT[state * 4 + (CLASS_OF_BYTE[byte] ?? 0)] ?? 0;
      if (state === BARE_CR) throw refuseCsv("bare CR", 1, 1);
      if (state === TEXT_AFTER_QUOTE) throw refuseCsv("text after quote", 1, 1);
    }
    return -1;
  };
}
