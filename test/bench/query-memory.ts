import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openThreads } from "../../shared/platform/threads/open.ts";
import { readQuestion } from "../../shared/tables/questions/read-question.ts";
import type { RowsFile } from "../../shared/tables/rows/plan.ts";
import { medianOf } from "./race.ts";

const MOST_TIMES_THE_FILE = 3;
const TURNS = 5;
const LIMITS = {
  ...{ rowsPerCall: 500, rowsResponseBytes: 1_000_000, jsonTableBytes: 33_554_432 },
  ...{ queryBytes: 67_108_864, queryGroups: 100_000 },
};
const SMALL_KEY = "01M7WVM8W0T8NYB19BE1ATAT9N";
const LARGE_KEY = "01M7WVM8W0T8NYB19BE1ATAT9P";
const SMALL = "id,city,price\n1,Husum,1\n";

const QUESTIONS: Readonly<Record<string, object>> = {
  "group and sum": { group: [{ column: "city" }], aggregate: [{ op: "sum", column: "price" }] },
  "sort by number": { sort: [{ column: "price", order: "desc" }], limit: 100 },
  "100,000 groups": {
    group: [{ column: "id" }],
    filter: [{ column: "id", op: "lte", value: "100000" }],
    limit: 100,
  },
  "search and count": { q: "river", aggregate: [{ op: "count" }] },
};

/** What a process that asks needs of a stored file. */
interface Stored {
  key: string;
  file: RowsFile;
}

/**
 * How much the memory of a process grows, at its most, while one thread answers the first question about a table of
 * 10 MiB: the file, what is cached of it and garbage are all in it; the thread itself, which a question about a small
 * file started, is not.
 */
export async function measureQueryMemory(large: Buffer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    await store(folder, SMALL_KEY, Buffer.from(SMALL));
    await store(folder, LARGE_KEY, large);
    const missed: string[] = [];
    for (const name of Object.keys(QUESTIONS)) missed.push(...(await measureOne(folder, name)));
    return missed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureOne(folder: string, name: string): Promise<string[]> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      fileURLToPath(import.meta.url),
      folder,
      name,
    ]);
    times.push(Number(stdout));
  }
  const median = medianOf(times);
  const isMet = median <= MOST_TIMES_THE_FILE;
  const told = times.map((one) => one.toFixed(2)).join(", ");
  console.log(
    `${isMet ? "met   " : "MISSED"} memory, ${name}: ${median.toFixed(2)} times the file (${told}; must ${MOST_TIMES_THE_FILE})`,
  );
  return isMet ? [] : [`query: ${name} takes ${median.toFixed(2)} times the file of memory`];
}

async function store(folder: string, key: string, content: Buffer): Promise<void> {
  const { prepareFile } = await import("../shared/tables/rows/reading.ts");
  const { inspectAccepted, streamBytes } = await import("../shared/tables/inspection/sources.ts");
  const { file } = await prepareFile(content, "csv");
  const { readingIndex } = await inspectAccepted(content, "csv");
  const { openFileStore } = await import("../../shared/platform/files/open.ts");
  await openFileStore(`file:${folder}`).put(key, streamBytes(content));
  await writeFile(join(folder, `${key}.index`), readingIndex ?? "");
  await writeFile(join(folder, `${key}.json`), JSON.stringify({ key, file } satisfies Stored));
}

/** In a process of its own, which has read and made nothing large before. */
async function growOver(folder: string, question: object): Promise<number> {
  const threads = openThreads({
    ...{ filesUrl: `file:${folder}`, maxThreads: 2, memoryMb: 256 },
    ...{ inspectTimeoutMs: 20_000, rowsTimeoutMs: 20_000 },
  });
  const ask = async (key: string) => {
    const { file }: Stored = JSON.parse(await readFile(join(folder, `${key}.json`), "utf8"));
    const query = new URLSearchParams({ question: JSON.stringify(question) }).toString();
    const answer = await threads.query({
      ...{ requester: { key: "bench", signal: new AbortController().signal }, key, file, limits: LIMITS },
      question: readQuestion(query, "page", LIMITS.rowsPerCall).question,
      loadIndex: () => readFile(join(folder, `${key}.index`)),
      asked: { assetId: key, contentSha256: "2cf2" },
    });
    if (!answer.ok) throw new Error(`${answer.message} ${JSON.stringify(answer.errors)}`);
    return file.bytes;
  };
  try {
    await ask(SMALL_KEY);
    // The kernel keeps the most that a process ever had; "5" makes that what it has now.
    writeFileSync("/proc/self/clear_refs", "5");
    const before = readStatus("VmRSS");
    const bytes = await ask(LARGE_KEY);
    return (readStatus("VmHWM") - before) / bytes;
  } finally {
    await threads.close();
  }
}

const readStatus = (name: "VmRSS" | "VmHWM") =>
  1_024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))?.[1]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = "", name = ""] = process.argv.slice(2);
  console.log(await growOver(folder, QUESTIONS[name] ?? {}));
}
