import { ulid } from "ulid";
import { afterAll, describe, expect, it } from "vitest";
import { FileMissing } from "../../../../shared/platform/files/store.ts";
import type { ThreadsOptions } from "../../../../shared/platform/threads/pool.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { inspectAccepted } from "../../tables/inspection/sources.ts";
import { asText, LIMITS, prepareFile, readRows } from "../../tables/rows/reading.ts";
import { openStoredThreads } from "./stored-threads.ts";

const sharedThreads: NonNullable<ThreadsOptions["sharedThreads"]> = new Map();

afterAll(async () => {
  for (const threads of sharedThreads.values()) await threads.destroy();
});

const ROWS = 12_000;
const SMALL_CACHE_BYTES = 200_000;
const CSV = `id,word,note\n${Array.from({ length: ROWS }, (_, at) => `${at},w${at % 97},"${at % 5 === 0 ? `Größe, ${at}\n` : "x".repeat(at % 60)}"\n`).join("")}`;

/** A stored file with its index, and a reader of it in a process's manner beside one that knows no cache. */
async function openDashboard(content: string, format: "csv" | "json", rowsCacheBytes?: number) {
  const { threads, put } = await openStoredThreads({ rowsCacheBytes, sharedThreads });
  const key = await put(content);
  const { readingIndex } = await inspectAccepted(content, format);
  const ready = await prepareFile(content, format);
  let indexLoads = 0;
  const loadIndex = async (): Promise<Uint8Array | null> => {
    indexLoads++;
    return readingIndex;
  };
  const parse = (query: string) => {
    const parsed = parseRowsQuery(new URLSearchParams(query), LIMITS);
    if (!parsed.ok) throw new Error(`the test asks wrongly: ${query}`);
    return parsed.query;
  };
  const ask = async (query: string, load: (() => Promise<Uint8Array | null>) | undefined = loadIndex) =>
    asText(
      await threads.readRows({
        key,
        file: ready.file,
        query: parse(query),
        limits: LIMITS,
        loadIndex: load,
      }),
    );
  const alone = new Map<string, ReturnType<typeof asText>>();
  const askAlone = async (query: string) => {
    const known = alone.get(query) ?? asText(await readRows(ready, parse(query), LIMITS));
    alone.set(query, known);
    return known;
  };
  return { threads, key, ready, parse, ask, askAlone, countIndexLoads: () => indexLoads };
}

const QUERIES = [
  "",
  "offset=6000&limit=500",
  "offset=11990",
  "offset=12000",
  "from=end&offset=7&limit=3",
  "columns[]=note&columns[]=id&offset=3456",
  "filter[0][column]=id&filter[0][op]=gte&filter[0][value]=11000&limit=5",
  "filter[0][column]=id&filter[0][op]=gte&filter[0][value]=11000&limit=5&from=end",
  "filter[0][column]=note&filter[0][op]=contains&filter[0][value]=GRÖSSE,+1",
  "filter[0][column]=note&filter[0][op]=contains&filter[0][value]=GRÖßE,+1&filter[1][column]=word&filter[1][op]=eq&filter[1][value]=w5",
  "filter[0][column]=word&filter[0][op]=lt&filter[0][value]=w1&offset=100",
  "filter[0][column]=note&filter[0][op]=eq",
];

describe("rows of a stored file", () => {
  it.each([undefined, 0, SMALL_CACHE_BYTES])(
    "are the same cold and warm, with a cache of %s bytes",
    async (cacheBytes) => {
      const { ask, askAlone } = await openDashboard(CSV, "csv", cacheBytes);
      for (let round = 0; round < 2; round++) {
        for (const query of QUERIES) expect(await ask(query), query).toEqual(await askAlone(query));
      }
    },
  );

  it("are the same where inspection kept no index, or one of another version", async () => {
    const { ask, askAlone } = await openDashboard(CSV, "csv");
    const query = QUERIES[1] ?? "";
    expect(await ask(query, async () => null)).toEqual(await askAlone(query));
    const other = await openDashboard(CSV, "csv");
    expect(await other.ask(query, async () => Uint8Array.of(250, 1, 2))).toEqual(await askAlone(query));
  });

  it("come from the list that is asked for", async () => {
    const list = (name: string) =>
      Array.from({ length: 900 }, (_, at) => ({ [name]: at, text: "y".repeat(99) }));
    const { ask, askAlone } = await openDashboard(
      JSON.stringify({ a: list("x"), b: [1], c: list("z") }),
      "json",
    );
    for (const query of [
      "table=c&offset=880",
      "table=a&offset=880",
      "table=c&filter[0][column]=z&filter[0][op]=gt&filter[0][value]=890",
      "table=a&filter[0][column]=x&filter[0][op]=gt&filter[0][value]=891",
    ]) {
      expect(await ask(query), query).toEqual(await askAlone(query));
    }
  });

  it("that are long are read in a thread, and the event loop goes on", async () => {
    const { ask, askAlone } = await openDashboard(`a,b\n${`1,${"é".repeat(20_000)}\n`.repeat(150)}`, "csv");
    for (const query of ["limit=500&columns[]=a", "limit=500", "limit=500&from=end"]) {
      expect(await ask(query), query).toEqual(await askAlone(query));
    }
  });

  it("are right for many who ask at once, with one load of the kept index", async () => {
    const { ask, askAlone, countIndexLoads } = await openDashboard(CSV, "csv");
    await ask("");
    const asked = Array.from({ length: 36 }, (_, at) => QUERIES[at % QUERIES.length] ?? "");
    const answers = await Promise.all(asked.map((query) => ask(query)));
    for (const [at, query] of asked.entries()) expect(answers[at], query).toEqual(await askAlone(query));
    expect(countIndexLoads()).toBe(1);
  });

  it("are missing with the file", async () => {
    const { threads, ready, parse } = await openDashboard("a\n1\n", "csv");
    const query = parse("limit=10");
    const question = {
      key: ulid(),
      file: ready.file,
      query,
      limits: LIMITS,
      loadIndex: async () => null,
    };
    await expect(threads.readRows(question)).rejects.toBeInstanceOf(FileMissing);
  });
});
