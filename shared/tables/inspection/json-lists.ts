import { finishColumn, KIND_BITS, LONG_NUMBER } from "./column-types.ts";
import { createShape, enlarge, type KeyShape } from "./json-values.ts";
import { type IndexedTable, notePlace, startIndex } from "./reading-index.ts";
import { type Column, type FileRefused, findWideTable } from "./verdict.ts";

/** A list of records while it is read: the document itself (name null), or the value of a top-level key. */
export interface OpenList {
  name: string | null;
  rowCount: number;
  /** The columns: every key of its records, in order of first appearance. */
  shape: KeyShape;
  columnCount: number;
  nameCharacters: number;
  tooWide: FileRefused | null;
  /** One a column: the kinds of its cells so far, and how many of them are filled. */
  kinds: Uint8Array;
  filled: Uint32Array;
  /** The columns of the record at hand, and each one's last value's kind: of a repeated key the last value counts. */
  touched: number[];
  touchedCount: number;
  lastKinds: Uint8Array;
  index: IndexedTable;
  nextPlaceAt: number;
}

/** Follows which containers of a document are lists of records and which are their records. */
export type FoundLists = ReturnType<typeof startLists>;

const FIRST_COLUMNS = 16;

/** The state before the first list. */
export function startLists() {
  return {
    /** Complete lists by name. */
    finished: new Map<string | null, OpenList>(),
    list: null as OpenList | null,
    /** How many containers are open around the items of the list that is read; 0 outside of lists. */
    itemDepth: 0,
    /** How many are open around the members of the record that is read; 0 outside of records. */
    memberDepth: 0,
    allRecords: true,
    rootIsObject: false,
    key: "",
    position: -1,
    /** The column that the next value of the record belongs to. */
    column: 0,
    /** A table that is too wide is refused only after the bytes at hand have proved sound. */
    refusal: null as FileRefused | null,
  };
}

/** A top-level key was read: its earlier value no longer counts, since the last value wins. */
export function noteMember(lists: FoundLists, name: string): void {
  lists.key = name;
  lists.position++;
  lists.finished.delete(name);
}

/** A key of the record at hand was read; `isRepeated` when the record has had it. */
export function noteColumn(lists: FoundLists, column: number, isRepeated: boolean): void {
  const { list } = lists;
  lists.column = column;
  if (list === null) return;
  if (column === list.columnCount) addColumn(list);
  if (!isRepeated) list.touched[list.touchedCount++] = column;
}

function addColumn(list: OpenList): void {
  const name = list.shape.names[list.columnCount++] ?? "";
  list.nameCharacters += name.length;
  list.tooWide ??= findWideTable(list.columnCount, list.nameCharacters);
  if (list.columnCount <= list.kinds.length) return;
  list.kinds = enlarge(list.kinds, new Uint8Array(2 * list.kinds.length));
  list.lastKinds = enlarge(list.lastKinds, new Uint8Array(2 * list.lastKinds.length));
  list.filled = enlarge(list.filled, new Uint32Array(2 * list.filled.length));
}

/** Takes in a value without structure, of a kind (0 when blank), inside `depth` open containers. */
export function noteScalar(lists: FoundLists, depth: number, kind: number): void {
  if (lists.memberDepth > 0) {
    if (depth === lists.memberDepth && lists.list !== null) lists.list.lastKinds[lists.column] = kind;
  } else if (depth === lists.itemDepth) lists.allRecords = false;
}

/** Takes in a container that begins inside `depth` open ones, at a byte of the file. */
export function noteOpen(lists: FoundLists, depth: number, isObject: boolean, offset: number): void {
  if (lists.memberDepth > 0) noteScalar(lists, depth, isObject ? KIND_BITS.object : KIND_BITS.array);
  else if (lists.itemDepth > 0 && depth === lists.itemDepth) {
    lists.allRecords &&= isObject;
    if (lists.allRecords) startRecord(lists, depth + 1, offset);
  } else {
    if (depth === 0) lists.rootIsObject = isObject;
    if (!isObject && (depth === 0 || (depth === 1 && lists.rootIsObject))) startList(lists, depth + 1);
  }
}

/**
 * Takes in the end of a container, which is the innermost of `depth` open ones; its last byte is before
 * `end`.
 */
export function noteClose(lists: FoundLists, depth: number, end: number): void {
  const { list } = lists;
  if (list === null) return;
  if (lists.memberDepth > 0) {
    if (depth === lists.memberDepth) endRecord(lists, list, end);
  } else if (lists.itemDepth > 0 && depth === lists.itemDepth) {
    lists.itemDepth = 0;
    // An empty list is a table only as the root of the document; under a key it shows no records.
    if (lists.allRecords && (list.name === null || list.rowCount > 0)) lists.finished.set(list.name, list);
  }
}

function startList(lists: FoundLists, depth: number): void {
  const isDocument = depth === 1;
  lists.itemDepth = depth;
  lists.allRecords = true;
  lists.list = {
    name: isDocument ? null : lists.key,
    rowCount: 0,
    shape: createShape(),
    columnCount: 0,
    nameCharacters: 0,
    tooWide: null,
    kinds: new Uint8Array(FIRST_COLUMNS),
    filled: new Uint32Array(FIRST_COLUMNS),
    touched: [],
    touchedCount: 0,
    lastKinds: new Uint8Array(FIRST_COLUMNS),
    index: startIndex(isDocument ? null : lists.position),
    nextPlaceAt: 0,
  };
}

function startRecord(lists: FoundLists, depth: number, offset: number): void {
  const { list } = lists;
  if (list === null) return;
  lists.memberDepth = depth;
  list.touchedCount = 0;
  if (offset >= list.nextPlaceAt) list.nextPlaceAt = notePlace(list.index, list.rowCount, offset);
}

function endRecord(lists: FoundLists, list: OpenList, end: number): void {
  const { touched, lastKinds, kinds, filled } = list;
  for (let index = 0; index < list.touchedCount; index++) {
    const column = touched[index] as number;
    const kind = lastKinds[column] as number;
    if (kind === 0) continue;
    kinds[column] = (kinds[column] as number) | kind;
    filled[column] = (filled[column] as number) + 1;
  }
  lists.memberDepth = 0;
  list.rowCount++;
  list.index.rowCount = list.rowCount;
  list.index.end = end;
  lists.refusal ??= list.tooWide;
}

/** The columns of a complete list. */
export function finishColumns(list: OpenList): Column[] {
  return list.shape.names.map((name, column) => {
    const tally = { name, kinds: (list.kinds[column] ?? 0) & ~LONG_NUMBER, filled: list.filled[column] ?? 0 };
    return finishColumn(tally, list.rowCount);
  });
}
