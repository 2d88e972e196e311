import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import type { DataColumn, DataFile } from "../../../../shared/text/snippets/data-file.ts";
import { writeSnippets } from "../../../../shared/text/snippets/write-snippets.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { some } from "../../../support/depth.ts";

const IDS = ["9007199254740993", "1729384756102938475", "123456789012345678901234567890", null];
const CSV = `id,v\n${IDS.map((id) => `${id ?? '""'},1.5\n`).join("")}`;
const LINES = IDS.map((id) => `{"id":${id},"v":1.5}`);
const CONTENTS = { csv: CSV, json: `[${LINES.join(",")}]` };
const plain: Omit<DataColumn, "name" | "type" | "isDigits"> = { missing: ["-1"], time: null, unit: null };
const COLUMNS: DataColumn[] = [
  { ...plain, name: "id", type: "text", isDigits: true },
  { ...plain, name: "v", type: "number", isDigits: false },
];

const server = createServer(({ url }, response) => {
  const lines = LINES.map((line) => line.replace(/:(\d\S*?)(?=[,}])/g, ':"$1"'));
  if (url === "/csv/rows") response.end(lines.join("\n"));
  else response.end(url === "/json/rows" ? LINES.join("\n") : Reflect.get(CONTENTS, url?.slice(1) ?? ""));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const site = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
const folder = await openFolder();

afterAll(() => server.close());

function codeOf(format: "csv" | "json", columns: DataColumn[], name: string): string {
  const contentSha256 = createHash("sha256").update(CONTENTS[format]).digest("hex");
  const [url, rowsUrl] = [`${site}/${format}`, `${site}/${format}/rows`];
  const file: DataFile = { url, rowsUrl, contentSha256, format, table: null, columns, parquet: null };
  return writeSnippets(file).find((snippet) => snippet.name.startsWith(name))?.code ?? "";
}

/** What a program prints that runs in a process of its own, as this one answers its requests. */
async function run(program: string, path: string, code: string): Promise<unknown> {
  writeFileSync(path, code);
  const { stdout } = await promisify(execFile)(program, [path], { cwd: folder });
  return JSON.parse(stdout.slice(stdout.indexOf("ROWS") + 4));
}

function hasModule(library: string): boolean {
  try {
    execFileSync("python3", ["-c", `import ${library}`], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`SKIPPED: there is no ${library} here, so it read no long number by our code`);
    return false;
  }
}

const FORMS: ["csv" | "json", DataColumn[]][] = [
  ["csv", COLUMNS],
  ["json", COLUMNS],
  ["csv", []],
  ["json", []],
];

test.each(some(FORMS, 3))(
  "whole numbers over 2^53 in %s keep their digits in every snippet",
  async (format, columns) => {
    const node = codeOf(format, columns, "Node");
    const path = join(folder, "rows");
    const told = 'console.log("ROWS" + JSON.stringify(rows.map(({ id }) => id)));';
    expect(await run(process.execPath, `${path}.mjs`, `${node}\n${told}`)).toEqual(IDS);
    const observable = codeOf(format, columns, "Observable").replace(/^rows = /, "");
    const wrapped = `const rows = await (async () => ${observable})();\n${told}`;
    expect(await run(process.execPath, `${path}.mjs`, wrapped)).toEqual(IDS);
    for (const library of ["pandas", "polars"].filter(hasModule)) {
      const python = codeOf(format, columns, `Python with ${library}`);
      const list =
        library === "pandas" ? 'rows["id"].astype(object).where(rows["id"].notna(), None)' : 'rows["id"]';
      const print = `print("ROWS" + json.dumps([None if id in ("", None) else str(id) for id in ${list}]))`;
      expect([library, await run("python3", `${path}-${format}.py`, `${python}\n${print}`)]).toEqual([
        library,
        IDS,
      ]);
    }
    expect(codeOf(format, columns, "R")).toContain(
      format === "csv" ? '"character"' : "bigint_as_char = TRUE",
    );
    expect(codeOf(format, columns, "R")).not.toContain('numbers <- c("id"');
    // Without types, DuckDB takes whole numbers of a JSON file that are over 64 bits for doubles.
    if (format === "json" && columns.length === 0) return;
    writeFileSync(join(folder, `data.${format}`), CONTENTS[format]);
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    const code = codeOf(format, columns, "DuckDB").replaceAll("'data.", `'${folder}/data.`);
    const rows = await (await (await duckdb.extractStatements(code)).prepare(1)).runAndReadAll();
    expect(rows.getColumnsJson()[0]).toEqual(IDS);
    duckdb.closeSync();
  },
);
