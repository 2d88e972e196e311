import { KIND_BITS } from "./column-types.ts";
import type { OpenList } from "./json-lists.ts";
import { EXPECT, type JsonScan, MOST_KEYS } from "./json-scan-state.ts";
import { classifyText, countKeyBytes, kindOfNumber, matchesKey, type TokenRead } from "./json-values.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, CLOSE_OBJECT, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x7d, 0x20];
const [MINUS, DOT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];
const FALLS_BACK = -1;
const MOST_FAST_BYTES = 65_536;

/**
 * Reads the members of a record that are like those before: known keys in the known order, texts without
 * escapes, numbers and words, nothing between the tokens but a blank. It stops before the first member that
 * differs and leaves that to the scan, which knows every rule and finds every fault.
 */
export function readUsualMembers(scan: JsonScan, start: number, end: number, list: OpenList): number {
  const { buffer: bytes, depth, read } = scan;
  const { shape, touched, lastKinds } = list;
  const { stamps } = shape;
  const known = shape.names.length;
  const object = scan.objects[depth] as number;
  let keyCount = scan.keyCounts[depth] as number;
  let key = scan.nextKeys[depth] as number;
  let { touchedCount } = list;
  let isEnded = false;
  let at = start;
  while (key < known && keyCount < MOST_KEYS && bytes[at] === QUOTE && stamps[key] !== object) {
    if (!matchesKey(shape, key, bytes, at + 1)) break;
    const colon = at + 2 + countKeyBytes(shape, key);
    if (bytes[colon] !== COLON) break;
    const value = bytes[colon + 1] === SPACE ? colon + 2 : colon + 1;
    const next = readUsualValue(bytes, value, end, read);
    if (next === FALLS_BACK) break;
    stamps[key] = object;
    lastKinds[key] = read.kind;
    touched[touchedCount++] = key++;
    keyCount++;
    at = next;
    isEnded = bytes[at] === CLOSE_OBJECT;
    if (isEnded) break;
    at = bytes[at + 1] === SPACE ? at + 2 : at + 1;
  }
  if (at === start) return at;
  scan.keyCounts[depth] = keyCount;
  scan.nextKeys[depth] = key;
  scan.expect = isEnded ? EXPECT.commaOrEnd : EXPECT.key;
  list.touchedCount = touchedCount;
  return at;
}

/** Gives the comma or brace behind a value, with its kind in `read.kind`. */
function readUsualValue(bytes: Buffer, start: number, end: number, read: TokenRead): number {
  const first = bytes[start] as number;
  let at: number;
  if (first === QUOTE) {
    at = skipPlainText(bytes, start + 1);
    if (bytes[at] !== QUOTE) return FALLS_BACK;
    read.kind = classifyText(bytes, start + 1, at, false);
    at++;
  } else if (first === MINUS || (first >= ZERO && first <= NINE)) {
    at = skipPlainNumber(bytes, start);
    if (at === FALLS_BACK) return FALLS_BACK;
    read.kind = kindOfNumber(bytes, start, at);
  } else {
    at = skipWord(bytes, start, first);
    if (at === FALLS_BACK) return FALLS_BACK;
    read.kind = first === SMALL_N ? 0 : KIND_BITS.boolean;
  }
  const isUsual =
    at < end && at - start < MOST_FAST_BYTES && (bytes[at] === COMMA || bytes[at] === CLOSE_OBJECT);
  return isUsual ? at : FALLS_BACK;
}

/** Skips a number without an exponent; the exponent's letter is no comma, so such a number falls back. */
function skipPlainNumber(bytes: Buffer, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let at = first;
  if (bytes[at] === ZERO) at++;
  else {
    while (((bytes[at] as number) - ZERO) >>> 0 <= 9) at++;
    if (at === first) return FALLS_BACK;
  }
  if (bytes[at] !== DOT) return at;
  const fraction = ++at;
  while (((bytes[at] as number) - ZERO) >>> 0 <= 9) at++;
  return at === fraction ? FALLS_BACK : at;
}

function skipPlainText(bytes: Buffer, start: number): number {
  let at = start;
  let byte = bytes[at] as number;
  while (byte > QUOTE ? byte !== BACKSLASH : byte !== QUOTE && byte >= SPACE) byte = bytes[++at] as number;
  return at;
}

const [SMALL_T, SMALL_F, SMALL_N] = [0x74, 0x66, 0x6e];
const [RUE, ALS, ULL] = ["true", "fals", "null"].map((word) => Buffer.from(word).readInt32BE());

function skipWord(bytes: Buffer, at: number, first: number): number {
  const pair = (first << 24) | ((bytes[at + 1] as number) << 16);
  const four = pair | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
  if (first === SMALL_T && four === RUE) return at + 4;
  if (first === SMALL_N && four === ULL) return at + 4;
  return first === SMALL_F && four === ALS && bytes[at + 4] === 0x65 ? at + 5 : FALLS_BACK;
}
