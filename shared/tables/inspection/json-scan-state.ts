import { countCharacters, type JsonFault, placeOf, refuseJson } from "./json-faults.ts";
import { noteClose, noteOpen, startLists } from "./json-lists.ts";
import { outlineClose, outlineOpen } from "./json-outline.ts";
import { createShape, type KeyShape } from "./json-values.ts";
import { type FileRefused, SAMPLE_ROWS } from "./verdict.ts";

/**
 * The state of a scan of a JSON document between two tokens. The scan checks grammar, depth, keys an object,
 * length of a token, NUL and lone surrogates, and reports to lists, records and outline. A token that the
 * bytes at hand cut off waits for the next block; everything before it has been read.
 */
export type JsonScan = ReturnType<typeof startJsonScan>;

const MOST_DEPTH = 64;
/** The keys that an object may have. */
export const MOST_KEYS = 10_000;
const FIRST_BUFFER_BYTES = 131_072;

/** The tokens that may come next; after a value of the document itself, none. */
export const EXPECT = {
  value: 0,
  itemOrEnd: 1,
  keyOrEnd: 2,
  key: 3,
  colon: 4,
  commaOrEnd: 5,
  done: 6,
} as const;
type Expect = (typeof EXPECT)[keyof typeof EXPECT];

/** Starts a scan for one document. */
export function startJsonScan(sampleRecord: (text: string) => void) {
  return {
    buffer: Buffer.alloc(FIRST_BUFFER_BYTES),
    filled: 0,
    /** Where in the file the bytes begin. */
    offset: 0,
    expect: EXPECT.value as Expect,
    /** Containers open, and for each depth the keys of its object so far, or -1 in a list. */
    depth: 0,
    keyCounts: new Int32Array(MOST_DEPTH + 1),
    /** For each depth the keys its objects have had, the one expected next, and the number of the object. */
    shapes: Array.from({ length: MOST_DEPTH + 1 }, createShape),
    own: [] as (KeyShape | undefined)[],
    nextKeys: new Int32Array(MOST_DEPTH + 1),
    objects: new Int32Array(MOST_DEPTH + 1),
    objectCount: 0,
    hasRepeatedKey: false,
    place: { line: 1, columnBase: 0, lineFrom: 0 },
    read: { isComplete: false, byteCount: 0, hasEscape: false, kind: 0 },
    lists: startLists(),
    outline: { root: null, frames: [], nodes: 0 },
    /** Takes the JSON text of each of the first records of a document that is a list. */
    sampleRecord,
    /**
     * The start of such a record in the bytes at hand, -1 outside of one; and its parts from the blocks before.
     */
    sampleFrom: -1,
    sampleParts: [] as string[],
  };
}

/** Drops the bytes that have been read. */
export function drop(scan: JsonScan, done: number): void {
  const { buffer: bytes, place } = scan;
  if (scan.sampleFrom >= 0) {
    scan.sampleParts.push(bytes.toString("utf8", scan.sampleFrom, done));
    scan.sampleFrom = 0;
  }
  place.columnBase += countCharacters(bytes, place.lineFrom, done);
  place.lineFrom = 0;
  bytes.copyWithin(0, done, scan.filled);
  scan.filled -= done;
  scan.offset += done;
}

/** The refusal of the byte at a place. */
export function fault(scan: JsonScan, at: number, what: JsonFault): FileRefused {
  return refuseJson(placeOf(scan.place, scan.buffer, at), scan.buffer[at], what);
}

/** After a value; a comma right behind it, which is the rule, is read with it. */
export function endValue(scan: JsonScan, at: number): number {
  if (scan.depth === 0) {
    scan.expect = EXPECT.done;
    return at;
  }
  if (scan.buffer[at] !== COMMA) {
    scan.expect = EXPECT.commaOrEnd;
    return at;
  }
  scan.expect = scan.keyCounts[scan.depth] === -1 ? EXPECT.value : EXPECT.key;
  return at + 1;
}

const COMMA = 0x2c;

const MOST_SHAPE_KEYS = 1_000;

/** Reads the opening bracket or brace of a list or an object. */
export function openContainer(scan: JsonScan, at: number, isObject: boolean): number {
  if (scan.depth === MOST_DEPTH) throw fault(scan, at, "depth");
  const { lists, outline } = scan;
  const outside = lists.memberDepth;
  noteOpen(lists, scan.depth, isObject, scan.offset + at);
  if (outline.frames.length === scan.depth) outlineOpen(outline, isObject);
  scan.depth++;
  scan.keyCounts[scan.depth] = isObject ? 0 : -1;
  scan.expect = isObject ? EXPECT.keyOrEnd : EXPECT.itemOrEnd;
  if (isObject) startObject(scan, outside === 0 && lists.memberDepth > 0, at);
  return at + 1;
}

function startObject(scan: JsonScan, isRecord: boolean, at: number): void {
  const { depth } = scan;
  const { list } = scan.lists;
  scan.nextKeys[depth] = 0;
  scan.objects[depth] = ++scan.objectCount;
  if (isRecord && list !== null) {
    scan.shapes[depth] = list.shape;
    if (list.name === null && list.rowCount < SAMPLE_ROWS) scan.sampleFrom = at;
  } else {
    // A list's own shape is its columns: no other object may add to it.
    let shape = scan.own[depth];
    if (shape === undefined || shape.names.length > MOST_SHAPE_KEYS) shape = createShape();
    scan.own[depth] = shape;
    scan.shapes[depth] = shape;
  }
}

/** Reads the closing bracket or brace of a list or an object. */
export function closeContainer(scan: JsonScan, at: number): number {
  const { lists, outline } = scan;
  const isRecord = scan.depth === lists.memberDepth;
  noteClose(lists, scan.depth, scan.offset + at + 1);
  if (isRecord && scan.sampleFrom >= 0) endSample(scan, at + 1);
  if (outline.frames.length === scan.depth) outlineClose(outline);
  scan.depth--;
  return endValue(scan, at + 1);
}

function endSample(scan: JsonScan, end: number): void {
  const last = scan.buffer.toString("utf8", scan.sampleFrom, end);
  scan.sampleRecord(scan.sampleParts.join("") + last);
  scan.sampleParts = [];
  scan.sampleFrom = -1;
}
