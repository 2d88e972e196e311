import type { ColumnType } from "../inspect/verdict.ts";
import { CHANGED, type DataFile, nameLocally, quoteShell, quoteText } from "./data-file.ts";
import { fetchInPython, type Snippet, writeParquetSnippets } from "./parquet-snippets.ts";
import { writeDuckDb } from "./write-duckdb.ts";

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
    ...(file.parquet === null ? [] : writeParquetSnippets(file.parquet)),
  ];
}

function writeCurl(file: DataFile): string {
  const local = nameLocally(file);
  const columns = file.columns.map(({ name, type }) => `\n# ${quoteText(name)}: ${type}`).join("");
  return `curl -sS -o ${local} ${quoteShell(file.url)}
echo '${file.contentSha256}  ${local}' | sha256sum --check${columns}`;
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
  if (format === "json") return `const rows = ${lines}.map((line) => JSON.parse(line));`;
  const listOf = (type: ColumnType) =>
    columns.flatMap((column) => (column.type === type ? [quoteText(column.name)] : [])).join(", ");
  return `const [numbers, booleans] = [[${listOf("number")}], [${listOf("boolean")}]];
const type = (name, cell) => {
  if (cell === null || cell === "") return null;
  if (numbers.includes(name)) return Number(cell);
  return booleans.includes(name) ? cell.toLowerCase() === "true" : cell;
};
const rows = ${lines}.map((line) => JSON.parse(line, type));`;
}

function startPython({ url, contentSha256: sha256 }: DataFile, library: string): string {
  return fetchInPython({ url, sha256 }, ["hashlib", "io", "json", "urllib.request", library]);
}

/** The list of rows in a JSON file as Python reads it. */
function pickRows({ table }: DataFile): string {
  return `json.loads(file)${table === null ? "" : `[${quoteText(table)}]`}`;
}

function writePandas(file: DataFile): string {
  const types = { number: '"float64"', boolean: '"boolean"' };
  const rows =
    file.format === "csv"
      ? `pandas.read_csv(io.BytesIO(file), keep_default_na=False, na_values=[""], dtype={${listTypes(file, ": ", types, '"string"')}})`
      : `pandas.DataFrame(${pickRows(file)})`;
  return `${startPython(file, "pandas")}
rows = ${rows}
print(rows)`;
}

function writePolars(file: DataFile): string {
  const types = { number: "polars.Float64" };
  const rows =
    file.format === "csv"
      ? `polars.read_csv(io.BytesIO(file), infer_schema=False, schema_overrides={${listTypes(file, ": ", types, "polars.String")}})`
      : `polars.DataFrame(${pickRows(file)}, infer_schema_length=None, strict=False)`;
  return `${startPython(file, "polars")}
rows = ${rows}
print(rows)`;
}

function writeR(file: DataFile): string {
  const local = nameLocally(file);
  const list = file.table === null ? "" : `[[${quoteText(file.table)}]]`;
  const rows = file.format === "csv" ? readCsvInR(file, local) : `jsonlite::fromJSON("${local}")${list}`;
  return `download.file(${quoteText(file.url)}, "${local}", mode = "wb")
stopifnot(tools::sha256sum("${local}") == "${file.contentSha256}")
rows <- ${rows}
print(rows)`;
}

/** Reads every cell as a text first: R takes no number in quotes. */
function readCsvInR({ columns }: DataFile, local: string): string {
  const numbers = columns.flatMap(({ name, type }) => (type === "number" ? [quoteText(name)] : []));
  const texts = `read.csv("${local}", check.names = FALSE, na.strings = "", colClasses = "character")`;
  if (numbers.length === 0) return texts;
  return `${texts}
numbers <- c(${numbers.join(", ")})
rows[numbers] <- lapply(rows[numbers], as.numeric)`;
}

function listTypes(
  { columns }: DataFile,
  between: string,
  types: Partial<Record<ColumnType, string>>,
  other: string,
): string {
  return columns.map(({ name, type }) => `${quoteText(name)}${between}${types[type] ?? other}`).join(", ");
}
