import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import type { DataColumn } from "../../../../shared/text/snippets/data-file.ts";
import { codeOf, KINDS, quote, serveSample } from "./serve-sample.ts";

const plain: Omit<DataColumn, "name" | "type"> = { isDigits: false, missing: [], time: null, unit: null };
const COLUMNS: DataColumn[] = [
  { ...plain, name: "gauge", type: "text" },
  { ...plain, name: "day", type: "date", time: "day" },
  { ...plain, name: "at", type: "date", time: "time", missing: ["n.d."] },
  { ...plain, name: "it's m", type: "number", missing: ["-999", '"?'], unit: "m" },
  { ...plain, name: "open", type: "boolean", missing: ["-999"] },
  { ...plain, name: "note", type: "text", missing: ["NA"] },
];
const NAMES = COLUMNS.map(({ name }) => name);
/** The rows as the file has them, and without what stands for blank. */
const WRITTEN = [
  ["007", "2026-11-18", "2026-11-18T10:00:00Z", "4.5", "true", "-999"],
  ["008", "2026-11-19", "n.d.", "-999", "-999", "NA"],
  ["009", "", "2026-11-19T10:00:00Z", '"?', "", ""],
];
const NUMBERS = [4.5, null, null];
const NOTES = ["-999", null, null];

const toJson = (cell: string, at: number) => {
  if (cell === "") return null;
  if (at === 3 && cell !== '"?') return Number(cell);
  return at === 4 && cell === "true" ? true : cell;
};
const RECORDS = WRITTEN.map((row) =>
  Object.fromEntries(row.map((cell, at) => [NAMES[at], toJson(cell, at)])),
);
const CONTENTS = {
  csv: [NAMES, ...WRITTEN]
    .map((row) => `${row.map((cell) => (cell === "" ? "" : quote(cell))).join(",")}\n`)
    .join(""),
  list: JSON.stringify(RECORDS),
  document: JSON.stringify({ gauges: RECORDS, other: [{ a: 1 }] }),
};
const { site, folder, describeFile, run, isHere } = await serveSample({
  contents: CONTENTS,
  table: "gauges",
  columns: COLUMNS,
  linesOf: (kind) =>
    (kind === "csv"
      ? WRITTEN.map((row) =>
          Object.fromEntries(row.map((cell, at) => [NAMES[at], cell === "" ? null : cell])),
        )
      : RECORDS
    ).map((row) => JSON.stringify(row)),
});

describe.each(KINDS)("the dictionary of a %s", (kind) => {
  test("gives Node its blank cells, each column its own", async () => {
    const path = join(folder, `${kind}.mjs`);
    for (const [name, wrap] of [
      ["Node", (code: string) => code],
      ["Observable", (code: string) => `const rows = await (async () => ${code.replace(/^rows = /, "")})();`],
    ] as const) {
      await writeFile(
        path,
        `${wrap(codeOf(describeFile(kind), name))}\nconsole.log("ROWS" + JSON.stringify(rows));`,
      );
      const { output } = await run(process.execPath, [path]);
      const rows = JSON.parse(output.slice(output.indexOf("ROWS") + 4));
      const of = (column: string) => rows.map((row: Record<string, unknown>) => row[column]);
      expect([name, of("it's m"), of("note")]).toEqual([name, NUMBERS, NOTES]);
      expect([of("open"), of("gauge")]).toEqual([
        [true, null, null],
        ["007", "008", "009"],
      ]);
    }
  });

  test("gives DuckDB the types of what is left, and days as dates", async () => {
    await writeFile(join(folder, kind === "csv" ? "data.csv" : "data.json"), CONTENTS[kind]);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const code = codeOf(describeFile(kind), "DuckDB").replaceAll("'data.", `'${folder}/data.`);
    const statements = await connection.extractStatements(code);
    const rows = await (await statements.prepare(1)).runAndReadAll();
    expect(rows.columnNames()).toEqual(NAMES);
    expect(rows.columnTypes().map(String)).toEqual([
      ...["VARCHAR", "DATE", "TIMESTAMP WITH TIME ZONE", "DOUBLE", "BOOLEAN", "VARCHAR"],
    ]);
    const columns = rows.getColumnsJson();
    expect([columns[0], columns[1]]).toEqual([
      ["007", "008", "009"],
      ["2026-11-18", "2026-11-19", null],
    ]);
    expect([columns[3], columns[4], columns[5]]).toEqual([NUMBERS, [true, null, null], NOTES]);
    expect(columns[2]?.map((time) => time === null)).toEqual([false, true, false]);
    connection.closeSync();
    instance.closeSync();
  });

  test("gives pandas and polars the same, where they are there", { timeout: 240_000 }, async () => {
    for (const library of ["pandas", "polars"]) {
      if (!(await isHere("python3", ["-c", `import ${library}`], library))) continue;
      // Not of the kind alone: pandas imports csv.
      const path = join(folder, `rows-${kind}.py`);
      const list =
        library === "pandas"
          ? "[None if pandas.isna(cell) else cell for cell in rows[name]]"
          : "rows[name].to_list()";
      const told = `print("ROWS" + json.dumps({name: ${list} for name in ["gauge", "it's m", "note"]}))
print("TYPES", rows["day"].dtype, rows["at"].dtype, rows["day"][0].year)`;
      await writeFile(path, `${codeOf(describeFile(kind), `Python with ${library}`)}\n${told}`);
      const { output } = await run("python3", [path]);
      expect(output).toContain("ROWS");
      const rows = JSON.parse(output.slice(output.indexOf("ROWS") + 4, output.indexOf("TYPES")));
      expect(rows).toEqual({ gauge: ["007", "008", "009"], "it's m": NUMBERS, note: NOTES });
      expect(output).toMatch(/TYPES (datetime64\[.*\]|Date) (datetime64\[.*UTC\]|Datetime.*UTC.*) 2026/);
    }
  });

  test("gives R the same, where it is there", { timeout: 120_000 }, async () => {
    const needs = kind === "csv" ? "1" : "library(jsonlite)";
    if (!(await isHere("Rscript", ["-e", needs], kind === "csv" ? "R" : "jsonlite for R"))) return;
    const path = join(folder, "rows.R");
    const code = codeOf(describeFile(kind), "R,").replace(/^stopifnot.*$/m, "");
    const told = `cat("ROWS", is.na(rows[["it's m"]]), rows[["it's m"]][[1]], class(rows$day), is.na(rows$note), "\\n")`;
    await writeFile(path, `${code}\n${told}`);
    expect((await run("Rscript", ["--encoding=UTF-8", path])).output).toContain(
      "ROWS FALSE TRUE TRUE 4.5 Date FALSE TRUE TRUE",
    );
  });
});

test("curl tells types, units and what stands for blank", () => {
  expect(codeOf(describeFile("csv"), "curl")).toContain(
    '# "it\'s m": number in "m", blank where "-999" or "\\"?"\n# "open": boolean, blank where "-999"',
  );
});

test("every way to use Parquet, which has cells as they are written, tells what stands for blank", () => {
  const parquet = { url: `${site}/all.parquet`, sha256: "ab" };
  const told = '"it\'s m": number in "m", blank where "-999" or "\\"?"\n';
  for (const [name, mark] of [
    ["curl, as Parquet", "#"],
    ["DuckDB, beside the downloaded Parquet", "--"],
    ["DuckDB, over the network", "--"],
    ["Python with pandas, as Parquet", "#"],
    ["Python with polars, as Parquet", "#"],
  ] as const)
    expect(codeOf({ ...describeFile("csv"), parquet }, name)).toContain(`${mark} ${told}`);
});
