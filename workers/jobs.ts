import { makeExport } from "../shared/care/archive/make.ts";
import { drawRevision } from "../shared/datasets/drawings/drawings.ts";
import { askStanding } from "../shared/datasets/evidence/ask-standing.ts";
import { makeNextParquet } from "../shared/datasets/parquet/make-parquet.ts";
import { askKeptAgain } from "../shared/datasets/questions/ask-again.ts";
import { inspectUpload } from "../shared/datasets/uploads/inspect-upload.ts";
import { measureAsset } from "../shared/datasets/uploads/statistics.ts";
import type { JobName, JobPayload } from "../shared/platform/jobs/catalogue.ts";
import type { JobRun } from "../shared/platform/jobs/queue.ts";
import { compareUpdate } from "../shared/reading/comparisons/compare-update.ts";
import { rebuildFeed } from "../shared/reading/feeds/build-feed.ts";
import { notifyHub } from "../shared/reading/feeds/notify-hub.ts";
import type { WorkerContext } from "./context.ts";

/** Does a job; a late or second run changes nothing. */
export type JobFunction<Name extends JobName> = (
  context: WorkerContext,
  payload: JobPayload<Name>,
  run: JobRun,
) => Promise<void>;

/** Every job of the catalogue with the function that does it; a job without one does not compile. */
export const JOBS: { [Name in JobName]: JobFunction<Name> } = {
  "inspect-asset": ({ deps, threads }, { asset_id, attempt }) =>
    inspectUpload(deps, threads, asset_id, attempt),
  "measure-asset": ({ deps, threads }, { asset_id }) => measureAsset(deps, threads, asset_id),
  "write-parquet": ({ deps, threads }, { asset_id }) => makeNextParquet(deps, threads, asset_id),
  "compare-files": ({ deps, threads }, { revision_id }) => compareUpdate(deps, threads, revision_id),
  "ask-again": ({ deps, threads }, { revision_id }) => askKeptAgain(deps, threads, revision_id),
  "ask-standing": ({ deps, threads }, { creation_id }) => askStanding(deps, threads, creation_id),
  "draw-blocks": ({ deps, threads }, { of, revision_id }) => drawRevision(deps, threads, of, revision_id),
  "build-feed": ({ deps }, { feed_key }) => rebuildFeed(deps, feed_key),
  "notify-hub": ({ deps }, { creation_id }) => notifyHub(deps, creation_id),
  "make-export": ({ deps }, { export_id }, run) => makeExport(deps, export_id, run),
};
