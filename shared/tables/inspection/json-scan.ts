import { holdBytes } from "./byte-blocks.ts";
import { KIND_BITS } from "./column-types.ts";
import type { Block } from "./encoding.ts";
import { placeOf, refuseJson, refuseLongToken } from "./json-faults.ts";
import { noteColumn, noteMember, noteScalar } from "./json-lists.ts";
import { readUsualMembers } from "./json-members.ts";
import { outlineKey, outlineScalar } from "./json-outline.ts";
import {
  closeContainer,
  drop,
  EXPECT,
  endValue,
  fault,
  type JsonScan,
  MOST_KEYS,
  openContainer,
} from "./json-scan-state.ts";
import {
  classifyText,
  countKeyBytes,
  findKey,
  type KeyShape,
  kindOfNumber,
  matchesKey,
  readNumber,
  readText,
} from "./json-values.ts";

/**
 * Goes through a JSON document by its bytes, once. A token that the bytes at hand cut off waits for the next
 * block; everything before it has been read.
 */

const MOST_TOKEN_BYTES = 1_048_576;
const INCOMPLETE = -1;

const [LF, QUOTE, COMMA, COLON] = [0x0a, 0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];

/** Reads the next bytes; throws `FileRefused` with line and column. */
export function scanJsonBlock(scan: JsonScan, block: Block): void {
  if (scan.filled === 0) scan.offset = block.offset;
  holdBytes(scan, block.bytes);
  const done = readTokens(scan, scan.filled);
  if (scan.lists.refusal !== null) throw scan.lists.refusal;
  drop(scan, done);
}

/** Ends the scan; throws `FileRefused` where the document is not complete. */
export function finishJsonScan(scan: JsonScan): void {
  const end = placeOf(scan.place, scan.buffer, scan.filled);
  const first = scan.buffer[0] as number;
  // White space ends a number that is the last thing of the file; a text or a word stays open.
  if (scan.filled > 0 && (first === MINUS || (first >= ZERO && first <= NINE))) {
    holdBytes(scan, Buffer.from(" "));
    drop(scan, readTokens(scan, scan.filled));
  }
  if (scan.filled === 0 && scan.expect === EXPECT.done) return;
  const isNothing = scan.filled === 0 && scan.expect === EXPECT.value && scan.depth === 0;
  throw refuseJson(end, undefined, isNothing ? "nothing" : "early end");
}

/** Reads tokens up to the first that is cut off, and gives its place. */
function readTokens(scan: JsonScan, end: number): number {
  const { buffer: bytes, place } = scan;
  let at = 0;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte <= 0x20 && (byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09)) {
      at++;
      if (byte !== LF) continue;
      place.line++;
      place.columnBase = 0;
      place.lineFrom = at;
      continue;
    }
    const next = readToken(scan, at, end, byte);
    if (next === INCOMPLETE) return at;
    at = next;
  }
  return at;
}

function readToken(scan: JsonScan, at: number, end: number, byte: number): number {
  switch (scan.expect) {
    case EXPECT.value:
    case EXPECT.itemOrEnd:
      return readValue(scan, at, end, byte);
    case EXPECT.keyOrEnd:
    case EXPECT.key:
      return readKey(scan, at, end, byte);
    case EXPECT.colon:
      if (byte !== COLON) throw fault(scan, at, "colon");
      scan.expect = EXPECT.value;
      return at + 1;
    case EXPECT.commaOrEnd:
      return readCommaOrEnd(scan, at, byte);
    case EXPECT.done:
      throw fault(scan, at, "done");
  }
}

function readValue(scan: JsonScan, at: number, end: number, byte: number): number {
  if (byte === QUOTE) return readTextValue(scan, at, end);
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return readNumberValue(scan, at, end);
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) return openContainer(scan, at, byte === OPEN_OBJECT);
  if (byte === CLOSE_LIST && scan.expect === EXPECT.itemOrEnd) return closeContainer(scan, at);
  const word = WORDS.get(byte);
  if (word !== undefined) return readWord(scan, at, end, word);
  const isItem = scan.expect === EXPECT.value && scan.depth > 0 && scan.keyCounts[scan.depth] === -1;
  throw fault(scan, at, isItem ? "item" : "value");
}

function readTextValue(scan: JsonScan, at: number, end: number): number {
  const { buffer: bytes, read, lists } = scan;
  const next = readText(read, scan.place, bytes, at + 1, end);
  refuseLong(scan, at);
  if (!read.isComplete) return INCOMPLETE;
  const isCell = scan.depth === lists.memberDepth;
  const kind = isCell ? classifyText(bytes, at + 1, next - 1, read.hasEscape) : 0;
  return endScalar(scan, next, kind, "text");
}

function readNumberValue(scan: JsonScan, at: number, end: number): number {
  const { read } = scan;
  const next = readNumber(read, scan.buffer, at);
  refuseLong(scan, at);
  if (next >= end) return INCOMPLETE;
  if (!read.isComplete) throw fault(scan, next, "number");
  return endScalar(scan, next, kindOfNumber(scan.buffer, at, next), "number");
}

function refuseLong(scan: JsonScan, at: number): void {
  if (scan.read.byteCount > MOST_TOKEN_BYTES) throw refuseLongToken(placeOf(scan.place, scan.buffer, at));
}

interface Word {
  bytes: Buffer;
  kind: number;
  type: "boolean" | "null";
}

const WORDS = new Map<number, Word>(
  ["true", "false", "null"].map((word) => {
    const isNull = word === "null";
    const kind = isNull ? 0 : KIND_BITS.boolean;
    return [word.charCodeAt(0), { bytes: Buffer.from(word), kind, type: isNull ? "null" : "boolean" }];
  }),
);

function readWord(scan: JsonScan, start: number, end: number, word: Word): number {
  const { length } = word.bytes;
  for (let index = 1; index < length; index++) {
    if (start + index >= end) return INCOMPLETE;
    if (scan.buffer[start + index] !== word.bytes[index]) throw fault(scan, start + index, "value");
  }
  return endScalar(scan, start + length, word.kind, word.type);
}

function endScalar(
  scan: JsonScan,
  at: number,
  kind: number,
  type: "text" | "number" | "boolean" | "null",
): number {
  const { depth } = scan;
  noteScalar(scan.lists, depth, kind);
  if (scan.outline.frames.length === depth) outlineScalar(scan.outline, type);
  return endValue(scan, at);
}

function readCommaOrEnd(scan: JsonScan, at: number, byte: number): number {
  const isList = scan.keyCounts[scan.depth] === -1;
  if (byte === (isList ? CLOSE_LIST : CLOSE_OBJECT)) return closeContainer(scan, at);
  if (byte !== COMMA) throw fault(scan, at, isList ? "comma or ]" : "comma or }");
  scan.expect = isList ? EXPECT.value : EXPECT.key;
  return at + 1;
}

function readKey(scan: JsonScan, at: number, end: number, byte: number): number {
  if (byte === CLOSE_OBJECT && scan.expect === EXPECT.keyOrEnd) return closeContainer(scan, at);
  if (byte !== QUOTE) throw fault(scan, at, "key");
  const { list, memberDepth } = scan.lists;
  // The first record of a list, which the outline shows, is read by the scan.
  if (list !== null && scan.depth === memberDepth && scan.outline.frames.length < scan.depth) {
    const usual = readUsualMembers(scan, at, end, list);
    if (usual > at) return usual;
  }
  const { buffer: bytes, depth } = scan;
  const keys = (scan.keyCounts[depth] as number) + 1;
  if (keys > MOST_KEYS) throw fault(scan, at, "keys");
  const shape = scan.shapes[depth] as KeyShape;
  let key = scan.nextKeys[depth] as number;
  let next: number;
  if (key < shape.names.length && matchesKey(shape, key, bytes, at + 1)) {
    next = at + 2 + countKeyBytes(shape, key);
  } else {
    next = readText(scan.read, scan.place, bytes, at + 1, end);
    refuseLong(scan, at);
    if (!scan.read.isComplete) return INCOMPLETE;
    key = findKey(shape, bytes, at + 1, next - 1, scan.read.hasEscape);
  }
  scan.keyCounts[depth] = keys;
  scan.nextKeys[depth] = key + 1;
  noteKey(scan, shape, key);
  const isColon = bytes[next] === COLON;
  scan.expect = isColon ? EXPECT.value : EXPECT.colon;
  return isColon ? next + 1 : next;
}

function noteKey(scan: JsonScan, shape: KeyShape, key: number): void {
  const { depth, lists } = scan;
  const object = scan.objects[depth] as number;
  const isRepeated = shape.stamps[key] === object;
  if (isRepeated) scan.hasRepeatedKey = true;
  else shape.stamps[key] = object;
  if (depth === lists.memberDepth) noteColumn(lists, key, isRepeated);
  else if (depth === 1) noteMember(lists, shape.names[key] as string);
  if (scan.outline.frames.length === depth) outlineKey(scan.outline, shape.names[key] as string);
}
