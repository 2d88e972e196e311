import { noteClose, noteOpen } from "./json-lists.ts";
import { outlineClose, outlineOpen } from "./json-outline.ts";
import { EXPECT, endValue, fault, type JsonScan, MOST_DEPTH } from "./json-scan-state.ts";
import { createShape } from "./json-shape.ts";

const MOST_SHAPE_KEYS = 1_000;
const SAMPLE_RECORDS = 10;

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
    if (list.name === null && list.rowCount < SAMPLE_RECORDS) scan.sampleFrom = at;
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
  const last = scan.bytes.toString("utf8", scan.sampleFrom, end);
  scan.sampleRecord(scan.sampleParts.join("") + last);
  scan.sampleParts = [];
  scan.sampleFrom = -1;
}
