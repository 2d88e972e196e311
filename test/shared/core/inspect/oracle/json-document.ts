import {
  type ColumnTally,
  finishColumn,
  startTally,
  tallyJsonCell,
} from "../../../../../shared/core/inspect/column-types.ts";
import { createSample, encodeInspection, type Sample } from "../../../../../shared/core/inspect/sample.ts";
import { refuseWideTable } from "../../../../../shared/core/inspect/table-width.ts";
import type {
  Column,
  DocumentInspection,
  TableSummary,
  Verdict,
} from "../../../../../shared/core/inspect/verdict.ts";
import { createOutline } from "./json-outline.ts";
import { createRecordWalk, type JsonRecord } from "./json-records.ts";
import { type JsonToken, readJsonTokens } from "./json-tokens.ts";

/** A list of records while it is read. */
interface OpenList {
  name: string | null;
  position: number;
  rowCount: number;
  columns: Map<string, ColumnTally>;
  nameCharacters: number;
  sample: Sample<JsonRecord>;
}

/** The record lists of a document: the document itself under null, or those under its top-level keys. */
type FoundLists = Map<string | null, OpenList>;

/** Inspects a JSON source in one pass. Throws `FileRefused` with line and column. */
export async function inspectJson(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  const lists: FoundLists = new Map();
  const walk = createListWalk(lists);
  const outline = createOutline();
  const repeats = createRepeatFinder();
  for await (const tokens of readJsonTokens(source, blockBytes)) {
    for (const token of tokens) {
      walk(token);
      outline.take(token);
      repeats.take(token);
    }
  }
  const hints = repeats.found() ? ["A key is repeated within one object; its last value counts."] : [];
  const whole = lists.get(null);
  if (whole !== undefined) {
    const table = encodeInspection(whole.rowCount, finishColumns(whole), whole.sample.rows());
    return { ok: true, ...table, tables: [], hints: [...hints, ...whole.sample.hints()], readingIndex: null };
  }
  const tables = summarizeLists(lists);
  const inspection: DocumentInspection = {
    kind: "document",
    outline: outline.finish(),
    tables: tables.map((table) => table.name),
  };
  return {
    ok: true,
    inspection,
    inspectionJson: JSON.stringify(inspection),
    tables,
    hints,
    readingIndex: null,
  };
}

function createListWalk(lists: FoundLists): (token: JsonToken) => void {
  let list: OpenList | null = null;
  return createRecordWalk({
    // A repeated key: its last value wins, so what was found under it no longer counts.
    startMember: (name) => lists.delete(name),
    startList: (name, position) => {
      list = startList(name, position);
      return true;
    },
    record: (record) => {
      if (list !== null) addRecord(list, record);
    },
    endList: (allRecords) => {
      // An empty list is a table only as the whole document; under a key it says nothing of records.
      if (list !== null && allRecords && (list.name === null || list.rowCount > 0))
        lists.set(list.name, list);
    },
  });
}

function startList(name: string | null, position: number): OpenList {
  const list: OpenList = {
    name,
    position,
    rowCount: 0,
    columns: new Map(),
    nameCharacters: 0,
    sample: createSample<JsonRecord>((record) => encodeRecord(record, list.columns)),
  };
  return list;
}

function encodeRecord(record: JsonRecord, columns: Map<string, ColumnTally>): string {
  return `[${Array.from(columns.keys(), (name) => record.get(name) ?? "null").join(",")}]`;
}

function addRecord(list: OpenList, record: JsonRecord): void {
  list.rowCount++;
  list.sample.add(record);
  for (const [name, json] of record) {
    let tally = list.columns.get(name);
    if (tally === undefined) {
      tally = startTally(name);
      list.columns.set(name, tally);
      list.nameCharacters += name.length;
      refuseWideTable(list.columns.size, list.nameCharacters);
    }
    tallyJsonCell(tally, json);
  }
}

function finishColumns(list: OpenList): Column[] {
  return Array.from(list.columns.values(), (tally) => finishColumn(tally, list.rowCount));
}

function summarizeLists(lists: FoundLists): TableSummary[] {
  const tables: TableSummary[] = [];
  for (const [name, list] of lists) {
    if (name === null) continue;
    tables.push({ name, position: list.position, row_count: list.rowCount, columns: finishColumns(list) });
  }
  return tables;
}

/** Notices a key that an object repeats. */
function createRepeatFinder(): { take(token: JsonToken): void; found(): boolean } {
  const open: Set<string>[] = [];
  let depth = 0;
  let found = false;
  const take = (token: JsonToken): void => {
    if (token.name === "startObject") {
      const keys = open[depth];
      if (keys === undefined) open[depth] = new Set();
      else keys.clear();
      depth++;
    } else if (token.name === "endObject") {
      depth--;
    } else if (token.name === "keyValue") {
      const keys = open[depth - 1];
      if (keys?.has(token.value)) found = true;
      keys?.add(token.value);
    }
  };
  return { take, found: () => found };
}
