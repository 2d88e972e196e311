import type { ColumnType } from "../inspect/verdict.ts";
import { CHANGED, type DataFile, nameLocally, quoteSql, quoteSqlName } from "./data-file.ts";

const DIALECT = `header = true, delim = ',', quote = '"', escape = '"'`;
/** As many bytes may one document have: more than a table that takes questions. */
const ROOM = "maximum_object_size = 134217728";

/** Reads the downloaded file with DuckDB; dates stand as they are written. */
export function writeDuckDb(file: DataFile): string {
  const local = quoteSql(nameLocally(file));
  return `SELECT CASE WHEN sha256(content) = '${file.contentSha256}' THEN 'unchanged' ELSE error('${CHANGED}') END AS file
FROM read_blob(${local});
${file.format === "csv" ? selectCsv(file, local) : selectJson(file, local)}`;
}

function selectCsv({ columns }: DataFile, local: string): string {
  if (columns.length === 0) return `SELECT * FROM read_csv(${local}, ${DIALECT}, all_varchar = true);`;
  const types = columns.map(({ name, type }) => `${quoteSql(name)}: '${SQL_TYPES[type] ?? "VARCHAR"}'`);
  return `SELECT * FROM read_csv(${local}, auto_detect = false, ${DIALECT}, columns = {${listLines(types)}});`;
}

function selectJson({ columns, table }: DataFile, local: string): string {
  if (table === null) {
    const types = columns.map(({ name, type }) => `${quoteSql(name)}: '${typeOfJson(type)}'`);
    const known = types.length === 0 ? "" : `, columns = {${listLines(types)}}`;
    return `SELECT * FROM read_json(${local}, format = 'array', ${ROOM}${known});`;
  }
  const members = columns.map(({ name, type }) => `${quoteSqlName(name)} ${typeOfJson(type)}`);
  const type = members.length === 0 ? "JSON[]" : `STRUCT(${listLines(members)})[]`;
  const rows = `unnest(${quoteSqlName(table)}${members.length === 0 ? "" : ", max_depth := 2"})`;
  return `SELECT ${rows}
FROM read_json(${local}, ${ROOM}, columns = {${quoteSql(table)}: ${quoteSql(type)}});`;
}

const SQL_TYPES: Partial<Record<ColumnType, string>> = { number: "DOUBLE", boolean: "BOOLEAN" };

function typeOfJson(type: ColumnType): string {
  return SQL_TYPES[type] ?? (type === "text" || type === "date" ? "VARCHAR" : "JSON");
}

function listLines(items: string[]): string {
  return `\n  ${items.join(",\n  ")}\n`;
}
