import { sweepAgedFiles } from "./assets/purge.ts";
import { sweepExpiredUploads, sweepOrphanFiles, sweepUploads } from "./assets/sweeps.ts";
import { sweepUploadAddresses } from "./assets/upload-addresses.ts";
import { sweepRemovals } from "./backup/removals.ts";
import { sweepDueSchedules } from "./creations/schedules.ts";
import { sweepComparisons } from "./data-changes/enqueue-comparison.ts";
import type { Deps } from "./deps.ts";
import { sweepReplacedArtworks } from "./drawings/artworks.ts";
import { sweepDrawings } from "./drawings/drawings.ts";
import { sweepPendingArtworks } from "./drawings/pending-artworks.ts";
import { sweepErasures } from "./erasure/finish-erasures.ts";
import { sweepEventOutbox } from "./event-outbox.ts";
import { sweepEvents } from "./events/sweep-events.ts";
import { sweepFeeds } from "./feeds/build-feed.ts";
import type { WorkerName } from "./jobs/catalogue.ts";
import { sweepLog } from "./log/sequence-log.ts";
import type { OutboxName } from "./outbox/run-sequencer.ts";
import { sweepDepartedTexts } from "./owners/departed-texts.ts";
import { sweepDomains } from "./owners/domains.ts";
import { sweepExpiredExports, sweepLostExports } from "./owners/exports.ts";
import { sweepParquet } from "./parquet/sweep-parquet.ts";
import { sweepPreviews } from "./previews/preview-links.ts";
import { sweepSearchMarks } from "./search/reindex.ts";
import { sweepSignIns } from "./sign-in/forget-expired.ts";
import { sweepDeliveries, sweepOldDeliveries } from "./webhooks/sweep-webhooks.ts";
import { sweepIdempotencyKeys } from "./writes/idempotency.ts";

/**
 * Work that the clock starts, in plain SQL, so that a lost job costs time and never work. Several may run at
 * once.
 */
export interface Sweep {
  /** The name in logs and metrics. */
  name: string;
  /** The name of its count in the answer of `sweepAll`. */
  counts: string;
  worker: WorkerName;
  /** The pause between two runs in one worker process. */
  everyMs: number;
  /** The outbox that ends the pause as soon as a row is committed to it. */
  wokenBy?: OutboxName;
  run(deps: Deps): Promise<number>;
}

/** Every sweep, in the order of the command line: schedules first, stored bytes last. */
export const SWEEPS: readonly Sweep[] = [
  entry("publish-due-schedules", "due_schedules", "publish", 2_000, sweepDueSchedules),
  { ...entry("sequence-events", "sequenced_events", "deliver", 1_000, sweepEventOutbox), wokenBy: "events" },
  {
    ...entry("deliver-webhook", "begun_deliveries", "deliver", 1_000, sweepDeliveries),
    wokenBy: "deliveries",
  },
  { ...entry("sequence-log", "logged_entries", "deliver", 1_000, sweepLog), wokenBy: "log" },
  entry("purge-aged-files", "purged_revisions", "purge", 600_000, sweepAgedFiles),
  entry("remove-departed-texts", "removed_departed_texts", "purge", 3_600_000, sweepDepartedTexts),
  entry("finish-erasures", "finished_erasures", "purge", 60_000, sweepErasures),
  entry("sweep-uploads", "restarted_uploads", "inspect", 10_000, sweepUploads),
  entry("sweep-parquet", "ordered_parquet", "inspect", 10_000, sweepParquet),
  entry("sweep-comparisons", "enqueued_comparisons", "inspect", 15_000, sweepComparisons),
  entry("sweep-drawings", "enqueued_drawings", "draw", 15_000, sweepDrawings),
  entry("sweep-pending-artworks", "enqueued_artwork", "draw", 15_000, sweepPendingArtworks),
  entry("purge-replaced-artworks", "purged_artworks", "purge", 3_600_000, sweepReplacedArtworks),
  entry("sweep-feeds", "enqueued_feeds", "feed", 10_000, sweepFeeds),
  entry("rewrite-search-texts", "rewritten_search_texts", "feed", 60_000, sweepSearchMarks),
  entry("sweep-expired-uploads", "expired_uploads", "purge", 60_000, sweepExpiredUploads),
  entry("sweep-lost-exports", "enqueued_exports", "purge", 30_000, sweepLostExports),
  entry("purge-expired-exports", "expired_exports", "purge", 600_000, sweepExpiredExports),
  entry("recheck-domains", "checked_domains", "purge", 600_000, sweepDomains),
  entry("sweep-idempotency-keys", "forgotten_answers", "purge", 600_000, sweepIdempotencyKeys),
  entry("forget-upload-addresses", "forgotten_upload_addresses", "purge", 600_000, sweepUploadAddresses),
  entry("forget-previews", "forgotten_previews", "purge", 3_600_000, sweepPreviews),
  entry("forget-deliveries", "forgotten_deliveries", "purge", 3_600_000, sweepOldDeliveries),
  entry("delete-old-events", "deleted_events", "purge", 600_000, sweepEvents),
  entry("forget-sign-ins", "forgotten_sign_ins", "purge", 600_000, sweepSignIns),
  entry("write-removals", "listed_removals", "purge", 10_000, sweepRemovals),
  entry("sweep-orphan-files", "orphan_files", "purge", 3_600_000, sweepOrphanFiles),
];

function entry(name: string, counts: string, worker: WorkerName, everyMs: number, run: Sweep["run"]): Sweep {
  return { name, counts, worker, everyMs, run };
}

/** Runs every sweep once, one after the other; returns each count under the sweep's name in `counts`. */
export async function sweepAll(deps: Deps): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const sweep of SWEEPS) counted[sweep.counts] = await sweep.run(deps);
  return counted;
}
