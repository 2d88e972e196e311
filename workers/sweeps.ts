import { sweepAgedFiles } from "../shared/assets/purge.ts";
import { sweepDueSchedules } from "../shared/creations/schedules.ts";
import type { Deps } from "../shared/deps.ts";
import { sweepReplacedArtworks } from "../shared/drawings/artworks.ts";
import { sweepDrawings } from "../shared/drawings/drawings.ts";
import { sweepArtworkOrders } from "../shared/drawings/pending-artworks.ts";
import type { WorkerName } from "../shared/jobs/catalogue.ts";
import { sweepDomains } from "../shared/owners/domains.ts";
import { sweepExpiredExports, sweepLostExports } from "../shared/owners/exports.ts";
import { sweepSearchMarks } from "../shared/search/reindex.ts";
import { sweepSignIns } from "../shared/sign-in/forget-expired.ts";
import {
  sweepExpiredUploads,
  sweepFeeds,
  sweepIdempotencyKeys,
  sweepOrphanFiles,
  sweepUploads,
} from "../shared/sweeps.ts";

/** Work that the clock starts, in plain SQL, so that a lost job costs time and never work. Several may run at once. */
export const SWEEPS: readonly {
  name: string;
  worker: WorkerName;
  everyMs: number;
  run(deps: Deps): Promise<number>;
}[] = [
  { name: "sweep-uploads", worker: "inspect", everyMs: 10_000, run: sweepUploads },
  { name: "sweep-drawings", worker: "draw", everyMs: 15_000, run: sweepDrawings },
  { name: "sweep-artwork-orders", worker: "draw", everyMs: 15_000, run: sweepArtworkOrders },
  { name: "sweep-feeds", worker: "feed", everyMs: 10_000, run: sweepFeeds },
  { name: "rewrite-search-texts", worker: "feed", everyMs: 60_000, run: sweepSearchMarks },
  { name: "publish-due-schedules", worker: "publish", everyMs: 2_000, run: sweepDueSchedules },
  { name: "purge-aged-files", worker: "purge", everyMs: 600_000, run: sweepAgedFiles },
  { name: "purge-replaced-artworks", worker: "purge", everyMs: 3_600_000, run: sweepReplacedArtworks },
  { name: "recheck-domains", worker: "purge", everyMs: 600_000, run: sweepDomains },
  { name: "sweep-expired-uploads", worker: "purge", everyMs: 60_000, run: sweepExpiredUploads },
  { name: "sweep-lost-exports", worker: "purge", everyMs: 30_000, run: sweepLostExports },
  { name: "purge-expired-exports", worker: "purge", everyMs: 600_000, run: sweepExpiredExports },
  { name: "sweep-idempotency-keys", worker: "purge", everyMs: 600_000, run: sweepIdempotencyKeys },
  { name: "forget-sign-ins", worker: "purge", everyMs: 600_000, run: sweepSignIns },
  { name: "sweep-orphan-files", worker: "purge", everyMs: 3_600_000, run: sweepOrphanFiles },
];
