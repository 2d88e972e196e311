import { type JsonPlace, refuseJson } from "./json-faults.ts";

/** Checks texts and keys of JSON: escapes, control characters, NUL, surrogates, length. */
export interface StringCheck {
  /** An opening quote was read. */
  start(): void;
  /** Reads on from `at` and gives the index after the last character it took. */
  read(text: string, at: number): number;
  isOpen(): boolean;
  /** Bytes that the string has taken so far, as written. */
  countBytes(): number;
}

interface StringState {
  place: JsonPlace;
  open: boolean;
  bytes: number;
  escape: "none" | "started" | "hex";
  hexDigits: string;
  /** An escaped high surrogate waits for its low half. */
  half: boolean;
}

const SHORT_ESCAPES = '"\\/bfnrt';
const HEX_DIGIT = /^[0-9a-fA-F]$/;

/** Starts the check of strings for one document. */
export function createStringCheck(place: JsonPlace): StringCheck {
  const string: StringState = {
    place,
    open: false,
    bytes: 0,
    escape: "none",
    hexDigits: "",
    half: false,
  };
  return {
    start: () => {
      string.open = true;
      string.bytes = 0;
    },
    read: (text, at) => readString(string, text, at),
    isOpen: () => string.open,
    countBytes: () => string.bytes,
  };
}

function readString(string: StringState, text: string, from: number): number {
  let at = from;
  while (at < text.length && string.open) {
    if (string.escape === "hex") at = readHexDigit(string, text, at);
    else if (string.escape === "started") at = readEscape(string, text, at);
    else at = readPlain(string, text, at);
  }
  return at;
}

function readPlain(string: StringState, text: string, from: number): number {
  if (string.half && text[from] !== "\\") throw refuseJson(string.place, text, from, "surrogate");
  let bytes = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 || code === 0x5c) break;
    if (code < 0x20) throw refuseJson(string.place, text, at, "control character");
    // UTF-8 lengths; each half of a surrogate pair stands for two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  string.bytes += bytes;
  if (at === text.length) return at;
  if (text.charCodeAt(at) === 0x22) string.open = false;
  else string.escape = "started";
  return at + 1;
}

function readEscape(string: StringState, text: string, at: number): number {
  const character = text[at] ?? "";
  if (character === "u") {
    string.escape = "hex";
    string.hexDigits = "";
  } else if (string.half) {
    throw refuseJson(string.place, text, at, "surrogate");
  } else if (SHORT_ESCAPES.includes(character)) {
    string.escape = "none";
    string.bytes += 2;
  } else {
    throw refuseJson(string.place, text, at, "escape");
  }
  return at + 1;
}

function readHexDigit(string: StringState, text: string, at: number): number {
  const character = text[at] ?? "";
  if (!HEX_DIGIT.test(character)) throw refuseJson(string.place, text, at, "escape");
  string.hexDigits += character;
  if (string.hexDigits.length === 4) {
    finishHex(string, text, at);
    string.escape = "none";
    string.bytes += 6;
  }
  return at + 1;
}

function finishHex(string: StringState, text: string, at: number): void {
  const value = Number.parseInt(string.hexDigits, 16);
  if (value === 0) throw refuseJson(string.place, text, at, "NUL");
  const isLow = value >= 0xdc00 && value <= 0xdfff;
  if (isLow !== string.half) throw refuseJson(string.place, text, at, "surrogate");
  string.half = value >= 0xd800 && value <= 0xdbff;
}
