import { clipText } from "../../ground/text.ts";
import type { Outline } from "./verdict.ts";

const MOST_DEPTH = 5;
const MOST_MEMBERS = 50;
const MOST_NODES = 1_000;
const LONGEST_NAME = 80;

interface Frame {
  node: Outline;
  shown: Map<string, Outline>;
  key: string;
}

/**
 * The outline of a document while it is read, bounded to 5 levels, 50 members an object and 1,000 nodes. It
 * shows only the first members of an object and the first item of a list, down to that depth. The scan need
 * not report the content of a container that is not shown: `frames` has one entry for each container that is
 * open and shown.
 */
export interface OpenOutline {
  root: Outline | null;
  frames: Frame[];
  nodes: number;
}

/** The next member of the innermost shown object has this key. */
export function outlineKey(outline: OpenOutline, name: string): void {
  const frame = outline.frames.at(-1);
  if (frame !== undefined) frame.key = name;
}

/** A value without a structure stands in the innermost shown container. */
export function outlineScalar(outline: OpenOutline, type: Outline["type"]): void {
  addNode(outline, { type });
}

/** A container begins in the innermost shown one. */
export function outlineOpen(outline: OpenOutline, isObject: boolean): void {
  const node: Outline = isObject
    ? { type: "object", count: 0, members: [] }
    : { type: "array", count: 0, item_types: [] };
  if (addNode(outline, node)) outline.frames.push({ node, shown: new Map(), key: "" });
}

/** The innermost shown container ends. */
export function outlineClose(outline: OpenOutline): void {
  const frame = outline.frames.pop();
  if (frame?.node.members === undefined) return;
  frame.node.members = Array.from(frame.shown, ([name, node]) => ({
    name: clipText(name, LONGEST_NAME),
    ...node,
  }));
}

/** Puts a node into its parent where there is room for it, and returns whether it is shown. */
function addNode(outline: OpenOutline, node: Outline): boolean {
  const frame = outline.frames.at(-1);
  if (frame === undefined) {
    outline.root = node;
    return true;
  }
  frame.node.count = (frame.node.count ?? 0) + 1;
  const hasRoom = outline.frames.length <= MOST_DEPTH && outline.nodes < MOST_NODES;
  const isShown =
    frame.node.type === "array" ? addItem(frame, node, hasRoom) : addMember(frame, node, hasRoom);
  if (isShown) outline.nodes++;
  return isShown;
}

function addItem(frame: Frame, node: Outline, hasRoom: boolean): boolean {
  const types = frame.node.item_types ?? [];
  if (!types.includes(node.type)) types.push(node.type);
  const isFirst = frame.node.count === 1;
  if (!isFirst || !hasRoom || (node.type !== "object" && node.type !== "array")) return false;
  frame.node.first_item = node;
  return true;
}

function addMember(frame: Frame, node: Outline, hasRoom: boolean): boolean {
  const isRepeated = frame.shown.has(frame.key);
  if (isRepeated) frame.node.count = (frame.node.count ?? 1) - 1;
  else if (!hasRoom || frame.shown.size >= MOST_MEMBERS) return false;
  frame.shown.set(frame.key, node);
  return true;
}
