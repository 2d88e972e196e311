import type { JobName, JobPayload } from "../../shared/jobs/catalogue.ts";
import type { JobRun } from "../../shared/jobs/queue.ts";
import type { WorkerContext } from "../context.ts";
import { buildFeed } from "./build-feed.ts";
import { compareFiles } from "./compare-files.ts";
import { drawArtwork } from "./draw-artwork.ts";
import { drawBlocks } from "./draw-blocks.ts";
import { inspectAsset } from "./inspect-asset.ts";
import { makeExport } from "./make-export.ts";
import { measureAsset } from "./measure-asset.ts";
import { writeParquet } from "./write-parquet.ts";

/** Every job of the catalogue with the function that does it; a job without one does not compile. */
export const HANDLERS: {
  [Name in JobName]: (context: WorkerContext, payload: JobPayload<Name>, run: JobRun) => Promise<void>;
} = {
  "inspect-asset": inspectAsset,
  "measure-asset": measureAsset,
  "write-parquet": writeParquet,
  "compare-files": compareFiles,
  "draw-blocks": drawBlocks,
  "draw-artwork": drawArtwork,
  "build-feed": buildFeed,
  "make-export": makeExport,
};
