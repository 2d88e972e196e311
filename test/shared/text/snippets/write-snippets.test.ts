import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import type { ColumnType } from "../../../../shared/tables/inspection/verdict.ts";
import type { DataFile } from "../../../../shared/text/snippets/data-file.ts";
import { codeOf, KINDS, quote, serveSample } from "./serve-sample.ts";

const NAMES = [
  "__proto__",
  'a"b',
  "it's",
  "x[0]",
  "two\nlines",
  "back\\slash",
  "$(id)`id`",
  "</code>",
  "ä 😀",
];
const CSV = `${["number", "yes", ...NAMES].map(quote).join(",")}\n${["4.5", "true", ...NAMES].map(quote).join(",")}\n,,${NAMES.map(() => "").join(",")}\n`;
const ROW = Object.fromEntries([["number", 4.5], ["yes", true], ...NAMES.map((name) => [name, name])]);
const LIST = JSON.stringify([ROW]);
const TABLE = 'it\'s "a" list';
const DOCUMENT = JSON.stringify({ [TABLE]: [ROW], other: [{ a: 1 }] });
const TYPES: [string, ColumnType][] = [
  ["number", "number"],
  ["yes", "boolean"],
  ...NAMES.map((name): [string, ColumnType] => [name, "text"]),
];
const CONTENTS = { csv: CSV, list: LIST, document: DOCUMENT };
const csvRow = Object.fromEntries([["number", "4.5"], ["yes", "true"], ...NAMES.map((name) => [name, name])]);
const blankRow = Object.fromEntries(TYPES.map(([name]) => [name, null]));
const { folder, describeFile, run, isHere } = await serveSample({
  contents: CONTENTS,
  table: TABLE,
  columns: TYPES.map(([name, type]) => ({
    name,
    type,
    isDigits: false,
    missing: [],
    time: null,
    unit: null,
  })),
  linesOf: (kind) => (kind === "csv" ? [csvRow, blankRow] : [ROW]).map((row) => JSON.stringify(row)),
});

describe.each(KINDS)("snippets of a %s", (kind) => {
  test("curl downloads the file and checks its hash", async () => {
    const file = describeFile(kind);
    const good = await run("bash", ["-ec", codeOf(file, "curl")]);
    expect([good.failed, good.output]).toEqual([false, `data.${file.format}: OK\n`]);
    const other = { ...file, contentSha256: "0".repeat(64) };
    expect((await run("bash", ["-ec", codeOf(other, "curl")])).failed).toBe(true);
  });

  test("Node reads typed rows, and refuses another file", async () => {
    const file = describeFile(kind);
    const path = join(folder, `${kind}.mjs`);
    await writeFile(path, `${codeOf(file, "Node")}\nconsole.log("ROWS" + JSON.stringify(rows));`);
    const { failed, output } = await run(process.execPath, [path]);
    expect([failed, failed ? output : ""]).toEqual([false, ""]);
    const rows = JSON.parse(output.slice(output.indexOf("ROWS") + 4));
    expect(rows[0]).toEqual(ROW);
    expect(Object.hasOwn(rows[0], "__proto__")).toBe(true);
    if (kind === "csv") expect(Object.values(rows[1])).toEqual(TYPES.map(() => null));
    await writeFile(path, codeOf({ ...file, contentSha256: "0".repeat(64) }, "Node"));
    expect((await run(process.execPath, [path])).output).toContain("The file has changed.");
  });

  test.each([true, false])("DuckDB reads the downloaded file, with types: %s", async (isTyped) => {
    const file = isTyped ? describeFile(kind) : { ...describeFile(kind), columns: [] };
    await writeFile(join(folder, `data.${file.format}`), CONTENTS[kind]);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const code = codeOf(file, "DuckDB").replaceAll("'data.", `'${folder}/data.`);
    const ask = async (sql: string) => {
      const statements = await connection.extractStatements(sql);
      const first = await (await statements.prepare(0)).runAndReadAll();
      const rows = await (await statements.prepare(1)).runAndReadAll();
      return { check: first.getRowsJson(), names: rows.columnNames(), rows: rows.getRowsJson() };
    };
    const { check, names, rows } = await ask(code);
    expect(check).toEqual([["unchanged"]]);
    if (isTyped) {
      expect(names).toEqual(TYPES.map(([name]) => name));
      expect(rows[0]).toEqual(TYPES.map(([name]) => Reflect.getOwnPropertyDescriptor(ROW, name)?.value));
    }
    expect(rows).toHaveLength(kind === "csv" ? 2 : 1);
    const changed = code.replace(file.contentSha256, "0".repeat(64));
    await expect(ask(changed)).rejects.toThrow("The file has changed.");
    connection.closeSync();
    instance.closeSync();
  });

  test("Python reads what stands before its library, and each form is Python", {
    timeout: 240_000,
  }, async () => {
    if (!(await isHere("python3", ["--version"], "Python"))) return;
    for (const name of ["Python with pandas", "Python with polars"]) {
      const code = codeOf(describeFile(kind), name);
      const start = code.slice(0, code.indexOf("rows = ")).replace(/^import (?:pandas|polars)$/m, "");
      const path = join(folder, "start.py");
      await writeFile(path, `import ast\nast.parse(${JSON.stringify(code)})\n${start}\nprint(len(file))`);
      const { failed, output } = await run("python3", [path]);
      expect([name, failed, output.trim()]).toEqual([name, false, String(Buffer.byteLength(CONTENTS[kind]))]);
      // The libraries themselves are there on few machines.
      const library = name.split(" ").at(-1) ?? "";
      if (!(await isHere("python3", ["-c", `import ${library}`], library))) continue;
      await writeFile(path, `${code}\nprint("ROWS", len(rows))`);
      expect((await run("python3", [path])).output).toContain(`ROWS ${kind === "csv" ? 2 : 1}`);
    }
  });

  test("R reads the rows where it is there, and refuses another file", { timeout: 120_000 }, async () => {
    if (!(await isHere("Rscript", ["--version"], "R"))) return;
    // The hash is R's own from 4.5 on; an older one is given it by the system.
    const shim =
      'if (!exists("sha256sum", asNamespace("tools"))) sha256sum <- function(file) sub(" .*", "", system2("sha256sum", file, stdout = TRUE)) else sha256sum <- tools::sha256sum';
    const path = join(folder, "rows.R");
    const runR = async (file: DataFile) => {
      const code = codeOf(file, "R,").replace("tools::sha256sum", "sha256sum");
      await writeFile(path, `${shim}\n${code}\ncat("ROWS", nrow(rows), ncol(rows), "\\n")\nprint(rows[[1]])`);
      return await run("Rscript", ["--encoding=UTF-8", path]);
    };
    const file = describeFile(kind);
    if (kind === "csv" || (await isHere("Rscript", ["-e", "library(jsonlite)"], "jsonlite for R")))
      expect((await runR(file)).output).toContain(`ROWS ${kind === "csv" ? 2 : 1} ${TYPES.length} \n[1] 4.5`);
    const changed = await runR({ ...file, contentSha256: "0".repeat(64) });
    expect([changed.failed, changed.output.includes("is not TRUE")]).toEqual([true, true]);
  });
});
