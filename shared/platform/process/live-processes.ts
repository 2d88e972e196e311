import { hostname } from "node:os";
import {
  deleteProcess,
  deleteProcessesBefore,
  listProcesses,
  type ProcessRow,
  upsertProcess,
} from "../../../sql/platform/service-processes.ts";
import { VERSION } from "../../ground/version.ts";
import type { Deps } from "../deps.ts";
import { WORKERS, type WorkerName } from "../jobs/catalogue.ts";

const HEARTBEAT_EVERY_MS = 10_000;
/** A process that is busy or waits for its database misses a few signs and lives. */
const LIVES_FOR_MS = 45_000;
const FORGOTTEN_AFTER_MS = 3_600_000;

/** Gives signs that this process lives, until `stop`, which forgets it at once. A failing database stops no work. */
export async function startHeartbeat(
  deps: Deps,
  process_: { kind: ProcessRow["kind"]; workers: readonly WorkerName[] },
  everyMs = HEARTBEAT_EVERY_MS,
): Promise<{ stop(): Promise<void> }> {
  const started_at = deps.now();
  const about = { ...process_, workers: [...process_.workers], host: hostname(), pid: process.pid };
  const row = { ...about, id: deps.newId(), version: VERSION, started_at };
  const sign = async () => {
    try {
      const seen_at = deps.now();
      await upsertProcess(deps.pool, { ...row, seen_at });
      await deleteProcessesBefore(deps.pool, seen_at - FORGOTTEN_AFTER_MS);
    } catch (err) {
      deps.log.warn({ err }, "this process could not say that it lives");
    }
  };
  await sign();
  let signing = Promise.resolve();
  const timer = setInterval(() => {
    signing = signing.then(sign);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await signing;
      await deleteProcess(deps.pool, row.id).catch(() => undefined);
    },
  };
}

/**
 * The processes that live, and the workers that none of them does: which gave a sign within three quarters of a minute, on
 * all machines of the service.
 */
export async function listLiveProcesses({ pool, now }: Pick<Deps, "pool" | "now">) {
  const processes = await listProcesses(pool, now() - LIVES_FOR_MS);
  const done = new Set(processes.flatMap(({ workers }) => workers));
  return { processes, missing: WORKERS.filter((worker) => !done.has(worker)) };
}
