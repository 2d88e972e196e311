import {
  refuseWideTable,
  type TableSummary,
  type Verdict,
} from "../../../../../shared/tables/inspection/verdict.ts";
import { isDate } from "./cell-types.ts";
import { describeOutline } from "./json-outline.ts";
import { createRecordWalk } from "./json-records.ts";
import { readJsonTokens } from "./json-tokens.ts";
import { type JsonValue, readJson } from "./json-value.ts";
import { describeColumns, describeTable, type TypedCell } from "./table.ts";

/** Inspects a JSON source: its faults by the guard, and all else by the document in memory. Throws `FileRefused`. */
export async function inspectJson(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  const document = readJson(await readSound(source, blockBytes));
  if (isList(document)) {
    const { names, rows, columns } = readTable(document);
    const json = rows.map(
      ({ members }) => `[${names.map((name) => members.get(name)?.json ?? "null").join(",")}]`,
    );
    const table = describeTable(columns, json);
    return { ok: true, ...table, tables: [], hints: [], readingIndex: null };
  }
  const tables = listTables(document);
  const outline = describeOutline(document);
  const inspection = { kind: "document" as const, outline, tables: tables.map(({ name }) => name) };
  const inspectionJson = JSON.stringify(inspection);
  return { ok: true, inspection, inspectionJson, tables, hints: [], readingIndex: null };
}

/** The text of a document without faults. A table is refused for its width where the reader comes to it. */
async function readSound(source: AsyncIterable<Uint8Array>, blockBytes?: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  async function* keepChunks() {
    for await (const chunk of source) {
      chunks.push(Uint8Array.from(chunk));
      yield chunk;
    }
  }
  const names = new Set<string>();
  let characters = 0;
  const walk = createRecordWalk({
    startList: () => {
      names.clear();
      characters = 0;
      return true;
    },
    record: (record) => {
      for (const name of record.keys()) {
        if (!names.has(name)) characters += name.length;
        names.add(name);
      }
      refuseWideTable(names.size, characters);
    },
    endList: () => undefined,
  });
  for await (const tokens of readJsonTokens(keepChunks(), blockBytes))
    for (const token of tokens) walk(token);
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\ufeff/, "");
}

const isList = ({ type, items }: JsonValue): boolean =>
  type === "array" && items.every((item) => item.type === "object");

function readTable({ items: rows }: JsonValue) {
  const names = [...new Set(rows.flatMap((row) => [...row.members.keys()]))];
  const columns = describeColumns(
    names,
    rows.map(({ members }) => names.map((name) => toTyped(members.get(name)))),
  );
  return { names, rows, columns };
}

function toTyped(value: JsonValue | undefined): TypedCell {
  if (value === undefined || value.type === "null") return null;
  const { type, text } = value;
  if (type !== "text") return { type, text };
  return text === "" ? null : { type: isDate(text) ? "date" : "text", text };
}

function listTables({ members, keys }: JsonValue): TableSummary[] {
  const tables = [...members].flatMap(([name, list]): TableSummary[] => {
    if (!isList(list) || list.items.length === 0) return [];
    const { columns } = readTable(list);
    return [{ name, position: keys.lastIndexOf(name), row_count: list.items.length, columns }];
  });
  return tables.sort((one, other) => one.position - other.position);
}
