import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ROOMY } from "../bench/site.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { publishTables } from "../support/tables-in-turn.ts";

const CACHE_MIB = 256;

let service: RealService;
let api: ApiProcess;
let readInTurn: Awaited<ReturnType<typeof publishTables>>;
/** What the API may take, by what it takes once the tables are published and before anybody reads them. */
let boundMib = 0;

beforeAll(async () => {
  service = await openRealService({
    cluster: inject("cluster"),
    env: { ...ROOMY, LIMIT_FILE_BYTES: String(2 * 1024 ** 3) },
  });
  [api] = await Promise.all([service.startApi(), service.startWorkers(["inspect"])]);
  readInTurn = await publishTables(service, api, { tables: 36, mib: 10 });
  boundMib = ((await residentMib(api.pid)) + CACHE_MIB) * 1.2 + 32;
  console.log(`API: at most ${boundMib.toFixed(0)} MiB wanted`);
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "rows of 36 tables of 10 MB in turn, and questions about them, keep to the memory of the cache",
  { timeout: 900_000 },
  async () => {
    expect(await readInTurn("rows", 144)).toBeLessThan(boundMib);
    expect(await readInTurn("questions", 72)).toBeLessThan(boundMib);
  },
);

test.skipIf(process.platform !== "linux")(
  "rows of tables of 300 MB keep to it too",
  { timeout: 900_000 },
  async () => {
    const readLarge = await publishTables(service, api, { tables: 2, mib: 300 });
    expect(await readLarge("rows", 8)).toBeLessThan(boundMib);
  },
);
