import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ulid } from "ulid";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { workFor } from "../../../../shared/platform/concurrency/places.ts";
import { openFileStore } from "../../../../shared/platform/files/open.ts";
import { openThreads, type Threads } from "../../../../shared/platform/threads/open.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { inspectAccepted, streamBytes } from "../../tables/inspection/sources.ts";
import { LIMITS, prepareFile, readJson } from "../../tables/rows/reading.ts";

const CONTENT = "a\n7\n";

let folder: string;
let threads: Threads;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-turns-"));
  const timeouts = { inspectTimeoutMs: 20_000, rowsTimeoutMs: 20_000 };
  threads = openThreads({ filesUrl: `file:${folder}`, maxThreads: 3, memoryMb: 256, ...timeouts });
});
afterEach(async () => {
  await threads.close();
  await rm(folder, { recursive: true });
});

const pathOf = (key: string) => join(folder, key.slice(-2), key);

/** A stored file whose bytes come once somebody writes them. */
async function putSlowFile(): Promise<string> {
  const key = ulid();
  await mkdir(dirname(pathOf(key)), { recursive: true });
  await promisify(execFile)("mkfifo", [pathOf(key)]);
  return key;
}

async function putFile(): Promise<string> {
  const key = ulid();
  await openFileStore(`file:${folder}`).put(key, streamBytes(CONTENT));
  return key;
}

/** Asks for the rows over 6; counts how many of a requester's questions were answered. */
async function openReader(name: string, signal = new AbortController().signal) {
  const { file } = await prepareFile(CONTENT, "csv");
  const { readingIndex } = await inspectAccepted(CONTENT, "csv");
  const parsed = parseRowsQuery(
    new URLSearchParams("filter[0][column]=a&filter[0][op]=gt&filter[0][value]=6"),
    LIMITS,
  );
  if (!parsed.ok) throw new Error("the test asks wrongly");
  const answered: string[] = [];
  const ask = async (key: string) => {
    const question = { key, file, query: parsed.query, limits: LIMITS, loadIndex: async () => readingIndex };
    const outcome = await workFor({ key: name, signal }, () => threads.readRows(question));
    expect(outcome.ok && JSON.parse(readJson(outcome))).toMatchObject({ matched: 1 });
    answered.push(key);
  };
  return { ask, answered };
}

describe("questions with conditions", () => {
  it("of one requester wait for each other, those of others pass them, and whoever leaves is dropped", async () => {
    const leaving = new AbortController();
    const [busy, honest, gone] = [
      await openReader("a"),
      await openReader("b"),
      await openReader("c", leaving.signal),
    ];
    const [slow, slower, light, missing] = [
      await putSlowFile(),
      await putSlowFile(),
      await putFile(),
      ulid(),
    ];
    const works = [busy.ask(slow), busy.ask(slower), busy.ask(light)];
    // Two of three threads wait for a file; the third is left to others.
    await honest.ask(light);
    expect(busy.answered).toEqual([]);
    const last = await putSlowFile();
    works.push(honest.ask(last));
    // Its file is missing, which nobody notices: the question never gets its turn.
    const dropped = expect(gone.ask(missing)).rejects.toMatchObject({ status: 503 });
    leaving.abort();
    await dropped;
    await writeFile(pathOf(last), CONTENT);
    await Promise.all([writeFile(pathOf(slow), CONTENT), writeFile(pathOf(slower), CONTENT)]);
    await Promise.all(works);
    expect(busy.answered.toSorted()).toEqual([slow, slower, light].toSorted());
  });

  it("of one requester, ten at once, are all answered", async () => {
    const reader = await openReader("a");
    const keys = await Promise.all(Array.from({ length: 10 }, putFile));
    await Promise.all(keys.map((key) => reader.ask(key)));
    expect(reader.answered).toHaveLength(10);
  });
});

test("what somebody asked who has left ends within a second", async () => {
  // Half a million rows of cells that are compared as texts take longer than that.
  const content = `a,b,c,d\n${`""""""""""""\n`.replace(/"{12}/, '"""","""","""",""""').repeat(500_000)}`;
  const key = ulid();
  await openFileStore(`file:${folder}`).put(key, streamBytes(content));
  const { file } = await prepareFile(content, "csv");
  const { readingIndex } = await inspectAccepted(content, "csv");
  const filters = ["a", "b", "c", "d"].map(
    (name, at) => `filter[${at}][column]=${name}&filter[${at}][op]=contains&filter[${at}][value]=%22`,
  );
  const parsed = parseRowsQuery(new URLSearchParams(filters.join("&")), LIMITS);
  if (!parsed.ok) throw new Error("the test asks wrongly");
  const question = { key, file, query: parsed.query, limits: LIMITS, loadIndex: async () => readingIndex };
  const leaving = new AbortController();
  const asked = workFor({ key: "leaver", signal: leaving.signal }, () => threads.readRows(question));
  setTimeout(() => leaving.abort(), 200);
  await expect(asked).rejects.toThrow("too much to do");
});
