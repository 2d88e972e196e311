/** Where and why a text is no JSON (RFC 8259) that charts are read from; `at` is an index into it. */
export interface JsonFault {
  at: number;
  reason: string;
}

const MOST_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
// Everything of a text but its end, escapes and control characters.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SHORT_ESCAPES = '"\\/bfnrt';
const HEX = /[0-9a-fA-F]{4}/y;

const REASONS = {
  empty: "the block is empty; put one JSON object into it",
  end: "the block ends before its JSON does; close what is still open",
  done: "text follows the JSON object; a chart block holds one object and nothing else",
  value: "a value must stand here: an object, a list, a number, true, false, null or a text in double quotes",
  key: "a name in double quotes must stand here; remove a comma before the end of an object",
  colon: "a colon must follow the name",
  list: "a comma or the end of the list, ], must stand here",
  object: "a comma or the end of the object, }, must stand here",
  escape:
    'the escape is unknown; write \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u with four hexadecimal digits',
  control: "a text holds a raw line break or control character; write it as an escape, such as \\n",
  nul: "a text holds an escaped NUL character; remove it",
  half: "a text holds half of an escaped surrogate pair; write both halves, or the character itself",
  depth: "the nesting is deeper than 64 levels; flatten the data",
} as const;

const HABITS: Readonly<Record<string, string>> = {
  "/": "JSON has no comments",
  "'": "JSON texts stand in double quotes",
  "“": "JSON texts stand in straight double quotes",
  N: "JSON has no NaN; write null",
  I: "JSON has no Infinity; write null",
  T: "JSON writes true in small letters",
  F: "JSON writes false in small letters",
  "+": "JSON numbers have no plus sign",
  ".": "JSON numbers begin with a digit",
};

class JsonFaultFound extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/** The first fault of a text as JSON, null when `JSON.parse` takes it; time grows with its length only. */
export function findJsonFault(text: string): JsonFault | null {
  try {
    const start = skipSpace(text, 0);
    if (start === text.length) throw refuse(text, 0, "empty");
    const end = skipSpace(text, checkValue(text, start, 0));
    if (end < text.length) throw refuse(text, end, "done");
    return null;
  } catch (error) {
    if (error instanceof JsonFaultFound) return error.fault;
    throw error;
  }
}

function refuse(text: string, at: number, kind: keyof typeof REASONS): JsonFaultFound {
  const ended = at >= text.length && kind !== "empty";
  const found = HABITS[text[at] ?? ""];
  const habit =
    found !== undefined && (kind === "value" || kind === "key" || kind === "done") ? ` (${found})` : "";
  return new JsonFaultFound({ at, reason: `${REASONS[ended ? "end" : kind]}${habit}` });
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** Checks one value and gives the index after it. */
function checkValue(text: string, at: number, depth: number): number {
  const first = text[at];
  if (first === '"') return checkString(text, at);
  if (first === "{" || first === "[") {
    if (depth === MOST_DEPTH) throw refuse(text, at, "depth");
    return first === "{" ? checkObject(text, at, depth) : checkList(text, at, depth);
  }
  for (const form of [NUMBER, WORD]) {
    form.lastIndex = at;
    if (form.test(text)) return form.lastIndex;
  }
  throw refuse(text, at, "value");
}

function checkList(text: string, open: number, depth: number): number {
  let at = skipSpace(text, open + 1);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = skipSpace(text, checkValue(text, at, depth + 1));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") throw refuse(text, at, "list");
    at = skipSpace(text, at + 1);
  }
}

function checkObject(text: string, open: number, depth: number): number {
  let at = skipSpace(text, open + 1);
  if (text[at] === "}") return at + 1;
  for (;;) {
    if (text[at] !== '"') throw refuse(text, at, "key");
    at = skipSpace(text, checkString(text, at));
    if (text[at] !== ":") throw refuse(text, at, "colon");
    at = skipSpace(text, checkValue(text, skipSpace(text, at + 1), depth + 1));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") throw refuse(text, at, "object");
    at = skipSpace(text, at + 1);
  }
}

function checkString(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    at = PLAIN.lastIndex;
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code !== 0x5c) throw refuse(text, at, at < text.length ? "control" : "end");
    at = checkEscape(text, at);
  }
}

function checkEscape(text: string, slash: number): number {
  const kind = text[slash + 1] ?? "";
  if (kind !== "u") {
    if (kind === "" || !SHORT_ESCAPES.includes(kind)) throw refuse(text, slash + 1, "escape");
    return slash + 2;
  }
  const unit = readUnit(text, slash);
  if (unit === null) throw refuse(text, slash, "escape");
  if (unit === 0) throw refuse(text, slash, "nul");
  if (unit < 0xd800 || unit > 0xdfff) return slash + 6;
  const low = readUnit(text, slash + 6);
  if (unit > 0xdbff || low === null || low < 0xdc00 || low > 0xdfff) throw refuse(text, slash, "half");
  return slash + 12;
}

/** The UTF-16 unit that an escape at an index stands for, null where there is none. */
function readUnit(text: string, at: number): number | null {
  HEX.lastIndex = at + 2;
  return text.startsWith("\\u", at) && HEX.test(text)
    ? Number.parseInt(text.slice(at + 2, at + 6), 16)
    : null;
}
