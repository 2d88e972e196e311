import type { ColumnType } from "../../tables/inspection/verdict.ts";
import { type DataColumn, type DataFile, fetchInPython, quoteText } from "./data-file.ts";

/** Reads a table with pandas: columns of the time of rows as times. */
export function writePandas(file: DataFile): string {
  const times = file.columns.flatMap(({ name, time }) => (time === null ? [] : [quoteText(name)]));
  if (file.format === "csv")
    return `${start(file, "pandas")}
rows = ${readCsvWithPandas(file, times)}
print(rows)`;
  const parsed = times.map((name) => `rows[${name}] = pandas.to_datetime(rows[${name}])\n`).join("");
  // Beside a blank cell, whole numbers would become doubles.
  const untyped = file.columns.length === 0 ? ", dtype=object" : "";
  return `${start(file, "pandas")}
rows = pandas.DataFrame(${pickRows(file)}${untyped})
${parsed}print(rows)`;
}

const PANDAS_TYPES: Partial<Record<ColumnType, string>> = { number: '"float64"', boolean: '"boolean"' };

function readCsvWithPandas({ columns }: DataFile, times: readonly string[]): string {
  const types = columns.flatMap(({ name, type, time }) =>
    time === null ? [`${quoteText(name)}: ${PANDAS_TYPES[type] ?? '"string"'}`] : [],
  );
  // Where one column has values of its own, each needs them all.
  const blanks = columns.map(({ name, missing }) => `${quoteText(name)}: ${listTexts(["", ...missing])}`);
  const blank = columns.some(hasMissing) ? `{${blanks.join(", ")}}` : '[""]';
  const parsed = times.length === 0 ? "" : `, parse_dates=[${times.join(", ")}]`;
  const type = columns.length === 0 ? '"string"' : `{${types.join(", ")}}`;
  return `pandas.read_csv(io.BytesIO(file), keep_default_na=False, na_values=${blank}, dtype=${type}${parsed})`;
}

/** Reads a table with polars: columns of the time of rows as days or times. */
export function writePolars(file: DataFile): string {
  const isCsv = file.format === "csv";
  const rows = isCsv
    ? `polars.read_csv(io.BytesIO(file), infer_schema=False, schema_overrides={${listPolarsTypes(file)}})`
    : `polars.DataFrame(${pickRows(file)}, infer_schema_length=None, strict=False)`;
  const changed = file.columns.flatMap((column) => convertWithPolars(column, isCsv));
  return `${start(file, "polars")}
rows = ${rows}${changed.length === 0 ? "" : `.with_columns(\n    ${changed.join(",\n    ")},\n)`}
print(rows)`;
}

function listPolarsTypes({ columns }: DataFile): string {
  return columns
    .map((column) => {
      const isNumber = column.type === "number" && !hasMissing(column);
      return `${quoteText(column.name)}: polars.${isNumber ? "Float64" : "String"}`;
    })
    .join(", ");
}

/** A time without a zone is of UTC, as in answers to questions. */
const TO_TIME = { day: ".str.to_date()", time: '.str.to_datetime(time_zone="UTC")' } as const;

/** A column that was read as text in its type; cells of a JSON file have theirs already. */
function convertWithPolars(column: DataColumn, isCsv: boolean): string[] {
  const { type, missing, time } = column;
  const without = isCsv && hasMissing(column);
  if (!without && time === null) return [];
  const name = quoteText(column.name);
  const cells = `polars.col(${name})`;
  const filled = without
    ? `polars.when(~${cells}.is_in(${listTexts(missing)})).then(${cells}).alias(${name})`
    : cells;
  if (time !== null) return [`${filled}${TO_TIME[time]}`];
  return [`${filled}${type === "number" ? ".cast(polars.Float64)" : ""}`];
}

function start({ url, contentSha256: sha256 }: DataFile, library: string): string {
  return fetchInPython({ url, sha256 }, ["hashlib", "io", "json", "urllib.request", library]);
}

/** The list of rows in a JSON file as Python reads it: digits as texts, without the cells that stand for blank. */
function pickRows({ table, columns }: DataFile): string {
  const rows = `json.loads(file)${table === null ? "" : `[${quoteText(table)}]`}`;
  const missing = columns
    .filter(hasMissing)
    .map((column) => `${quoteText(column.name)}: ${listTexts(column.missing)}`);
  const digits = columns.filter(({ isDigits }) => isDigits).map(({ name }) => name);
  if (missing.length === 0 && digits.length === 0) return rows;
  const filled =
    missing.length === 0 ? "" : `None if str(cell) in {${missing.join(", ")}}.get(name, []) else `;
  const asText =
    digits.length === 0
      ? ""
      : `str(cell) if isinstance(cell, (int, float)) and name in ${listTexts(digits)} else `;
  return `[
    {name: ${filled}${asText}cell for name, cell in row.items()}
    for row in ${rows}
]`;
}

function hasMissing({ missing }: DataColumn): boolean {
  return missing.length > 0;
}

function listTexts(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(", ")}]`;
}
