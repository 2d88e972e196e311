import type { ColumnType } from "../../tables/inspection/verdict.ts";
import { CHANGED, type DataColumn, type DataFile, nameLocally, quoteSql, quoteSqlName } from "./data-file.ts";

const DIALECT = `header = true, delim = ',', quote = '"', escape = '"'`;
/** As many bytes may one document have: more than a table that takes questions. */
const ROOM = "maximum_object_size = 134217728";

/** Reads the downloaded file with DuckDB; dates stand as they are written, but for the time of the rows. */
export function writeDuckDb(file: DataFile): string {
  const local = quoteSql(nameLocally(file));
  return `SELECT CASE WHEN sha256(content) = '${file.contentSha256}' THEN 'unchanged' ELSE error('${CHANGED}') END AS file
FROM read_blob(${local});
${file.format === "csv" ? selectCsv(file, local) : selectJson(file, local)}`;
}

function selectCsv({ columns }: DataFile, local: string): string {
  if (columns.length === 0) return `SELECT * FROM read_csv(${local}, ${DIALECT}, all_varchar = true);`;
  const types = columns.map((column) => `${quoteSql(column.name)}: '${readAs(column, typeOfCsv)}'`);
  const chosen = selectColumns(columns, typeOfCsv);
  return `SELECT ${chosen} FROM read_csv(${local}, auto_detect = false, ${DIALECT}, columns = {${listLines(types)}});`;
}

function selectJson({ columns, table }: DataFile, local: string): string {
  const chosen = selectColumns(columns, typeOfJson);
  if (table === null) {
    const types = columns.map((column) => `${quoteSql(column.name)}: '${readAs(column, typeOfJson)}'`);
    const known = types.length === 0 ? "" : `, columns = {${listLines(types)}}`;
    return `SELECT ${chosen} FROM read_json(${local}, format = 'array', ${ROOM}${known});`;
  }
  const members = columns.map((column) => `${quoteSqlName(column.name)} ${readAs(column, typeOfJson)}`);
  const type = members.length === 0 ? "JSON[]" : `STRUCT(${listLines(members)})[]`;
  const rows = `SELECT unnest(${quoteSqlName(table)}${members.length === 0 ? "" : ", max_depth := 2"})
FROM read_json(${local}, ${ROOM}, columns = {${quoteSql(table)}: ${quoteSql(type)}})`;
  return chosen === "*" ? `${rows};` : `SELECT ${chosen} FROM (${rows});`;
}

type TypeOf = (column: DataColumn) => string;

/** What the reader takes a column for: a text where some of its cells stand for blank. */
function readAs(column: DataColumn, typeOf: TypeOf): string {
  const type = typeOf(column);
  return column.missing.length > 0 && type !== "JSON" ? "VARCHAR" : type;
}

/** Every column, those with missing values without them. */
function selectColumns(columns: readonly DataColumn[], typeOf: TypeOf): string {
  const replaced = columns.flatMap((column) => {
    if (column.missing.length === 0) return [];
    const name = quoteSqlName(column.name);
    const type = typeOf(column);
    const text = type === "JSON" ? `${name} ->> '$'` : name;
    const filled = `CASE WHEN (${text}) NOT IN (${column.missing.map(quoteSql).join(", ")}) THEN ${name} END`;
    return [`${type === "VARCHAR" || type === "JSON" ? filled : `CAST(${filled} AS ${type})`} AS ${name}`];
  });
  return replaced.length === 0 ? "*" : `* REPLACE (${listLines(replaced)})`;
}

const SQL_TYPES: Partial<Record<ColumnType, string>> = { number: "DOUBLE", boolean: "BOOLEAN" };
const TIME_TYPES = { day: "DATE", time: "TIMESTAMPTZ" } as const;

function typeOfCsv({ type, time }: DataColumn): string {
  return time === null ? (SQL_TYPES[type] ?? "VARCHAR") : TIME_TYPES[time];
}

function typeOfJson(column: DataColumn): string {
  const { type } = column;
  return type === "date" || type === "text" || type in SQL_TYPES ? typeOfCsv(column) : "JSON";
}

function listLines(items: string[]): string {
  return `\n  ${items.join(",\n  ")}\n`;
}
