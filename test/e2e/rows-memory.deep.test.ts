import { expect, test } from "vitest";
import { ROOMY } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { publishTables } from "../support/tables-in-turn.ts";

const CACHE_MIB = 256;

/** What the API may take, by what it takes once the tables are published and before anybody reads them. */

const service = await openServiceOfRun({ ...ROOMY, LIMIT_FILE_BYTES: String(2 * 1024 ** 3) });
const [api] = await Promise.all([service.startApi(), service.startWorkers(["inspect"])]);
const readInTurn = await publishTables(service, api, { tables: 36, mib: 10 });
const boundMib = ((await residentMib(api.pid)) + CACHE_MIB) * 1.2 + 32;
console.log(`API: at most ${boundMib.toFixed(0)} MiB wanted`);

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
