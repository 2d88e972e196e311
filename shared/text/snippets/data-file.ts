import type { ColumnType } from "../../tables/inspection/verdict.ts";

/** A column with what its dictionary says of it. */
export interface DataColumn {
  name: string;
  /** The type of the cells that stand for no blank. */
  type: ColumnType;
  /** Whether it holds numbers that are read as texts, as no double has their digits. */
  isDigits: boolean;
  /** The texts of cells that stand for blank. */
  missing: readonly string[];
  /** How its cells are written where it is the time of its rows: as days, or as times of one zone; null else. */
  time: "day" | "time" | null;
  unit: string | null;
}

/** A published table as the snippets of "Use this data" name it. */
export interface DataFile {
  url: string;
  /** The address of its rows, each line an object. */
  rowsUrl: string;
  contentSha256: string;
  format: "csv" | "json";
  /** The list of a JSON document; null where the whole file is the table. */
  table: string | null;
  /** Every column where there are few, else none: a snippet then leaves types to its reader. */
  columns: DataColumn[];
  /** The table as Parquet, where it is made. */
  parquet: { url: string; sha256: string } | null;
}

/** What a snippet says of a file whose bytes are others. */
export const CHANGED = "The file has changed.";

/** The name under which a snippet keeps the file. */
export function nameLocally({ format }: DataFile): string {
  return `data.${format}`;
}

const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/g;

/** A text in double quotes as JavaScript, Python and R read it. */
export function quoteText(text: string): string {
  const escaped = text.toWellFormed().replace(/[\\"]/g, "\\$&");
  return `"${escaped.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

/** A text in single quotes as SQL reads it. */
export function quoteSql(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** A name in double quotes as SQL reads it. */
export function quoteSqlName(name: string): string {
  return `"${name.toWellFormed().replaceAll('"', '""')}"`;
}

/** A text in single quotes as a shell reads it. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What is known of a column, in words. */
export function describeColumn({ name, type, unit, missing }: DataColumn): string {
  const blank = missing.map(quoteText).join(" or ");
  return `${quoteText(name)}: ${type}${unit === null ? "" : ` in ${quoteText(unit)}`}${blank === "" ? "" : `, blank where ${blank}`}`;
}

/** A way to use a table, which runs as it stands. */
export interface Snippet {
  name: string;
  code: string;
}

/** A file to fetch, and the hash of its bytes. */
interface Fetched {
  url: string;
  sha256: string;
}

const LOCAL = "data.parquet";

/**
 * The ways to use a table as Parquet, which holds the types of its columns, each with the check of its bytes. Missing values
 * stand there as they are written, so a comment names them.
 */
export function writeParquetSnippets(parquet: Fetched, columns: readonly DataColumn[]): Snippet[] {
  const marked = columns.filter(({ missing }) => missing.length > 0).map(describeColumn);
  const [inSql, inPython] = ["--", "#"].map((mark) => marked.map((line) => `${mark} ${line}\n`).join(""));
  return [
    { name: "curl, as Parquet", code: inPython + fetchInShell(parquet, LOCAL) },
    { name: "DuckDB, beside the downloaded Parquet", code: inSql + writeDuckDb(parquet) },
    { name: "DuckDB, over the network", code: inSql + askOverNetwork(parquet.url) },
    { name: "Python with pandas, as Parquet", code: inPython + writePython(parquet, "pandas") },
    { name: "Python with polars, as Parquet", code: inPython + writePython(parquet, "polars") },
  ];
}

/** Downloads a file in a shell and checks its bytes. */
export function fetchInShell({ url, sha256 }: Fetched, local: string): string {
  return `curl -sS -o ${local} ${quoteShell(url)}
echo '${sha256}  ${local}' | sha256sum --check`;
}

/** Checks the bytes of a downloaded file in DuckDB. */
export function checkInSql(local: string, sha256: string): string {
  return `SELECT CASE WHEN sha256(content) = '${sha256}' THEN 'unchanged' ELSE error('${CHANGED}') END AS file
FROM read_blob(${quoteSql(local)});`;
}

/** Asks DuckDB about a Parquet file at its address, of which it fetches the parts that the question needs. */
export function askOverNetwork(url: string): string {
  return `SELECT * FROM read_parquet(${quoteSql(url)}) LIMIT 10;`;
}

function writeDuckDb({ sha256 }: Fetched): string {
  return `${checkInSql(LOCAL, sha256)}
SELECT * FROM read_parquet('${LOCAL}');`;
}

function writePython(parquet: Fetched, library: "pandas" | "polars"): string {
  return `${fetchInPython(parquet, ["hashlib", "io", "urllib.request", library])}
rows = ${library}.read_parquet(io.BytesIO(file))
print(rows)`;
}

/** Fetches a file in Python and checks its bytes. */
export function fetchInPython({ url, sha256 }: Fetched, modules: readonly string[]): string {
  return `${modules.map((module) => `import ${module}`).join("\n")}

file = urllib.request.urlopen(${quoteText(url)}).read()
assert hashlib.sha256(file).hexdigest() == "${sha256}", "${CHANGED}"`;
}
