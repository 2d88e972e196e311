import { CHANGED, quoteShell, quoteText } from "./data-file.ts";

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

/** The ways to use a table as Parquet, which holds the types of its columns, each with the check of its bytes. */
export function writeParquetSnippets(parquet: Fetched): Snippet[] {
  return [
    { name: "curl, as Parquet", code: writeCurl(parquet) },
    { name: "DuckDB, beside the downloaded Parquet", code: writeDuckDb(parquet) },
    { name: "Python with pandas, as Parquet", code: writePython(parquet, "pandas") },
    { name: "Python with polars, as Parquet", code: writePython(parquet, "polars") },
  ];
}

function writeCurl({ url, sha256 }: Fetched): string {
  return `curl -sS -o ${LOCAL} ${quoteShell(url)}
echo '${sha256}  ${LOCAL}' | sha256sum --check`;
}

function writeDuckDb({ sha256 }: Fetched): string {
  return `SELECT CASE WHEN sha256(content) = '${sha256}' THEN 'unchanged' ELSE error('${CHANGED}') END AS file
FROM read_blob('${LOCAL}');
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
