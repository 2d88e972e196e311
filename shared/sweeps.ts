import { addToStorage, lockAgent } from "../sql/agents.ts";
import { deleteAsset, findAssetById, listExpiredAssets, restartStalledAssets } from "../sql/assets.ts";
import { deleteKeysOfAsset, deleteOldKeys } from "../sql/idempotency-keys.ts";
import { eachOrphanFile } from "./assets/orphan-files.ts";
import { sweepAgedFiles } from "./assets/purge.ts";
import { saveRefusal } from "./assets/verdicts.ts";
import { recordAct, SERVICE } from "./audit/record-act.ts";
import { isExpired } from "./creations/links.ts";
import { sweepDueSchedules } from "./creations/schedules.ts";
import { forgetUntil } from "./delete-in-batches.ts";
import type { Deps } from "./deps.ts";
import { sweepDrawings } from "./drawings/drawings.ts";
import { sweepArtworkOrders } from "./drawings/pending-artworks.ts";
import { ringStaleFeeds } from "./feeds/build-feed.ts";
import { CATALOGUE } from "./jobs/catalogue.ts";
import { sweepDomains } from "./owners/domains.ts";
import { sweepExpiredExports, sweepLostExports } from "./owners/exports.ts";
import { sweepSearchMarks } from "./search/reindex.ts";
import { sweepSignIns } from "./sign-in/forget-expired.ts";
import { HOUR_MS, MINUTE_MS } from "./times.ts";

/** How long an upload may wait for its worker before its bell counts as lost. */
const STALLED_MS = 30_000;
const STALE_FEED_MS = 15_000;
const ORPHAN_MS = HOUR_MS + MINUTE_MS;

/** Gives uploads that hang in `processing` a new attempt; those that used up all attempts fail with a reason. */
export async function sweepUploads(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const most = CATALOGUE["inspect-asset"].attempts;
  const restarted = await deps.pool.transaction(async (tx) => {
    const stalled = await restartStalledAssets(tx, nowMs - STALLED_MS, nowMs);
    for (const { id, attempt } of stalled) {
      if (attempt <= most) await deps.jobs.ring(tx, "inspect-asset", { asset_id: id, attempt });
    }
    return stalled;
  });
  for (const { id, attempt } of restarted.filter((row) => row.attempt > most)) {
    const asset = await findAssetById(deps.pool, id);
    if (asset) await saveRefusal(deps, asset, attempt, "The file could not be inspected; upload it again.");
  }
  return restarted.length;
}

/** Rings again for feeds whose bell was lost. */
export async function sweepFeeds(deps: Deps): Promise<number> {
  return await ringStaleFeeds(deps, STALE_FEED_MS);
}

/** Removes files that no revision took up in time, with their bytes and quota. */
export async function sweepExpiredUploads(deps: Deps): Promise<number> {
  let count = 0;
  for (const { id, agent_id } of await listExpiredAssets(deps.pool, deps.now())) {
    if (await expireUpload(deps, id, agent_id)) count++;
  }
  return count;
}

/** Attaching and expiry race for the agent's row; whoever comes second sees what the first one did. */
async function expireUpload(deps: Deps, id: string, agentId: string): Promise<boolean> {
  const removed = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    const asset = await findAssetById(tx, id);
    if (asset === null || !isExpired(asset, deps.now())) return false;
    await deleteKeysOfAsset(tx, id);
    await deleteAsset(tx, id);
    // A refused file's quota was given back with its verdict.
    if (asset.file_deleted_at === null) await addToStorage(tx, agentId, -1, -asset.bytes);
    const act = { action: "asset.expire", subjectKind: "asset", subjectId: id, agentId };
    await recordAct(tx, SERVICE, act, deps.now());
    return true;
  });
  if (removed) await deps.files.delete(id);
  return removed;
}

/** Forgets idempotent answers past their replay window. */
export async function sweepIdempotencyKeys(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.idempotencyHours * HOUR_MS;
  return await forgetUntil(deps, beforeMs, deleteOldKeys);
}

/** Removes stored bytes that no row stands for: left by a process that was killed before its row was written. */
export async function sweepOrphanFiles(deps: Deps): Promise<number> {
  let count = 0;
  for await (const key of eachOrphanFile(deps)) {
    await deps.files.delete(key);
    count++;
  }
  // File times are the machine's own, whatever clock the service is tested with.
  return count + (await deps.files.discardUnfinished(Date.now() - ORPHAN_MS));
}

/** Runs all time-driven work once; what `sweep` on the command line prints. */
export async function sweepAll(deps: Deps) {
  return {
    due_schedules: await sweepDueSchedules(deps),
    purged_revisions: await sweepAgedFiles(deps),
    restarted_uploads: await sweepUploads(deps),
    rung_drawings: await sweepDrawings(deps),
    rung_artwork: await sweepArtworkOrders(deps),
    rung_feeds: await sweepFeeds(deps),
    rewritten_search_texts: await sweepSearchMarks(deps),
    expired_uploads: await sweepExpiredUploads(deps),
    rung_exports: await sweepLostExports(deps),
    expired_exports: await sweepExpiredExports(deps),
    checked_domains: await sweepDomains(deps),
    forgotten_answers: await sweepIdempotencyKeys(deps),
    forgotten_sign_ins: await sweepSignIns(deps),
    orphan_files: await sweepOrphanFiles(deps),
  };
}
