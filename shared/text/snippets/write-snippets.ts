import type { ColumnType } from "../../tables/inspection/verdict.ts";
import {
  CHANGED,
  checkInSql,
  type DataColumn,
  type DataFile,
  describeColumn,
  fetchInShell,
  nameLocally,
  quoteSql,
  quoteSqlName,
  quoteText,
  type Snippet,
  writeParquetSnippets,
} from "./data-file.ts";
import { writePandas, writePolars } from "./write-python.ts";

const DIALECT = `header = true, delim = ',', quote = '"', escape = '"'`;
/** As many bytes may one document have: more than a table that takes questions. */
const ROOM = "maximum_object_size = 134217728";

/** Reads the downloaded file with DuckDB; dates stand as they are written, but for the time of the rows. */
function writeDuckDb(file: DataFile): string {
  const local = nameLocally(file);
  const select = file.format === "csv" ? selectCsv : selectJson;
  return `${checkInSql(local, file.contentSha256)}
${select(file, quoteSql(local))}`;
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
    const filled =
      type === "JSON"
        ? `CASE WHEN (${name} ->> '$') NOT IN (${column.missing.map(quoteSql).join(", ")}) THEN ${name} END`
        : column.missing.reduce((inside, one) => `NULLIF(${inside}, ${quoteSql(one)})`, name);
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

/** The ways to use a table, each with the types of its columns and the check of its bytes. */
export function writeSnippets(file: DataFile): Snippet[] {
  return [
    { name: "curl", code: writeCurl(file) },
    { name: "DuckDB, beside the downloaded file", code: writeDuckDb(file) },
    { name: "Node", code: writeNode(file) },
    { name: "Python with pandas", code: writePandas(file) },
    { name: "Python with polars", code: writePolars(file) },
    { name: "R, 4.5 or later", code: writeR(file) },
    { name: "Observable", code: writeObservable(file) },
    ...(file.parquet === null ? [] : writeParquetSnippets(file.parquet, file.columns)),
  ];
}

function writeCurl(file: DataFile): string {
  const columns = file.columns.map((column) => `\n# ${describeColumn(column)}`).join("");
  return fetchInShell({ url: file.url, sha256: file.contentSha256 }, nameLocally(file)) + columns;
}

function writeNode(file: DataFile): string {
  return `import { createHash } from "node:crypto";

const read = async (url) => Buffer.from(await (await fetch(url)).arrayBuffer());
const file = await read(${quoteText(file.url)});
if (createHash("sha256").update(file).digest("hex") !== "${file.contentSha256}") throw new Error("${CHANGED}");
${writeTypedRows(file, `String(await read(${quoteText(file.rowsUrl)}))`)}
console.table(rows.slice(0, 10));`;
}

function writeObservable(file: DataFile): string {
  return `rows = {
const file = await (await fetch(${quoteText(file.url)})).arrayBuffer();
const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", file));
const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
if (hex !== "${file.contentSha256}") throw new Error("${CHANGED}");
${writeTypedRows(file, `(await (await fetch(${quoteText(file.rowsUrl)})).text())`)}
return rows;
}`;
}

/** Reads rows from lines of JSON in JavaScript; cells of a CSV are texts there, and get their types. */
function writeTypedRows({ format, columns }: DataFile, text: string): string {
  const lines = `${text}.split("\\n").filter(Boolean)`;
  const missing = columns
    .filter((column) => column.missing.length > 0)
    .map(({ name, missing: texts }) => `[${quoteText(name)}, [${texts.map(quoteText).join(", ")}]]`);
  const known = missing.length === 0 ? "" : `const missing = new Map([${missing.join(", ")}]);\n`;
  const isMissing = (cell: string) => `missing.get(name)?.includes(${cell})`;
  if (format === "json") {
    const keep = keepInJavaScript(columns);
    const parse = keep === "" ? "JSON.parse(line)" : "JSON.parse(line, keep)";
    if (known === "") return `${keep}const rows = ${lines}.map((line) => ${parse});`;
    return `${keep}${known}const fill = ([name, cell]) => [name, ${isMissing("String(cell)")} ? null : cell];
const rows = ${lines}.map((line) => Object.fromEntries(Object.entries(${parse}).map(fill)));`;
  }
  const listOf = (type: ColumnType) =>
    columns.flatMap((column) => (column.type === type ? [quoteText(column.name)] : [])).join(", ");
  return `const [numbers, booleans] = [[${listOf("number")}], [${listOf("boolean")}]];
${known}const type = (name, cell) => {
  if (cell === null || cell === ""${known === "" ? "" : ` || ${isMissing("cell")}`}) return null;
  if (numbers.includes(name)) return Number(cell);
  return booleans.includes(name) ? cell.toLowerCase() === "true" : cell;
};
const rows = ${lines}.map((line) => JSON.parse(line, type));`;
}

const OPEN_TYPES: readonly ColumnType[] = ["mixed", "object", "array"];
const IS_LONG = "Number.isInteger(cell) && !Number.isSafeInteger(cell) && /^-?\\d+$/.test(context.source)";

/** A reviver of JSON that keeps digits as texts: of named columns, and where types are open of each number over 2^53. */
function keepInJavaScript(columns: readonly DataColumn[]): string {
  const names = columns.filter(({ isDigits }) => isDigits).map(({ name }) => quoteText(name));
  const isOpen = columns.length === 0 || columns.some(({ type }) => OPEN_TYPES.includes(type));
  const named = `typeof cell === "number" && [${names.join(", ")}].includes(name)`;
  const tests = [...(names.length === 0 ? [] : [named]), ...(isOpen ? [IS_LONG] : [])];
  if (tests.length === 0) return "";
  return `const isLong = (name, cell, context) => ${tests.map((test) => `(${test})`).join(" || ")};
const keep = (name, cell, context) => (isLong(name, cell, context) ? context.source : cell);
`;
}

function writeR(file: DataFile): string {
  const local = nameLocally(file);
  const list = file.table === null ? "" : `[[${quoteText(file.table)}]]`;
  const rows =
    file.format === "csv"
      ? `read.csv("${local}", check.names = FALSE, na.strings = "", colClasses = "character")`
      : `jsonlite::fromJSON("${local}", bigint_as_char = TRUE)${list}`;
  return `download.file(${quoteText(file.url)}, "${local}", mode = "wb")
stopifnot(tools::sha256sum("${local}") == "${file.contentSha256}")
rows <- ${rows}${file.columns.map(convertInR).join("")}${convertNumbersInR(file)}
print(rows)`;
}

/** A column without its missing values, and of days as dates. */
function convertInR({ name, missing, time }: DataColumn): string {
  const cells = `rows[[${quoteText(name)}]]`;
  const texts = missing.map(quoteText).join(", ");
  const without = texts === "" ? "" : `\n${cells}[${cells} %in% c(${texts})] <- NA`;
  return `${without}${time === "day" ? `\n${cells} <- as.Date(${cells})` : ""}`;
}

/** Every cell of a CSV is read as a text first, as R takes no number in quotes; so are cells of a list among texts. */
function convertNumbersInR({ columns, format }: DataFile): string {
  const numbers = columns.filter(
    ({ type, missing }) => type === "number" && (format === "csv" || missing.length > 0),
  );
  if (numbers.length === 0) return "";
  return `
numbers <- c(${numbers.map(({ name }) => quoteText(name)).join(", ")})
rows[numbers] <- lapply(rows[numbers], as.numeric)`;
}
