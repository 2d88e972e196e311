import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import type { DataColumn } from "../../../../shared/text/snippets/data-file.ts";
import { some } from "../../../support/depth.ts";
import { codeOf, serveSample } from "./serve-sample.ts";

const IDS = ["9007199254740993", "1729384756102938475", "123456789012345678901234567890", null];
const CSV = `id,v\n${IDS.map((id) => `${id ?? '""'},1.5\n`).join("")}`;
const LINES = IDS.map((id) => `{"id":${id},"v":1.5}`);
const LIST = `[${LINES.join(",")}]`;
const CONTENTS = { csv: CSV, list: LIST, document: `{"rows":${LIST}}` };
const plain: Omit<DataColumn, "name" | "type" | "isDigits"> = { missing: ["-1"], time: null, unit: null };
const COLUMNS: DataColumn[] = [
  { ...plain, name: "id", type: "text", isDigits: true },
  { ...plain, name: "v", type: "number", isDigits: false },
];

const { folder, describeFile, run, isHere } = await serveSample({
  contents: CONTENTS,
  table: "rows",
  columns: COLUMNS,
  linesOf: (kind) =>
    kind === "csv" ? LINES.map((line) => line.replace(/:(\d\S*?)(?=[,}])/g, ':"$1"')) : LINES,
});

/** The ids that a program prints which reads the rows. */
async function readIds(program: string, path: string, code: string): Promise<unknown> {
  await writeFile(path, code);
  const { output } = await run(program, [path]);
  return JSON.parse(output.slice(output.indexOf("ROWS") + 4));
}

const FORMS: ["csv" | "list", DataColumn[]][] = [
  ["csv", COLUMNS],
  ["list", COLUMNS],
  ["csv", []],
  ["list", []],
];

test.each(some(FORMS, 3))(
  "whole numbers over 2^53 in %s keep their digits in every snippet",
  async (kind, columns) => {
    const file = { ...describeFile(kind), columns };
    const node = codeOf(file, "Node");
    const path = join(folder, "rows");
    const told = 'console.log("ROWS" + JSON.stringify(rows.map(({ id }) => id)));';
    expect(await readIds(process.execPath, `${path}.mjs`, `${node}\n${told}`)).toEqual(IDS);
    const observable = codeOf(file, "Observable").replace(/^rows = /, "");
    const wrapped = `const rows = await (async () => ${observable})();\n${told}`;
    expect(await readIds(process.execPath, `${path}.mjs`, wrapped)).toEqual(IDS);
    for (const library of ["pandas", "polars"]) {
      if (!(await isHere("python3", ["-c", `import ${library}`], library))) continue;
      const python = codeOf(file, `Python with ${library}`);
      const list =
        library === "pandas" ? 'rows["id"].astype(object).where(rows["id"].notna(), None)' : 'rows["id"]';
      const print = `print("ROWS" + json.dumps([None if id in ("", None) else str(id) for id in ${list}]))`;
      expect([library, await readIds("python3", `${path}-${kind}.py`, `${python}\n${print}`)]).toEqual([
        library,
        IDS,
      ]);
    }
    expect(codeOf(file, "R")).toContain(kind === "csv" ? '"character"' : "bigint_as_char = TRUE");
    expect(codeOf(file, "R")).not.toContain('numbers <- c("id"');
    // Without types, DuckDB takes whole numbers of a JSON file that are over 64 bits for doubles.
    if (kind === "list" && columns.length === 0) return;
    await writeFile(join(folder, `data.${file.format}`), CONTENTS[kind]);
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    const code = codeOf(file, "DuckDB").replaceAll("'data.", `'${folder}/data.`);
    const rows = await (await (await duckdb.extractStatements(code)).prepare(1)).runAndReadAll();
    expect(rows.getColumnsJson()[0]).toEqual(IDS);
    duckdb.closeSync();
  },
);
