import type { JobName, JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { JobRun } from "../../shared/platform/jobs/queue.ts";
import type { WorkerContext } from "../context.ts";

type Handler<Name extends JobName> = (
  context: WorkerContext,
  payload: JobPayload<Name>,
  run: JobRun,
) => Promise<void>;

/**
 * Every job of the catalogue with the function that does it; a job without one does not compile. A process loads the
 * code of a job when the first one comes.
 */
export const HANDLERS: { [Name in JobName]: Handler<Name> } = {
  "inspect-asset": later(async () => (await import("./inspect-asset.ts")).inspectAsset),
  "measure-asset": later(async () => (await import("./measure-asset.ts")).measureAsset),
  "write-parquet": later(async () => (await import("./write-parquet.ts")).writeParquet),
  "compare-files": later(async () => (await import("./compare-files.ts")).compareFiles),
  "draw-blocks": later(async () => (await import("./draw-blocks.ts")).drawBlocks),
  "draw-artwork": later(async () => (await import("./draw-artwork.ts")).drawArtwork),
  "build-feed": later(async () => (await import("./build-feed.ts")).buildFeed),
  "make-export": later(async () => (await import("./make-export.ts")).makeExport),
};

function later<Name extends JobName>(load: () => Promise<Handler<Name>>): Handler<Name> {
  return async (context, payload, run) => {
    const handler = await load();
    await handler(context, payload, run);
  };
}
