import { execFile } from "node:child_process";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ulid } from "ulid";
import { afterAll, describe, expect, it } from "vitest";
import { FileMissing } from "../../../../shared/platform/files/store.ts";
import type { Threads } from "../../../../shared/platform/threads/open.ts";
import type { ThreadsOptions } from "../../../../shared/platform/threads/pool.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { findDrawingBlocks } from "../../../../shared/text/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { writeDenseText } from "../../../support/dense-flowchart.ts";
import { LIMITS } from "../../tables/rows/reading.ts";
import { openStoredThreads } from "./stored-threads.ts";

/** Threads that have read a file are fit for the next test; what is ended has threads of its own. */
const sharedThreads: NonNullable<ThreadsOptions["sharedThreads"]> = new Map();

afterAll(async () => {
  for (const threads of sharedThreads.values()) await threads.destroy();
});

async function readAll(threads: Threads, key: string, format: "csv" | "json", query = "", bytes = 0) {
  const verdict = await threads.inspect({ key, format });
  const parsed = parseRowsQuery(new URLSearchParams(query), LIMITS);
  if (!verdict.ok || !parsed.ok) throw new Error("refused");
  const { inspection, tables } = verdict;
  return threads.readRows({
    ...{ key, file: { format, inspection, tables, bytes }, query: parsed.query },
    ...{ limits: LIMITS, loadIndex: async () => null },
  });
}

describe("threads", () => {
  it("that two services share read the files of each, and outlive the first of them", async () => {
    const [first, second] = [
      await openStoredThreads({ sharedThreads }),
      await openStoredThreads({ sharedThreads }),
    ];
    const [one, other] = [await first.put("a\n1\n"), await second.put("a\n1\n2\n")];
    expect(await first.threads.inspect({ key: one, format: "csv" })).toMatchObject({
      inspection: { row_count: 1 },
    });
    expect(await second.threads.inspect({ key: other, format: "csv" })).toMatchObject({
      inspection: { row_count: 2 },
    });
    await expect(second.threads.inspect({ key: one, format: "csv" })).rejects.toThrow(FileMissing);
    await first.threads.close();
    expect(await second.threads.inspect({ key: other, format: "csv" })).toMatchObject({
      inspection: { row_count: 2 },
    });
  });

  it("inspect an appended file, and count rows as its part has them", async () => {
    const { threads, put } = await openStoredThreads({ sharedThreads });
    const text = `a,b\n${"1,x\n".repeat(20)}`;
    const appendToIt = async (part: string) =>
      await threads.inspect({ key: await put(text + part), format: "csv", partFrom: text.length });
    expect(await appendToIt("2,y\n")).toMatchObject({ inspection: { row_count: 21 }, rowsAdded: 1 });
    expect(await appendToIt("")).toMatchObject({ inspection: { row_count: 20 }, rowsAdded: 0 });
    expect(await appendToIt("2\n")).toMatchObject({ ok: false, reason: expect.stringContaining("Row 2 ") });
  });

  it("inspect and read rows while statistics take as long as they take", async () => {
    const { threads, put, folder } = await openStoredThreads({ maxThreads: 1 });
    const [slow, light] = [ulid(), await put("a\n7\n")];
    // A file that gives no byte until somebody writes to it.
    const path = join(folder, slow.slice(-2), slow);
    await mkdir(join(path, ".."), { recursive: true });
    await promisify(execFile)("mkfifo", [path]);
    const known = await threads.inspect({ key: light, format: "csv" });
    if (!known.ok) throw new Error("refused");
    const { inspection, tables } = known;
    const file = { format: "csv" as const, inspection, tables, bytes: 4 };
    const measuring = threads.measure({ key: slow, file, readingIndex: null });
    expect(await threads.inspect({ key: light, format: "csv" })).toEqual(known);
    const outcome = await readAll(threads, light, "csv", "limit=1");
    expect(outcome).toMatchObject({ ok: true });
    // It gives its bytes for the index, and is a file when its rows are read.
    const pipe = await open(path, "w");
    await writeFile(`${path}-whole`, "a\n7\n");
    await rename(`${path}-whole`, path);
    await pipe.writeFile("a\n7\n");
    await pipe.close();
    const { stats = "null", forms } = (await measuring) ?? {};
    expect(JSON.parse(stats)).toMatchObject([{ columns: [{ name: "a", min: 7, max: 7 }] }]);
    expect(forms).toBe('[["integer"]]');
  });

  it("read rows while flowcharts take as long as they take", async () => {
    const { threads, put } = await openStoredThreads({ maxThreads: 1 });
    const key = await put("a\n7\n");
    let isDrawn = false;
    const blocks = findDrawingBlocks(parseMarkdown(writeDenseText(20)));
    const drawing = Promise.all(blocks.map((block) => threads.draw(block))).then(() => {
      isDrawn = true;
    });
    const ended = expect(drawing).rejects.toThrow();
    expect(await readAll(threads, key, "csv", "limit=1")).toMatchObject({ ok: true });
    expect(isDrawn).toBe(false);
    await threads.close();
    await ended;
  });

  it("reject with FileMissing where no such object is stored", async () => {
    const { threads } = await openStoredThreads({ sharedThreads });
    await expect(threads.inspect({ key: ulid(), format: "csv" })).rejects.toBeInstanceOf(FileMissing);
  });
});

// Sound JSON of ten megabytes: one record with three million empty lists.
const HEAVY = `[{"a":[${"[],".repeat(3_300_000)}1]}]`;

// Ten records that the sample takes apart, each of two million lists.
const SLOW = `[${Array.from({ length: 10 }, () => `{"a":[${"[],".repeat(2_000_000)}1]}`).join(",")}]`;

describe("a thread that is ended", () => {
  it("for its memory refuses the file, and the pool lives on", async () => {
    const { threads, put } = await openStoredThreads({ maxThreads: 1, memoryMb: 16 });
    const [heavy, light] = [await put(HEAVY), await put("a\n1\n")];
    const verdicts = await Promise.all([
      threads.inspect({ key: heavy, format: "json" }),
      threads.inspect({ key: light, format: "csv" }),
      threads.inspect({ key: heavy, format: "json" }),
    ]);
    const refused = { ok: false, reason: expect.stringContaining("too large to inspect in memory") };
    expect(verdicts).toMatchObject([refused, { ok: true, inspection: { row_count: 1 } }, refused]);
  });

  it("for its time refuses the file, and the pool lives on", async () => {
    const { threads, put } = await openStoredThreads({
      maxThreads: 1,
      inspectTimeoutMs: 1_500,
      memoryMb: 2_048,
    });
    const [slow, light] = [await put(SLOW), await put("a\n1\n")];
    const verdicts = await Promise.all([
      threads.inspect({ key: slow, format: "json" }),
      threads.inspect({ key: light, format: "csv" }),
    ]);
    expect(verdicts).toMatchObject([
      { ok: false, reason: expect.stringContaining("took too long to inspect") },
      { ok: true, inspection: { row_count: 1 } },
    ]);
  });

  it("is given the time of a task from its begin: its own start takes none of it", async () => {
    const verdicts: boolean[] = [];
    for (let round = 0; round < 5 && !verdicts.includes(true); round++) {
      // A thread takes longer than this to start, and a line far less, unless other work comes between.
      const { threads, put } = await openStoredThreads({ inspectTimeoutMs: 100 });
      verdicts.push((await threads.inspect({ key: await put("a\n1\n"), format: "csv" })).ok);
    }
    expect(verdicts).toContain(true);
  });

  it("while it reads rows answers too_large_to_read", async () => {
    const { threads, put } = await openStoredThreads({ maxThreads: 1, rowsTimeoutMs: 1 });
    const outcome = await readAll(threads, await put(`a\n${"1\n".repeat(500_000)}`), "csv");
    expect(outcome).toMatchObject({
      ok: false,
      code: "too_large_to_read",
      message: expect.stringMatching(/\.$/),
    });
  });
});
