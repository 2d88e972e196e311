import {
  deleteAsset,
  findAssetById,
  listExpiredAssets,
  restartStalledAssets,
} from "../../../sql/datasets/assets.ts";
import { addToStorage, lockAgent } from "../../../sql/identity/agents.ts";
import { deleteKeysOfAsset } from "../../../sql/identity/idempotency-keys.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/times.ts";
import { recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { CATALOGUE } from "../../platform/jobs/catalogue.ts";
import { discardFiles } from "./discard-files.ts";
import { isExpired } from "./expiry.ts";
import { eachOrphanFile } from "./orphan-files.ts";
import { saveRefusal } from "./verdicts.ts";

/** How long an upload waits for its worker before its job counts as lost. */
const STALLED_MS = 30_000;

const ORPHAN_MS = HOUR_MS + MINUTE_MS;

/** Gives uploads stuck in `processing` a new attempt; those that used up all attempts fail with a reason. */
export async function sweepUploads(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const most = CATALOGUE["inspect-asset"].attempts;
  const restarted = await deps.pool.transaction(async (tx) => {
    const stalled = await restartStalledAssets(tx, nowMs - STALLED_MS, nowMs);
    for (const { id, attempt } of stalled) {
      if (attempt <= most) await deps.jobs.enqueue(tx, "inspect-asset", { asset_id: id, attempt });
    }
    return stalled;
  });
  for (const { id, attempt } of restarted.filter((row) => row.attempt > most)) {
    const asset = await findAssetById(deps.pool, id);
    if (asset) await saveRefusal(deps, asset, attempt, "The file could not be inspected; upload it again.");
  }
  return restarted.length;
}

/** Removes files that no revision used in time, with their bytes and quota. */
export async function sweepExpiredUploads(deps: Deps): Promise<number> {
  let count = 0;
  for (const { id, agent_id } of await listExpiredAssets(deps.pool, deps.now())) {
    if (await expireUpload(deps, id, agent_id)) count++;
  }
  return count;
}

/** Attaching and expiry race for the agent's row; the second sees what the first one did. */
async function expireUpload(deps: Deps, id: string, agentId: string): Promise<boolean> {
  const removed = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    const asset = await findAssetById(tx, id);
    if (asset === null || !isExpired(asset, deps.now())) return false;
    await deleteKeysOfAsset(tx, id);
    await deleteAsset(tx, id);
    // The verdict on a refused file gave its quota back.
    if (asset.file_deleted_at === null) await addToStorage(tx, agentId, -1, -asset.bytes);
    const act = { action: "asset.expire", subjectKind: "asset", subjectId: id, agentId };
    await recordAct(tx, SERVICE, act, deps.now());
    return true;
  });
  if (removed) await discardFiles(deps, [id]);
  return removed;
}

/** Removes stored bytes without a row, left by a process that was killed before it wrote the row. */
export async function sweepOrphanFiles(deps: Deps): Promise<number> {
  let count = 0;
  for await (const key of eachOrphanFile(deps)) {
    await deps.files.delete(key);
    count++;
  }
  // File times are the machine's own, whatever clock the service is tested with.
  return count + (await deps.files.discardUnfinished(Date.now() - ORPHAN_MS));
}
