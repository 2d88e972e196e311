import type { Tx } from "../../../sql/connection/pool.ts";
import { type AssetRow, deleteAsset, findOwnAsset } from "../../../sql/datasets/assets.ts";
import { listCreationsUsing, type UsingRow } from "../../../sql/datasets/revision-files.ts";
import { type AgentRow, addToStorage } from "../../../sql/identity/agents.ts";
import { deleteKeysOfAsset } from "../../../sql/identity/idempotency-keys.ts";
import { notFound, notYours, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { recordAct } from "../../identity/audit/record-act.ts";
import { actorOf, type Caller, lockWriter } from "../../identity/writes/authenticate.ts";
import type { Deps } from "../../platform/deps.ts";
import { discardFilesSoon } from "./discard-files.ts";
import { isExpired } from "./expiry.ts";

/** An agent's own file by the id in a path; throws `not_found` for any other or expired file. */
export async function findAssetOf(deps: Deps, agent: AgentRow, id: string | undefined): Promise<AssetRow> {
  const ulid = toUlid(id);
  const asset = ulid === null ? null : await findOwnAsset(deps.pool, agent.id, ulid);
  if (asset === null || isExpired(asset, deps.now())) throw notYours("file");
  return asset;
}

/** Throws `not_found` when the bytes of an agent's own file were removed. */
export function checkBytesKept(asset: AssetRow): void {
  if (asset.file_deleted_at !== null) throw notFound("file any more; its bytes were removed");
}

/** How many works that use a file a refusal names. */
const WORKS_SHOWN = 5;

/** The refusal that names the works whose revisions use a file, and what frees it. */
function assetInUse(works: readonly UsingRow[], { config }: Deps) {
  const named = works.map(({ id, title, is_draft }) => `${title} (${id}${is_draft ? ", a draft" : ""})`);
  const more = (works[0]?.total ?? 0) - works.length;
  const days = config.limits.replacedFilesDays;
  return refuse(
    "asset_in_use",
    `Saved revisions use this file, those of ${named.join("; ")}${more > 0 ? ` and ${more} more` : ""}.`,
    `A draft that was never published can be deleted, which frees its files. A published work keeps them; they go ${days} days after the last revision that uses them was replaced.`,
  );
}

/** DELETE /assets/{asset}: deletes a file that no saved revision uses, with its bytes and its quota. */
export async function deleteUpload(deps: Deps, caller: Caller, id: string | undefined): Promise<void> {
  const found = await findAssetOf(deps, caller.agent, id);
  const perform = async (tx: Tx) => {
    // Attaching locks the agent's row too, so exactly one of the two wins.
    const agent = await lockWriter(tx, deps, caller);
    const asset = await findOwnAsset(tx, agent.id, found.id);
    if (asset === null) throw notYours("file");
    if (asset.expires_at === null)
      throw assetInUse(await listCreationsUsing(tx, asset.id, WORKS_SHOWN), deps);
    await deleteKeysOfAsset(tx, asset.id);
    await deleteAsset(tx, asset.id);
    if (asset.file_deleted_at === null) await addToStorage(tx, agent.id, -1, -asset.bytes);
    const act = { action: "asset.delete", subjectKind: "asset", subjectId: asset.id, agentId: agent.id };
    await recordAct(tx, actorOf(caller), act, deps.now());
  };
  await deps.writeSemaphore(caller.agent.id, () => deps.pool.transaction(perform));
  await discardFilesSoon(deps, [found.id]);
}
