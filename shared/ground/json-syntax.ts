import { visit } from "jsonc-parser";
import { countCodePoints } from "./text.ts";

/** Where and why a text is no JSON (RFC 8259) that charts are read from; `at` is an index into it. */
export interface JsonFault {
  at: number;
  reason: string;
}

const MOST_DEPTH = 64;
/** A number or word that stands at a place, whatever follows it. */
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;
/** A text in double quotes up to its end, or up to the first fault in it: surrogates come in pairs, NUL not at all. */
const STRING =
  /"(?:[^"\\\u0000-\u001f]+|\\["\\/bfnrt]|\\u(?!0000|[dD][89a-fA-F])[\da-fA-F]{4}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})*/y;
const UNIT = /\\u([\da-fA-F]{4})/y;

/** What the JSON stands in, and the reason where the whole of it is wrong. */
const WHOLES = {
  block: {
    empty: "the block is empty; put one JSON object into it",
    end: "the block ends before its JSON does; close what is still open",
    done: "text follows the JSON object; a chart block holds one object and nothing else",
  },
  body: {
    empty: "the body holds blanks alone; put one JSON object into it",
    end: "the body ends before its JSON does; close what is still open",
    done: "text follows the JSON; a body holds one object and nothing else",
  },
} as const;

const REASONS = {
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

type Kind = keyof typeof REASONS | keyof (typeof WHOLES)["block"];

class JsonFaultFound extends Error {
  readonly at: number;
  readonly kind: Kind;
  constructor(at: number, kind: Kind) {
    super(kind);
    this.at = at;
    this.kind = kind;
  }
}

/** The token that must come next: a value, or a name, or the end or continuation after one. */
type Awaited = "value" | "key" | "colon" | "list" | "object" | "done";

/** The first fault of a text as JSON, null when `JSON.parse` takes it; time grows with its length only. */
export function findJsonFault(text: string, whole: keyof typeof WHOLES = "block"): JsonFault | null {
  if (/^[ \t\r\n]*$/.test(text)) return { at: 0, reason: WHOLES[whole].empty };
  try {
    visit(text, watch(text), { disallowComments: true });
    return null;
  } catch (error) {
    if (error instanceof JsonFaultFound) return describe(text, error, whole);
    throw error;
  }
}

/** A place in a text as people look for it: line and column from 1, columns in code points. */
export function sayPlace(text: string, at: number): string {
  const before = text.slice(0, at);
  const column = countCodePoints(before.slice(before.lastIndexOf("\n") + 1)) + 1;
  return `line ${before.split("\n").length}, column ${column}`;
}

/**
 * Follows the parser and stops it at the first fault. The parser gives only the place of the token, not the
 * token that it expected: the state holds that, and the two forms above find the place within the token.
 */
function watch(text: string) {
  const open: ("list" | "object")[] = [];
  let awaited: Awaited = "value";
  const afterValue = () => open.at(-1) ?? "done";
  const begin = (kind: "list" | "object", next: Awaited) => (at: number) => {
    if (open.length === MOST_DEPTH) throw faultAt(text, at, "depth");
    open.push(kind);
    awaited = next;
  };
  const end = () => {
    open.pop();
    awaited = afterValue();
  };
  return {
    onObjectBegin: begin("object", "key"),
    onArrayBegin: begin("list", "value"),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(_name: string, at: number) {
      checkString(text, at);
      awaited = "colon";
    },
    onLiteralValue(_value: unknown, at: number) {
      if (text[at] === '"') checkString(text, at);
      awaited = afterValue();
    },
    onSeparator(sign: string) {
      awaited = sign === "," && open.at(-1) === "object" ? "key" : "value";
    },
    onError(_code: number, at: number) {
      if (text[at] === '"' && (awaited === "value" || awaited === "key")) checkString(text, at);
      const after = awaited === "value" ? matchEnd(LITERAL, text, at) : at;
      throw after > at ? faultAt(text, after, afterValue()) : faultAt(text, at, awaited);
    },
  };
}

/** Takes a text in double quotes, or notes the place and kind of its fault. */
function checkString(text: string, open: number): void {
  const at = matchEnd(STRING, text, open);
  if (text[at] === '"') return;
  if (text[at] !== "\\") throw faultAt(text, at, "control");
  if (text[at + 1] !== "u") throw faultAt(text, at + 1, "escape");
  UNIT.lastIndex = at;
  const unit = UNIT.exec(text)?.[1];
  throw faultAt(text, at, unit === undefined ? "escape" : unit === "0000" ? "nul" : "half");
}

/** The end of a form that begins at a place; the place itself where the form does not match there. */
function matchEnd(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : at;
}

function faultAt(text: string, at: number, kind: Kind): JsonFaultFound {
  return new JsonFaultFound(at, at >= text.length ? "end" : kind);
}

function describe(text: string, { at, kind }: JsonFaultFound, whole: keyof typeof WHOLES): JsonFault {
  const reasons: Record<Kind, string> = { ...REASONS, ...WHOLES[whole] };
  const found = HABITS[text[at] ?? ""];
  const habit =
    found !== undefined && (kind === "value" || kind === "key" || kind === "done") ? ` (${found})` : "";
  return { at, reason: `${reasons[kind]}${habit}` };
}
