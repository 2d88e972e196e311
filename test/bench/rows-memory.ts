// The memory of an API process while one address reads rows of 36 tables of 10 MB in turn, as often as it may.
import { openRealService } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { publishTables } from "../support/tables-in-turn.ts";
import { ROOMY } from "./site.ts";

const MINUTES = Number(process.env.ROWS_MINUTES ?? 5);
const READ_EVERY_MS = 2_000;
const CACHE_MIB = 256;

/** Measures the most that it takes beside what it takes at rest; ROWS_MINUTES makes it longer, up to an hour and more. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const readInTurn = await publishTables(service, api, { tables: 36, mib: 10 });
    const restMib = await residentMib(api.pid);
    const mostMib = await readInTurn("rows", (MINUTES * 60_000) / READ_EVERY_MS, READ_EVERY_MS);
    const bound = (restMib + CACHE_MIB) * 1.2 + 32;
    const told = `API: ${restMib.toFixed(0)} MiB at rest, ${mostMib.toFixed(0)} MiB at most (at most ${bound.toFixed(0)} MiB)`;
    console.log(told);
    return mostMib <= bound ? [] : [told];
  } finally {
    await service.close();
  }
}
