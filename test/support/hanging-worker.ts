import { openJobs } from "../../shared/platform/jobs/open.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { openPool } from "../../sql/connection/pool.ts";

// A worker that takes a job and never ends it: node hanging-worker.ts DATABASE_URL [REDIS_URL]. It prints
// "taken" when it has one.
const [, , databaseUrl = "", redisUrl] = process.argv;
const pool = await openPool(databaseUrl, { maxConnections: 2 });
const jobs = await openJobs(databaseUrl, pool, { redisUrl, works: true, log: openLog("silent", "test") });
await jobs.work(
  "draw-blocks",
  async () => {
    console.log(JSON.stringify({ msg: "taken" }));
    await new Promise(() => setInterval(() => undefined, 60_000));
  },
  1,
);
console.log(JSON.stringify({ msg: "waits" }));
