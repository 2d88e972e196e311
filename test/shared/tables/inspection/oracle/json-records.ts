import type { JsonToken } from "./json-tokens.ts";

/** A record's members in order of first appearance, each value as JSON text; a repeated key keeps its last value. */
export type JsonRecord = Map<string, string>;

/** What a walk over a document tells about its lists: the document itself (name null) or values of top-level keys. */
export interface RecordListener {
  /** A value under a top-level key begins; `position` counts those from 0. */
  startMember?(name: string, position: number): void;
  /** A list begins. False: its records are not wanted. */
  startList(name: string | null, position: number): boolean;
  record(record: JsonRecord): void;
  /** The list ended; every item was an object or not (then the records given so far are no table). */
  endList(allRecords: boolean): void;
}

interface OpenContainer {
  members: JsonRecord | null;
  items: string[];
  key: string;
}

interface WalkState {
  depth: number;
  isObject: boolean;
  key: string;
  position: number;
  /** Depth of the list's items, or 0 outside of a list that is read. */
  listDepth: number;
  allRecords: boolean;
  /** Containers of the record being put together, outermost first. */
  open: OpenContainer[];
}

/** Follows the tokens of a sound document and tells the listener each record of its lists. */
export function createRecordWalk(listener: RecordListener): (token: JsonToken) => void {
  const walk: WalkState = {
    depth: 0,
    isObject: false,
    key: "",
    position: -1,
    listDepth: 0,
    allRecords: true,
    open: [],
  };
  return (token) => {
    if (walk.open.length > 0) extendRecord(walk, token, listener);
    else followOutbound(walk, token, listener);
  };
}

function followOutbound(walk: WalkState, token: JsonToken, listener: RecordListener): void {
  switch (token.name) {
    case "keyValue":
      if (walk.depth !== 1 || !walk.isObject) return;
      walk.key = token.value;
      walk.position++;
      listener.startMember?.(walk.key, walk.position);
      return;
    case "startObject":
    case "startArray":
      startContainer(walk, token.name === "startArray", listener);
      return;
    case "endObject":
    case "endArray":
      endContainer(walk, listener);
      return;
    default:
      if (walk.depth === walk.listDepth) walk.allRecords = false;
  }
}

function startContainer(walk: WalkState, isArray: boolean, listener: RecordListener): void {
  const isItem = walk.listDepth > 0 && walk.depth === walk.listDepth;
  if (isItem && !isArray && walk.allRecords) {
    walk.open.push({ members: new Map(), items: [], key: "" });
    return;
  }
  if (isItem && isArray) walk.allRecords = false;
  if (walk.depth === 0) walk.isObject = !isArray;
  const opensList = isArray && (walk.depth === 0 || (walk.depth === 1 && walk.isObject));
  walk.depth++;
  if (!opensList) return;
  const name = walk.depth === 1 ? null : walk.key;
  if (!listener.startList(name, Math.max(walk.position, 0))) return;
  walk.listDepth = walk.depth;
  walk.allRecords = true;
}

function endContainer(walk: WalkState, listener: RecordListener): void {
  if (walk.listDepth > 0 && walk.depth === walk.listDepth) {
    walk.listDepth = 0;
    listener.endList(walk.allRecords);
  }
  walk.depth--;
}

function extendRecord(walk: WalkState, token: JsonToken, listener: RecordListener): void {
  const innermost = walk.open.at(-1);
  if (innermost === undefined) return;
  switch (token.name) {
    case "keyValue":
      innermost.key = token.value;
      return;
    case "startObject":
      walk.open.push({ members: new Map(), items: [], key: "" });
      return;
    case "startArray":
      walk.open.push({ members: null, items: [], key: "" });
      return;
    case "endObject":
    case "endArray":
      walk.open.pop();
      addFinished(walk, innermost, listener);
      return;
    default:
      addValue(innermost, encodeScalar(token));
  }
}

function addFinished(walk: WalkState, finished: OpenContainer, listener: RecordListener): void {
  const outer = walk.open.at(-1);
  if (outer !== undefined) addValue(outer, encodeContainer(finished));
  else if (finished.members !== null) listener.record(finished.members);
}

function addValue(container: OpenContainer, json: string): void {
  if (container.members === null) container.items.push(json);
  else container.members.set(container.key, json);
}

function encodeContainer(container: OpenContainer): string {
  if (container.members === null) return `[${container.items.join(",")}]`;
  const members = Array.from(container.members, ([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(",")}}`;
}

function encodeScalar(token: JsonToken): string {
  switch (token.name) {
    case "stringValue":
      return JSON.stringify(token.value);
    case "numberValue":
      return token.value;
    case "trueValue":
      return "true";
    case "falseValue":
      return "false";
    default:
      return "null";
  }
}
