import type { Deps } from "../platform/deps.ts";
import type { WorkerName } from "../platform/jobs/catalogue.ts";
import type { OutboxName } from "../platform/outbox/run-sequencer.ts";

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
  entry(
    "publish-due-schedules",
    "due_schedules",
    "publish",
    2_000,
    async () => (await import("../works/creations/sweep-schedules.ts")).sweepDueSchedules,
  ),
  {
    ...entry(
      "sequence-events",
      "sequenced_events",
      "deliver",
      1_000,
      async () => (await import("../trust/sequence-outbox.ts")).sweepEventOutbox,
    ),
    wokenBy: "events",
  },
  {
    ...entry(
      "deliver-webhook",
      "begun_deliveries",
      "deliver",
      1_000,
      async () => (await import("../trust/webhooks/sweep-webhooks.ts")).sweepDeliveries,
    ),
    wokenBy: "deliveries",
  },
  {
    ...entry(
      "sequence-log",
      "logged_entries",
      "deliver",
      1_000,
      async () => (await import("../trust/transparency-log/sequence-log.ts")).sweepLog,
    ),
    wokenBy: "log",
  },
  entry(
    "purge-aged-files",
    "purged_revisions",
    "purge",
    600_000,
    async () => (await import("../datasets/uploads/purge.ts")).sweepAgedFiles,
  ),
  entry(
    "remove-departed-texts",
    "removed_departed_texts",
    "purge",
    3_600_000,
    async () => (await import("./owners/departed-texts.ts")).sweepDepartedTexts,
  ),
  entry(
    "finish-erasures",
    "finished_erasures",
    "purge",
    60_000,
    async () => (await import("./erasure/finish-erasures.ts")).sweepErasures,
  ),
  entry(
    "sweep-uploads",
    "restarted_uploads",
    "inspect",
    10_000,
    async () => (await import("../datasets/uploads/sweeps.ts")).sweepUploads,
  ),
  entry(
    "sweep-parquet",
    "ordered_parquet",
    "inspect",
    10_000,
    async () => (await import("../datasets/parquet/sweep-parquet.ts")).sweepParquet,
  ),
  entry(
    "sweep-comparisons",
    "enqueued_comparisons",
    "inspect",
    15_000,
    async () => (await import("../datasets/changes/enqueue-comparison.ts")).sweepComparisons,
  ),
  entry(
    "sweep-drawings",
    "enqueued_drawings",
    "draw",
    15_000,
    async () => (await import("../datasets/drawings/sweep-drawings.ts")).sweepDrawings,
  ),
  entry(
    "sweep-pending-artworks",
    "enqueued_artwork",
    "draw",
    15_000,
    async () => (await import("../datasets/drawings/pending-artworks.ts")).sweepPendingArtworks,
  ),
  entry(
    "purge-replaced-artworks",
    "purged_artworks",
    "purge",
    3_600_000,
    async () => (await import("../datasets/drawings/sweep-artworks.ts")).sweepReplacedArtworks,
  ),
  entry(
    "sweep-feeds",
    "enqueued_feeds",
    "feed",
    10_000,
    async () => (await import("../reading/feeds/sweep-feeds.ts")).sweepFeeds,
  ),
  entry(
    "rewrite-search-texts",
    "rewritten_search_texts",
    "feed",
    60_000,
    async () => (await import("../reading/search/reindex.ts")).sweepSearchMarks,
  ),
  entry(
    "sweep-expired-uploads",
    "expired_uploads",
    "purge",
    60_000,
    async () => (await import("../datasets/uploads/sweeps.ts")).sweepExpiredUploads,
  ),
  entry(
    "sweep-lost-exports",
    "enqueued_exports",
    "purge",
    30_000,
    async () => (await import("./archive/exports.ts")).sweepLostExports,
  ),
  entry(
    "purge-expired-exports",
    "expired_exports",
    "purge",
    600_000,
    async () => (await import("./archive/exports.ts")).sweepExpiredExports,
  ),
  entry(
    "recheck-domains",
    "checked_domains",
    "purge",
    600_000,
    async () => (await import("../identity/owners/domains.ts")).sweepDomains,
  ),
  entry(
    "sweep-idempotency-keys",
    "forgotten_answers",
    "purge",
    600_000,
    async () => (await import("../identity/writes/idempotency.ts")).sweepIdempotencyKeys,
  ),
  entry(
    "forget-upload-addresses",
    "forgotten_upload_addresses",
    "purge",
    600_000,
    async () => (await import("../datasets/uploads/sweep-upload-addresses.ts")).sweepUploadAddresses,
  ),
  entry(
    "forget-previews",
    "forgotten_previews",
    "purge",
    3_600_000,
    async () => (await import("../works/previews/sweep-previews.ts")).sweepPreviews,
  ),
  entry(
    "forget-deliveries",
    "forgotten_deliveries",
    "purge",
    3_600_000,
    async () => (await import("../trust/webhooks/sweep-webhooks.ts")).sweepOldDeliveries,
  ),
  entry(
    "delete-old-events",
    "deleted_events",
    "purge",
    600_000,
    async () => (await import("../trust/events/sweep-events.ts")).sweepEvents,
  ),
  entry(
    "forget-sign-ins",
    "forgotten_sign_ins",
    "purge",
    600_000,
    async () => (await import("../identity/sign-in/forget-expired.ts")).sweepSignIns,
  ),
  entry(
    "write-removals",
    "listed_removals",
    "purge",
    10_000,
    async () => (await import("./backup/removals.ts")).sweepRemovals,
  ),
  entry(
    "sweep-orphan-files",
    "orphan_files",
    "purge",
    3_600_000,
    async () => (await import("../datasets/uploads/sweeps.ts")).sweepOrphanFiles,
  ),
];

/** A worker process loads the code of its own sweeps alone, each at its first run. */
function entry(
  name: string,
  counts: string,
  worker: WorkerName,
  everyMs: number,
  load: () => Promise<Sweep["run"]>,
): Sweep {
  const run = async (deps: Deps) => {
    const sweep = await load();
    return await sweep(deps);
  };
  return { name, counts, worker, everyMs, run };
}

/** Runs every sweep once, one after the other; returns each count under the sweep's name in `counts`. */
export async function sweepAll(deps: Deps): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const sweep of SWEEPS) counted[sweep.counts] = await sweep.run(deps);
  return counted;
}
