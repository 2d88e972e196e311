import type { BriefColumn, BriefTable } from "./brief-columns.ts";

/** A column groups well where its values repeat and their groups can be read. */
const MOST_GROUPS = 50;

type Suggested = {
  group: [{ column: string; by?: "year" }];
  aggregate?: [{ op: "avg"; column: string }];
};

/** A question that a table answers, as the members of a question: a mean by the first column that groups well. */
export function suggestQuestion({ table, columns }: BriefTable): ({ table?: string } & Suggested) | null {
  const group = columns.find(isGroup);
  const date = columns.find(({ type, count }) => type === "date" && count > 0);
  const by = group ?? date;
  if (by === undefined) return null;
  const isFigure = ({ type, isIdentifier }: BriefColumn) => type === "number" && !isIdentifier;
  const number = columns.find((column) => isFigure(column) && column !== by);
  return {
    ...(table !== null && { table }),
    group: [{ column: by.name, ...(group === undefined && { by: "year" as const }) }],
    ...(number !== undefined && { aggregate: [{ op: "avg", column: number.name }] }),
  };
}

function isGroup({ type, distinct, count }: BriefColumn): boolean {
  return (
    (type === "text" || type === "boolean") &&
    distinct !== null &&
    distinct >= 1 &&
    distinct <= MOST_GROUPS &&
    distinct < count
  );
}

/** A file with its tables, as it is described: `facts` are its own members. */
export interface FileToDescribe {
  facts: Record<string, unknown>;
  tables: BriefTable[];
  /** Whether it answers questions. */
  canAsk: boolean;
}

/** The members that say what was cut, and the digits of their numbers. */
const FRAME_BYTES = 400;
const FILE_FRAME = '{"tables":[],"tables_left_out":10000},'.length;
const TABLE_FRAME = '"columns":[],"columns_left_out":10000,'.length;

interface FittedFile {
  facts: string;
  tables: FittedTable[];
  tablesLeftOut: number;
}

interface FittedTable {
  head: string;
  columns: string[];
  from: BriefTable;
}

/**
 * Describes files within a number of bytes, as JSON text. The files come first, then their tables, then the columns of
 * each table in their order; what does not fit is counted, and `note` says so.
 */
export function fitDescription(
  creation: Record<string, unknown> | null,
  files: readonly FileToDescribe[],
  mostBytes: number,
): string {
  const head = JSON.stringify(creation);
  const room = { left: mostBytes - FRAME_BYTES - Buffer.byteLength(head) };
  const fitted = takeFitting(room, files.map(startFile), (file) => sizeOf(file.facts) + FILE_FRAME);
  fitted.forEach((file, index) => {
    const tables = listTables(files[index]);
    file.tables = takeFitting(room, tables, (table) => sizeOf(table.head) + TABLE_FRAME);
    file.tablesLeftOut = tables.length - file.tables.length;
  });
  for (const table of fitted.flatMap((file) => file.tables)) {
    const columns = table.from.columns.map(({ json }) => json);
    table.columns = takeFitting(room, columns, (column) => sizeOf(column) + 1);
  }
  const filesLeftOut = files.length - fitted.length;
  const isCut =
    filesLeftOut > 0 ||
    fitted.some((file) => file.tablesLeftOut > 0 || file.tables.some((table) => countLeftOut(table) > 0));
  const members = [
    `"creation":${head}`,
    `"files":[${fitted.map(writeFile)}]`,
    `"files_left_out":${filesLeftOut}`,
    ...(isCut ? [`"note":${JSON.stringify(CUT)}`] : []),
  ];
  return `{${members}}`;
}

const CUT =
  "Cut to max_bytes: files_left_out, tables_left_out and columns_left_out count the rest. Name one file by asset_id; query_dataset_rows with limit 1 answers with more columns.";

function takeFitting<Part>(
  room: { left: number },
  parts: readonly Part[],
  measure: (part: Part) => number,
): Part[] {
  const end = parts.findIndex((part) => {
    const size = measure(part);
    if (size > room.left) return true;
    room.left -= size;
    return false;
  });
  return parts.slice(0, end === -1 ? parts.length : end);
}

const sizeOf = (json: string): number => Buffer.byteLength(json);

function startFile({ facts }: FileToDescribe): FittedFile {
  return { facts: JSON.stringify(facts), tables: [], tablesLeftOut: 0 };
}

function listTables(file: FileToDescribe | undefined): FittedTable[] {
  const { tables = [], canAsk = false } = file ?? {};
  return tables.map((from) => {
    const example = canAsk ? suggestQuestion(from) : null;
    const head = JSON.stringify({ table: from.table, row_count: from.rowCount, example_question: example });
    return { head, columns: [], from };
  });
}

function countLeftOut({ columns, from }: FittedTable): number {
  return from.columns.length - columns.length + from.columnsLeftOut;
}

function writeFile({ facts, tables, tablesLeftOut }: FittedFile): string {
  return `${facts.slice(0, -1)},"tables":[${tables.map(writeTable)}],"tables_left_out":${tablesLeftOut}}`;
}

function writeTable(table: FittedTable): string {
  return `${table.head.slice(0, -1)},"columns":[${table.columns}],"columns_left_out":${countLeftOut(table)}}`;
}
