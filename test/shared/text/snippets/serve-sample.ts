import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { afterAll } from "vitest";
import type { DataColumn, DataFile } from "../../../../shared/text/snippets/data-file.ts";
import { writeSnippets } from "../../../../shared/text/snippets/write-snippets.ts";
import { openFolder } from "../../../support/close-afterwards.ts";

export const KINDS = ["csv", "list", "document"] as const;
export type Kind = (typeof KINDS)[number];

export const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

interface Sample {
  /** One table as CSV, as a JSON list, and as a JSON document's table of this name. */
  contents: Record<Kind, string>;
  table: string;
  columns: DataColumn[];
  /** The rows of each as they are read over the network, a line of JSON each. */
  linesOf(kind: Kind): string[];
}

/** Serves a sample until the test file ends, with a folder in which programs run that read it. */
export async function serveSample({ contents, table, columns, linesOf }: Sample) {
  const server = createServer(({ url = "" }, response) => {
    const [, kind = "csv", part] = url.split("/") as [string, Kind, string];
    response.end(part === "rows" ? linesOf(kind).join("\n") : contents[kind]);
  });
  const folder = await openFolder();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const site = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

  const describeFile = (kind: Kind): DataFile => ({
    url: `${site}/${kind}/it's`,
    rowsUrl: `${site}/${kind}/rows`,
    contentSha256: createHash("sha256").update(contents[kind]).digest("hex"),
    format: kind === "csv" ? "csv" : "json",
    table: kind === "document" ? table : null,
    columns,
    parquet: null,
  });

  async function run(program: string, args: string[]): Promise<{ failed: boolean; output: string }> {
    return await new Promise((resolve) => {
      execFile(program, args, { cwd: folder, timeout: 240_000 }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
      );
    });
  }

  const found = new Map<string, boolean>();

  /** Whether a program runs here, with what it imports, which is asked once; said loudly where not. */
  async function isHere(program: string, args: string[], what: string): Promise<boolean> {
    const isKnown = found.get(what);
    if (isKnown !== undefined) return isKnown;
    const { failed } = await run(program, args);
    found.set(what, !failed);
    if (failed) console.warn(`LEFT OUT: there is no ${what} here, so it read no table by our code`);
    return !failed;
  }

  return { site, folder, describeFile, run, isHere };
}

export const codeOf = (file: DataFile, name: string) =>
  writeSnippets(file).find((snippet) => snippet.name.startsWith(name))?.code ?? "";
