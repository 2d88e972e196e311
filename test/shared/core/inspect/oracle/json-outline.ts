import type { Outline } from "../../../../../shared/core/inspect/verdict.ts";
import type { JsonToken } from "./json-tokens.ts";

const MOST_DEPTH = 5;
const MOST_MEMBERS = 50;
const MOST_NODES = 1_000;
const LONGEST_NAME = 80;

interface Frame {
  node: Outline;
  /** Only the first members of an object and the first item of a list are shown, and only so deep. */
  isShown: boolean;
  shown: Map<string, Outline>;
  key: string;
}

interface OutlineState {
  root: Outline | null;
  frames: Frame[];
  nodes: number;
}

/** Collects the outline of a document, bounded to 5 levels, 50 members an object and 1,000 nodes. */
export function createOutline(): { take(token: JsonToken): void; finish(): Outline } {
  const state: OutlineState = { root: null, frames: [], nodes: 0 };
  return {
    take: (token) => takeToken(state, token),
    finish: () => state.root ?? { type: "null" },
  };
}

function takeToken(state: OutlineState, token: JsonToken): void {
  if (token.name === "keyValue") {
    const frame = state.frames.at(-1);
    if (frame !== undefined) frame.key = token.value;
  } else if (token.name === "startObject") {
    openContainer(state, { type: "object", count: 0, members: [] });
  } else if (token.name === "startArray") {
    openContainer(state, { type: "array", count: 0, item_types: [] });
  } else if (token.name === "endObject" || token.name === "endArray") {
    closeContainer(state);
  } else {
    addNode(state, { type: SCALAR_TYPES[token.name] ?? "null" });
  }
}

const SCALAR_TYPES: Readonly<Record<string, Outline["type"]>> = {
  stringValue: "text",
  numberValue: "number",
  trueValue: "boolean",
  falseValue: "boolean",
};

function openContainer(state: OutlineState, node: Outline): void {
  const isShown = addNode(state, node);
  state.frames.push({ node, isShown, shown: new Map(), key: "" });
}

function closeContainer(state: OutlineState): void {
  const frame = state.frames.pop();
  if (frame?.node.members === undefined) return;
  frame.node.members = Array.from(frame.shown, ([name, node]) => ({ name: cutName(name), ...node }));
}

/** Puts a node into its parent where there is room for it, and says whether it is shown. */
function addNode(state: OutlineState, node: Outline): boolean {
  const frame = state.frames.at(-1);
  if (frame === undefined) {
    state.root = node;
    return true;
  }
  frame.node.count = (frame.node.count ?? 0) + 1;
  if (!frame.isShown) return false;
  const isShown =
    frame.node.type === "array"
      ? addItem(frame, node, hasRoom(state))
      : addMember(frame, node, hasRoom(state));
  if (isShown) state.nodes++;
  return isShown;
}

function hasRoom(state: OutlineState): boolean {
  return state.frames.length <= MOST_DEPTH && state.nodes < MOST_NODES;
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

function cutName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const characters = Array.from(name.slice(0, 2 * LONGEST_NAME + 2));
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join("")}…` : name;
}
