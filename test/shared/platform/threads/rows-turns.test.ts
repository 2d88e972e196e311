import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ulid } from "ulid";
import { beforeEach, describe, expect, it, test } from "vitest";
import { workFor } from "../../../../shared/platform/concurrency/places.ts";
import type { Threads } from "../../../../shared/platform/threads/open.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { inspectAccepted } from "../../tables/inspection/sources.ts";
import { LIMITS, readJson } from "../../tables/rows/reading.ts";
import { openStoredThreads } from "./stored-threads.ts";

const CONTENT = "a\n7\n";

let folder: string;
let threads: Threads;
let put: (content: string) => Promise<string>;
beforeEach(async () => {
  ({ folder, threads, put } = await openStoredThreads({ maxThreads: 3 }));
});

const pathOf = (key: string) => join(folder, key.slice(-2), key);

/** A stored file whose bytes come once somebody writes them. */
async function putSlowFile(): Promise<string> {
  const key = ulid();
  await mkdir(dirname(pathOf(key)), { recursive: true });
  await promisify(execFile)("mkfifo", [pathOf(key)]);
  return key;
}

const putFile = () => put(CONTENT);

/** What a question about the content needs to know of it. */
async function inspect(content: string) {
  const { inspection, tables, readingIndex } = await inspectAccepted(content, "csv");
  const file = { format: "csv" as const, inspection, tables, bytes: content.length };
  return { file, limits: LIMITS, loadIndex: async () => readingIndex };
}

/** Asks for the rows over 6; counts how many of a requester's questions were answered. */
async function openReader(name: string, signal = new AbortController().signal) {
  const inspected = await inspect(CONTENT);
  const parsed = parseRowsQuery(
    new URLSearchParams("filter[0][column]=a&filter[0][op]=gt&filter[0][value]=6"),
    LIMITS,
  );
  if (!parsed.ok) throw new Error("the test asks wrongly");
  const answered: string[] = [];
  const ask = async (key: string) => {
    const question = { ...inspected, key, query: parsed.query };
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
});

test("what somebody asked who has left ends within a second", async () => {
  // Half a million rows of cells that are compared as texts take longer than that.
  const content = `a,b,c,d\n${'"""","""","""",""""\n'.repeat(500_000)}`;
  const key = await put(content);
  const filters = ["a", "b", "c", "d"].map(
    (name, at) => `filter[${at}][column]=${name}&filter[${at}][op]=contains&filter[${at}][value]=%22`,
  );
  const parsed = parseRowsQuery(new URLSearchParams(filters.join("&")), LIMITS);
  if (!parsed.ok) throw new Error("the test asks wrongly");
  const question = { ...(await inspect(content)), key, query: parsed.query };
  const leaving = new AbortController();
  const asked = workFor({ key: "leaver", signal: leaving.signal }, () => threads.readRows(question));
  setTimeout(() => leaving.abort(), 200);
  await expect(asked).rejects.toThrow("too much to do");
});
