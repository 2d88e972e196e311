import { sweepAgedFiles } from "../../../shared/datasets/uploads/discard-files.ts";
import { sweepExpiredUploads } from "../../../shared/datasets/uploads/sweeps.ts";
import { DAY_MS, HOUR_MS } from "../../../shared/ground/times.ts";
import type { JobName, JobPayload } from "../../../shared/platform/jobs/catalogue.ts";
import type { NamedJob } from "../../../shared/platform/jobs/queue.ts";
import { until } from "../../support/service-process.ts";
import { dumpTables, runSql } from "../../support/tables.ts";
import { findUnsettled } from "./check.ts";
import type { Stack } from "./stack.ts";

const DONE_WITHIN_MS = 60_000;
const AT_ONCE = 3;
/** No row has come so far: such a job is as late as can be. */
const FAR_ATTEMPT = 91;

/** Rings every job for every row once more and waits until all are done; tells whether any row is another one then. */
export async function enqueueAllAgain(stack: Stack): Promise<{ enqueued: number; changed: boolean }> {
  const { service } = stack;
  const { deps } = service;
  const ids = async (text: string) => (await runSql(service, text)).map(({ id }): string => id);
  const before = await dumpTables(service, { withStats: true });
  let enqueued = 0;
  const ring = async <Name extends JobName>(name: Name, payload: JobPayload<Name>) => {
    await deps.pool.transaction((tx) => deps.jobs.enqueue(tx, [{ name, payload } as NamedJob]));
    enqueued += 1;
  };
  for (const asset_id of await ids("SELECT id FROM assets")) {
    await ring("inspect-asset", { asset_id, attempt: FAR_ATTEMPT });
    await ring("measure-asset", { asset_id, attempt: FAR_ATTEMPT });
  }
  for (const revision_id of await ids("SELECT id FROM creation_revisions")) {
    await ring("draw-blocks", { of: "creation", revision_id, attempt: FAR_ATTEMPT });
  }
  for (const revision_id of await ids("SELECT revision_id AS id FROM revision_comparisons")) {
    await ring("compare-files", { revision_id });
  }
  for (const feed_key of await ids("SELECT key AS id FROM feeds")) await ring("build-feed", { feed_key });
  await until(async () => Object.keys(await findUnsettled(stack)).length === 0, DONE_WITHIN_MS);
  return { enqueued, changed: (await dumpTables(service, { withStats: true })) !== before };
}

/** A day later unattached files go, a month later those of replaced revisions; several processes do it at once. */
export async function growOld({ service: { deps } }: Stack): Promise<void> {
  const several = (sweep: typeof sweepAgedFiles, laterMs: number) =>
    Promise.all(Array.from({ length: AT_ONCE }, () => sweep({ ...deps, now: () => deps.now() + laterMs })));
  await several(sweepExpiredUploads, DAY_MS + HOUR_MS);
  await several(sweepAgedFiles, 31 * DAY_MS);
}
