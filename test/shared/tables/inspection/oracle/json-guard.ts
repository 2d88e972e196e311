import { type JsonPlace, placeOf, refuseJson, refuseLongToken } from "./json-faults.ts";
import { createNumberCheck, type NumberCheck } from "./json-number.ts";
import { createStringCheck, type StringCheck } from "./json-string.ts";

/**
 * Checks JSON text (RFC 8259) character by character before the parser sees it: grammar, depth, keys an object,
 * length of a token, NUL and lone surrogates. stream-json says itself that it is not made for hostile input, and
 * its errors know no line; after this stage it only takes apart what is already known to be sound.
 */
export interface JsonGuard {
  /** Checks the next text; throws `FileRefused` with line and column. */
  check(text: string): void;
  /** Throws `FileRefused` where the document is not complete. */
  finish(): void;
}

const MOST_DEPTH = 64;
const MOST_KEYS = 10_000;
const MOST_TOKEN_BYTES = 1_048_576;

type Expect = "value" | "itemOrEnd" | "keyOrEnd" | "key" | "colon" | "commaOrEnd" | "done";
type Mode = "structure" | "string" | "number" | "word";

interface GuardState {
  mode: Mode;
  expect: Expect;
  /** Number of keys of each open object, -1 for an open array. */
  open: number[];
  word: string;
  wordAt: number;
  string: StringCheck;
  number: NumberCheck;
  /** Index at which the open string or number starts in the text at hand; -1 when it started in an earlier text. */
  tokenAt: number;
  /** Place of its start, known once it runs over the end of a text: writing it out for each token would be slow. */
  tokenPlace: string;
  place: JsonPlace;
}

const WORDS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

/** Starts a guard for one document. */
export function createJsonGuard(): JsonGuard {
  const place: JsonPlace = { line: 1, columnBase: 0, lineFrom: 0 };
  const guard: GuardState = {
    mode: "structure",
    expect: "value",
    open: [],
    word: "",
    wordAt: 0,
    string: createStringCheck(place),
    number: createNumberCheck(place),
    tokenAt: -1,
    tokenPlace: "",
    place,
  };
  return { check: (text) => checkText(guard, text), finish: () => finishText(guard) };
}

function checkText(guard: GuardState, text: string): void {
  let at = 0;
  while (at < text.length) {
    if (guard.mode === "structure") at = checkStructure(guard, text, at);
    else if (guard.mode === "string") at = checkString(guard, text, at);
    else if (guard.mode === "number") at = checkNumber(guard, text, at);
    else at = checkWord(guard, text, at);
  }
  if (guard.tokenAt !== -1) guard.tokenPlace = placeOf(guard.place, text, guard.tokenAt);
  guard.tokenAt = -1;
  guard.place.columnBase += countCharacters(text, guard.place.lineFrom);
  guard.place.lineFrom = 0;
}

function countCharacters(text: string, from: number): number {
  const rest = from === 0 ? text : text.slice(from);
  return rest.length - (rest.match(/[\udc00-\udfff]/g)?.length ?? 0);
}

function checkString(guard: GuardState, text: string, at: number): number {
  const end = guard.string.read(text, at);
  refuseLong(guard, guard.string.countBytes(), text);
  if (!guard.string.isOpen()) {
    guard.mode = "structure";
    guard.expect = guard.expect === "colon" ? "colon" : afterValue(guard);
  }
  return end;
}

function checkNumber(guard: GuardState, text: string, at: number): number {
  const end = guard.number.read(text, at);
  refuseLong(guard, guard.number.countBytes(), text);
  if (end < text.length) {
    guard.number.finish(text, end);
    guard.mode = "structure";
    guard.expect = afterValue(guard);
  }
  return end;
}

function refuseLong(guard: GuardState, bytes: number, text: string): void {
  if (bytes <= MOST_TOKEN_BYTES) return;
  throw refuseLongToken(guard.tokenAt === -1 ? guard.tokenPlace : placeOf(guard.place, text, guard.tokenAt));
}

function checkWord(guard: GuardState, text: string, at: number): number {
  if (text[at] !== guard.word[guard.wordAt]) throw refuseJson(guard.place, text, at, "value");
  guard.wordAt++;
  if (guard.wordAt === guard.word.length) {
    guard.mode = "structure";
    guard.expect = afterValue(guard);
  }
  return at + 1;
}

function afterValue(guard: GuardState): Expect {
  return guard.open.length === 0 ? "done" : "commaOrEnd";
}

function checkStructure(guard: GuardState, text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x20 || code === 0x09 || code === 0x0d) return at + 1;
  if (code === 0x0a) {
    guard.place.line++;
    guard.place.columnBase = 0;
    guard.place.lineFrom = at + 1;
    return at + 1;
  }
  switch (guard.expect) {
    case "value":
    case "itemOrEnd":
      return startValue(guard, text, at);
    case "key":
    case "keyOrEnd":
      return startKey(guard, text, at);
    case "colon":
      if (text[at] !== ":") throw refuseJson(guard.place, text, at, "colon");
      guard.expect = "value";
      return at + 1;
    case "commaOrEnd":
      return readCommaOrEnd(guard, text, at);
    case "done":
      throw refuseJson(guard.place, text, at, "done");
  }
}

function startValue(guard: GuardState, text: string, at: number): number {
  const character = text[at] ?? "";
  const word = WORDS[character];
  if (character === '"') {
    guard.mode = "string";
    guard.string.start();
    guard.tokenAt = at;
  } else if (character === "{" || character === "[") {
    if (guard.open.length === MOST_DEPTH) throw refuseJson(guard.place, text, at, "depth");
    guard.open.push(character === "{" ? 0 : -1);
    guard.expect = character === "{" ? "keyOrEnd" : "itemOrEnd";
  } else if (character === "]" && guard.expect === "itemOrEnd") {
    close(guard);
  } else if (character === "-" || (character >= "0" && character <= "9")) {
    guard.mode = "number";
    guard.number.start();
    guard.tokenAt = at;
    return at; // the number check reads its first character itself
  } else if (word !== undefined) {
    guard.mode = "word";
    guard.word = word;
    guard.wordAt = 1;
  } else {
    const innermost = guard.open.at(-1);
    throw refuseJson(guard.place, text, at, guard.expect === "value" && innermost === -1 ? "item" : "value");
  }
  return at + 1;
}

function startKey(guard: GuardState, text: string, at: number): number {
  if (text[at] === "}" && guard.expect === "keyOrEnd") {
    close(guard);
    return at + 1;
  }
  if (text[at] !== '"') throw refuseJson(guard.place, text, at, "key");
  const keys = (guard.open.at(-1) ?? 0) + 1;
  if (keys > MOST_KEYS) throw refuseJson(guard.place, text, at, "keys");
  guard.open[guard.open.length - 1] = keys;
  guard.mode = "string";
  guard.string.start();
  guard.tokenAt = at;
  guard.expect = "colon";
  return at + 1;
}

function readCommaOrEnd(guard: GuardState, text: string, at: number): number {
  const isList = guard.open.at(-1) === -1;
  if (text[at] === ",") guard.expect = isList ? "value" : "key";
  else if (text[at] === (isList ? "]" : "}")) close(guard);
  else throw refuseJson(guard.place, text, at, isList ? "comma or ]" : "comma or }");
  return at + 1;
}

function close(guard: GuardState): void {
  guard.open.pop();
  guard.expect = afterValue(guard);
}

function finishText(guard: GuardState): void {
  if (guard.mode === "number") {
    guard.number.finish("", 0);
    guard.expect = afterValue(guard);
    guard.mode = "structure";
  }
  if (guard.mode === "structure" && guard.expect === "done") return;
  const nothing = guard.mode === "structure" && guard.expect === "value" && guard.open.length === 0;
  throw refuseJson(guard.place, "", 0, nothing ? "nothing" : "early end");
}
