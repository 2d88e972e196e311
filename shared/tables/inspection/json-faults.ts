import { isAscii } from "node:buffer";
import { FileRefused } from "./verdict.ts";

const FAULTS = {
  nothing: "the file holds no JSON value. Put an object or a list into it.",
  "early end": "the file ends before its JSON does. Close what is still open.",
  done: "text follows the JSON value. A file holds one value: put several into one list.",
  value:
    "a value must stand here. Write an object, a list, a number, true, false, null or a text in double quotes.",
  item: "an item of the list must stand here. Remove a comma before the end of a list, and write texts in double quotes.",
  key: "a key in double quotes must stand here. Remove a comma before the end of an object.",
  colon: "a colon must follow the key.",
  "comma or ]": "a comma or the end of the list, ], must stand here.",
  "comma or }": "a comma or the end of the object, }, must stand here.",
  number: "the number is not complete, or has a form that JSON does not know, such as +1, .5 or 1.",
  escape:
    'the escape is unknown. Write one of \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits.',
  "control character":
    "a text holds a raw control character or line break. Write it as an escape, such as \\n.",
  NUL: "a text holds an escaped NUL character. Remove it.",
  surrogate: "a text holds half of an escaped surrogate pair. Write both halves, or the character itself.",
  depth: "the nesting is deeper than 64 levels. Flatten the data.",
  keys: "the object has more than 10,000 keys. Make it a list of objects.",
} as const;

export type JsonFault = keyof typeof FAULTS;

/** The refusal of the byte at a place; the place is written as `placeOf` writes it. */
export function refuseJson(place: string, found: number | undefined, fault: JsonFault): FileRefused {
  return new FileRefused(`${place}: ${FAULTS[fault]}${describeFound(found, fault)}`);
}

/** The refusal of a token that is longer than 1 MiB, by the place where it starts. */
export function refuseLongToken(startedAt: string): FileRefused {
  return new FileRefused(
    `${startedAt}: the text or number that starts here is over 1 MiB. Shorten or split it.`,
  );
}

// The habits of other languages that JSON does not allow.
const HABITS: Readonly<Record<string, string>> = {
  "/": "JSON has no comments.",
  "#": "JSON has no comments.",
  "'": "JSON texts stand in double quotes.",
};
const VALUE_HABITS: Readonly<Record<string, string>> = {
  ...HABITS,
  "<": "Is the file HTML or XML? It must hold JSON.",
  "+": "JSON writes no + before a number.",
  ".": "JSON writes a digit before the point.",
  N: "JSON has no NaN or None; write null.",
  I: "JSON has no Infinity; write null.",
  T: "JSON writes true in small letters.",
  F: "JSON writes false in small letters.",
  u: "JSON has no undefined; write null.",
};
const JSON_LINES = "A file with an object on each line is JSON Lines: name it .jsonl.";
const DONE_HABITS: Readonly<Record<string, string>> = { ...HABITS, "{": JSON_LINES, "[": JSON_LINES };
const HABITS_OF_FAULT: Readonly<Partial<Record<JsonFault, Readonly<Record<string, string>>>>> = {
  value: VALUE_HABITS,
  item: VALUE_HABITS,
  // The words after a minus, as in -Infinity.
  number: VALUE_HABITS,
  key: HABITS,
  done: DONE_HABITS,
  "comma or ]": HABITS,
  "comma or }": HABITS,
};

function describeFound(found: number | undefined, fault: JsonFault): string {
  const habit = found === undefined ? undefined : HABITS_OF_FAULT[fault]?.[String.fromCharCode(found)];
  return habit === undefined ? "" : ` ${habit}`;
}

/**
 * The start of the bytes at hand: the line, its characters before them, and the start of the last line in
 * them.
 */
export interface JsonPlace {
  line: number;
  columnBase: number;
  lineFrom: number;
}

/** "Line 3, column 14": both from 1, columns in characters (Unicode code points). */
export function placeOf(place: JsonPlace, bytes: Uint8Array, at: number): string {
  return `Line ${place.line}, column ${place.columnBase + countCharacters(bytes, place.lineFrom, at) + 1}`;
}

/** Characters of a part of the bytes, which cuts none. */
export function countCharacters(bytes: Uint8Array, from: number, end: number): number {
  if (isAscii(bytes.subarray(from, end))) return Math.max(end - from, 0);
  let count = 0;
  for (let at = from; at < end; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++;
  return count;
}
