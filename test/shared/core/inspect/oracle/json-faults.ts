import { FileRefused } from "../../../../../shared/core/inspect/verdict.ts";

/** Where the text at hand begins: its line, the characters of that line before it, and where its last line starts. */
export interface JsonPlace {
  line: number;
  columnBase: number;
  lineFrom: number;
}

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

/** "Line 3, column 14": both from 1, columns in characters (Unicode code points). */
export function placeOf(place: JsonPlace, text: string, at: number): string {
  const before = text.slice(place.lineFrom, at);
  const astral = before.match(/[\udc00-\udfff]/g)?.length ?? 0;
  return `Line ${place.line}, column ${place.columnBase + before.length - astral + 1}`;
}

/** The refusal of what stands at an index of the text at hand. */
export function refuseJson(place: JsonPlace, text: string, at: number, fault: JsonFault): FileRefused {
  return new FileRefused(`${placeOf(place, text, at)}: ${FAULTS[fault]}${describeFound(text[at], fault)}`);
}

/** The refusal of a token that is longer than 1 MiB, by the place where it starts. */
export function refuseLongToken(startedAt: string): FileRefused {
  return new FileRefused(
    `${startedAt}: the text or number that starts here is over 1 MiB. Shorten or split it.`,
  );
}

const FOUND_BY_HABIT: Readonly<Record<string, string>> = {
  "/": "JSON has no comments.",
  "'": "JSON texts stand in double quotes.",
  N: "JSON has no NaN; write null.",
  I: "JSON has no Infinity; write null.",
  T: "JSON writes true in small letters.",
  F: "JSON writes false in small letters.",
};

function describeFound(found: string | undefined, fault: JsonFault): string {
  const habit = found === undefined ? undefined : FOUND_BY_HABIT[found];
  const expectsToken = fault === "value" || fault === "item" || fault === "key" || fault === "done";
  return habit !== undefined && expectsToken ? ` ${habit}` : "";
}
