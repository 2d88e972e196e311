import { createHash } from "node:crypto";
import type { Json } from "./agent.ts";

/** The records of one record set: each field's cells in order, under the name of its column. */
export interface LoadedRecords {
  id: string;
  count: number;
  columns: Map<string, { type: string; cells: unknown[] }>;
}

type Fetch = (url: string) => Promise<Buffer>;

/** Loads every record set of a Croissant document by the document alone, and checks each file that it names. */
export async function loadCroissant(document: Json, fetch: Fetch): Promise<LoadedRecords[]> {
  const files = new Map<string, { content: Buffer; type: string }>();
  for (const file of document.distribution) {
    const content = await fetch(file.contentUrl);
    const told = { size: file.contentSize, sha256: file.sha256 };
    const sha256 = createHash("sha256").update(content).digest("hex");
    if (told.size !== `${content.length} B` || told.sha256 !== sha256)
      throw new Error(`${file["@id"]} is not as told: ${JSON.stringify(told)}`);
    files.set(file["@id"], { content, type: file.encodingFormat });
  }
  const parsed = new Map([...files].map(([id, file]) => [id, parse(file)]));
  return (document.recordSet ?? []).map((set: Json) => loadRecords(set, parsed));
}

type Parsed = { columns: Map<string, unknown[]> } | { json: unknown } | null;

function parse({ content, type }: { content: Buffer; type: string }): Parsed {
  const text = content.toString("utf8").replace(/^\ufeff/, "");
  if (type === "application/json") return { json: parseJson(text) };
  if (type !== "text/csv") return null;
  // Blank lines at the end of a file are no rows, as in every reader of CSV.
  const [header = [], ...rows] = parseCsv(text.replace(/(?:\r?\n)+$/, "\n"));
  return { columns: new Map(header.map((name, at) => [name, rows.map((row) => row[at] || null)])) };
}

/** The records of a CSV whose lines may end in both ways, as the service takes it. */
function parseCsv(text: string): string[][] {
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const [, written = "", end] = cell.exec(text) ?? [];
    row.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Numbers keep their digits as texts with a mark, so that equal means equal in every digit. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === "number" ? { digits: context?.source ?? String(value) } : value,
  );
}

function loadRecords(set: Json, files: ReadonlyMap<string, Parsed>): LoadedRecords {
  const columns = new Map<string, { type: string; cells: unknown[] }>();
  for (const field of set.field) {
    const cells = readCells(field.source, files.get(field.source.fileObject["@id"]) ?? null);
    columns.set(field.name, { type: field.dataType, cells });
  }
  const counts = new Set([...columns.values()].map(({ cells }) => cells.length));
  if (counts.size > 1) throw new Error(`${set["@id"]} has columns of ${[...counts].join(" and ")} records`);
  return { id: set["@id"], count: [...counts][0] ?? 0, columns };
}

function readCells({ extract, transform }: Json, file: Parsed): unknown[] {
  if (file === null) throw new Error("a field has no file");
  if ("columns" in file) {
    const cells = file.columns.get(extract.column);
    if (cells === undefined) throw new Error(`there is no column ${extract.column}`);
    return cells;
  }
  const values = findByPath(file.json, extract.jsonPath);
  if (transform === undefined) return values;
  return values.map((value) => findByPath(value, transform.jsonPath)[0] ?? null);
}

const STEP = /\.([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\]|(\[\*\])/gsy;

/** What a path of RFC 9535 finds, as far as it has names and wildcards alone. */
export function findByPath(root: unknown, path: string): unknown[] {
  if (!path.startsWith("$")) throw new Error(`no path: ${path}`);
  let found = [root];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const step = STEP.exec(path);
    if (step === null) throw new Error(`no step at ${at} of ${path}`);
    const [, plain, quoted, all] = step;
    const name = quoted === undefined ? plain : unescapeText(quoted);
    found = found.flatMap((value) => (all === undefined ? member(value, name ?? "") : items(value)));
  }
  return found;
}

function unescapeText(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})|\\(.)/gs, (_, code, character) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function member(value: unknown, name: string): unknown[] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
}
