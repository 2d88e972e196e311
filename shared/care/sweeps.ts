import { sweepComparisons } from "../datasets/changes/enqueue-comparison.ts";
import { sweepPendingArtworks } from "../datasets/drawings/pending-artworks.ts";
import { sweepReplacedArtworks } from "../datasets/drawings/sweep-artworks.ts";
import { sweepDrawings } from "../datasets/drawings/sweep-drawings.ts";
import { sweepParquet } from "../datasets/parquet/sweep-parquet.ts";
import { sweepAgedFiles } from "../datasets/uploads/purge.ts";
import { sweepUploadAddresses } from "../datasets/uploads/sweep-upload-addresses.ts";
import { sweepExpiredUploads, sweepOrphanFiles, sweepUploads } from "../datasets/uploads/sweeps.ts";
import { sweepDomains } from "../identity/owners/domains.ts";
import { sweepSignIns } from "../identity/sign-in/forget-expired.ts";
import { sweepIdempotencyKeys } from "../identity/writes/idempotency.ts";
import type { Deps } from "../platform/deps.ts";
import type { WorkerName } from "../platform/jobs/catalogue.ts";
import type { OutboxName } from "../platform/outbox/run-sequencer.ts";
import { sweepFeeds } from "../reading/feeds/sweep-feeds.ts";
import { sweepSearchMarks } from "../reading/search/reindex.ts";
import { sweepEvents } from "../trust/events/sweep-events.ts";
import { sweepEventOutbox } from "../trust/sequence-outbox.ts";
import { sweepLog } from "../trust/transparency-log/sequence-log.ts";
import { sweepDeliveries, sweepOldDeliveries } from "../trust/webhooks/sweep-webhooks.ts";
import { sweepDueSchedules } from "../works/creations/sweep-schedules.ts";
import { sweepPreviews } from "../works/previews/sweep-previews.ts";
import { sweepExpiredExports, sweepLostExports } from "./archive/exports.ts";
import { sweepRemovals } from "./backup/removals.ts";
import { sweepErasures } from "./erasure/finish-erasures.ts";
import { sweepDepartedTexts } from "./owners/departed-texts.ts";

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
  {
    name: "publish-due-schedules",
    counts: "due_schedules",
    worker: "publish",
    everyMs: 2_000,
    run: sweepDueSchedules,
  },
  {
    name: "sequence-events",
    counts: "sequenced_events",
    worker: "deliver",
    everyMs: 1_000,
    run: sweepEventOutbox,
    wokenBy: "events",
  },
  {
    name: "deliver-webhook",
    counts: "begun_deliveries",
    worker: "deliver",
    everyMs: 1_000,
    run: sweepDeliveries,
    wokenBy: "deliveries",
  },
  {
    name: "sequence-log",
    counts: "logged_entries",
    worker: "deliver",
    everyMs: 1_000,
    run: sweepLog,
    wokenBy: "log",
  },
  {
    name: "purge-aged-files",
    counts: "purged_revisions",
    worker: "purge",
    everyMs: 600_000,
    run: sweepAgedFiles,
  },
  {
    name: "remove-departed-texts",
    counts: "removed_departed_texts",
    worker: "purge",
    everyMs: 3_600_000,
    run: sweepDepartedTexts,
  },
  {
    name: "finish-erasures",
    counts: "finished_erasures",
    worker: "purge",
    everyMs: 60_000,
    run: sweepErasures,
  },
  {
    name: "sweep-uploads",
    counts: "restarted_uploads",
    worker: "inspect",
    everyMs: 10_000,
    run: sweepUploads,
  },
  { name: "sweep-parquet", counts: "ordered_parquet", worker: "inspect", everyMs: 10_000, run: sweepParquet },
  {
    name: "sweep-comparisons",
    counts: "enqueued_comparisons",
    worker: "inspect",
    everyMs: 15_000,
    run: sweepComparisons,
  },
  {
    name: "sweep-drawings",
    counts: "enqueued_drawings",
    worker: "draw",
    everyMs: 15_000,
    run: sweepDrawings,
  },
  {
    name: "sweep-pending-artworks",
    counts: "enqueued_artwork",
    worker: "draw",
    everyMs: 15_000,
    run: sweepPendingArtworks,
  },
  {
    name: "purge-replaced-artworks",
    counts: "purged_artworks",
    worker: "purge",
    everyMs: 3_600_000,
    run: sweepReplacedArtworks,
  },
  { name: "sweep-feeds", counts: "enqueued_feeds", worker: "feed", everyMs: 10_000, run: sweepFeeds },
  {
    name: "rewrite-search-texts",
    counts: "rewritten_search_texts",
    worker: "feed",
    everyMs: 60_000,
    run: sweepSearchMarks,
  },
  {
    name: "sweep-expired-uploads",
    counts: "expired_uploads",
    worker: "purge",
    everyMs: 60_000,
    run: sweepExpiredUploads,
  },
  {
    name: "sweep-lost-exports",
    counts: "enqueued_exports",
    worker: "purge",
    everyMs: 30_000,
    run: sweepLostExports,
  },
  {
    name: "purge-expired-exports",
    counts: "expired_exports",
    worker: "purge",
    everyMs: 600_000,
    run: sweepExpiredExports,
  },
  {
    name: "recheck-domains",
    counts: "checked_domains",
    worker: "purge",
    everyMs: 600_000,
    run: sweepDomains,
  },
  {
    name: "sweep-idempotency-keys",
    counts: "forgotten_answers",
    worker: "purge",
    everyMs: 600_000,
    run: sweepIdempotencyKeys,
  },
  {
    name: "forget-upload-addresses",
    counts: "forgotten_upload_addresses",
    worker: "purge",
    everyMs: 600_000,
    run: sweepUploadAddresses,
  },
  {
    name: "forget-previews",
    counts: "forgotten_previews",
    worker: "purge",
    everyMs: 3_600_000,
    run: sweepPreviews,
  },
  {
    name: "forget-deliveries",
    counts: "forgotten_deliveries",
    worker: "purge",
    everyMs: 3_600_000,
    run: sweepOldDeliveries,
  },
  {
    name: "delete-old-events",
    counts: "deleted_events",
    worker: "purge",
    everyMs: 600_000,
    run: sweepEvents,
  },
  {
    name: "forget-sign-ins",
    counts: "forgotten_sign_ins",
    worker: "purge",
    everyMs: 600_000,
    run: sweepSignIns,
  },
  { name: "write-removals", counts: "listed_removals", worker: "purge", everyMs: 10_000, run: sweepRemovals },
  {
    name: "sweep-orphan-files",
    counts: "orphan_files",
    worker: "purge",
    everyMs: 3_600_000,
    run: sweepOrphanFiles,
  },
];

/** Runs every sweep once, one after the other; returns each count under the sweep's name in `counts`. */
export async function sweepAll(deps: Deps): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const sweep of SWEEPS) counted[sweep.counts] = await sweep.run(deps);
  return counted;
}
