import type { Tx } from "../../../sql/connection/pool.ts";
import { type AssetRow, deleteAsset, findOwnAsset } from "../../../sql/datasets/assets.ts";
import { listAssetsOf } from "../../../sql/datasets/own-assets.ts";
import { listCreationsUsing, type UsingRow } from "../../../sql/datasets/revision-files.ts";
import { type AgentRow, addToStorage } from "../../../sql/identity/agents.ts";
import { deleteKeysOfAsset } from "../../../sql/identity/idempotency-keys.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { getById, notFound, notYours, Refusal, refuse, validationFailed } from "../../ground/errors.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import { recordAct } from "../../identity/audit/record-act.ts";
import { actorOf, type Caller, lockWriter } from "../../identity/writes/authenticate.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Plan } from "../../tables/dialects/dialect.ts";
import { readHints } from "../../tables/inspection/hints.ts";
import { discardFilesSoon } from "./discard-files.ts";
import { readReading } from "./public-files.ts";

/** An agent's own file by the id in a path; throws `not_found` for any other or expired file. */
export async function findAssetOf(deps: Deps, agent: AgentRow, id: string | undefined): Promise<AssetRow> {
  const asset = await getById("file", id, (ulid) => findOwnAsset(deps.pool, agent.id, ulid), notYours);
  if (isExpired(asset, deps.now())) throw notYours("file");
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
    if (asset.file_deleted_at === null) await addToStorage(tx, agent.id, -1, -countStored(asset));
    const act = { action: "asset.delete", subjectKind: "asset", subjectId: asset.id, agentId: agent.id };
    await recordAct(tx, actorOf(caller), act, deps.now());
  };
  await deps.writeSemaphore({ key: caller.agent.id }, () => deps.pool.transaction(perform));
  await discardFilesSoon(deps, [found.id]);
}

/** The bytes that a file takes in the store. */
export function countStored({ bytes, canonical }: AssetRow): number {
  return bytes + (canonical?.bytes ?? 0);
}

/** The hash of the bytes that are read of a file. */
export function sha256AsRead({ content_sha256, canonical }: AssetRow): string {
  return canonical?.content_sha256 ?? content_sha256;
}

/** Whether an unattached file's time is over, purged or not. */
export function isExpired(asset: AssetRow, nowMs: number): boolean {
  return asset.expires_at !== null && asset.expires_at <= nowMs;
}

/** One page of an agent's files, the newest first, with the count of all; of one hash where it is named. */
export async function listOwnAssets(
  deps: Deps,
  agent: AgentRow,
  asked: { sha256: string | null; limit: number; offset: number },
) {
  const { rows, total } = await listAssetsOf(deps.pool, agent.id, { ...asked, nowMs: deps.now() });
  const items = rows.map(({ expires_at, created_at, ...row }) => ({
    ...row,
    attached: expires_at === null,
    expires_at: toIsoOrNull(expires_at),
    created_at: toIso(created_at),
  }));
  return { items, total };
}

/** The asset resource (contract section 5 J); numbers in inspection results keep every digit. */
export function presentAsset(deps: Deps, asset: AssetRow) {
  return {
    id: asset.id,
    kind: asset.kind,
    format: asset.format,
    filename: asset.filename,
    bytes: asset.bytes,
    content_sha256: asset.content_sha256,
    readiness: asset.readiness,
    readiness_reason: asset.readiness_reason,
    readiness_progress: presentProgress(asset),
    inspection: asset.inspection === null ? null : new RawJson(asset.inspection),
    hints: readHints(asset.hints).map(({ marks: _, ...told }) => told),
    download_url: addressesOf(deps.config.siteUrl).assetContent(asset.id),
    attached: asset.expires_at === null,
    expires_at: toIsoOrNull(asset.expires_at),
    created_at: toIso(asset.created_at),
    sent_bytes: asset.sent_bytes,
    appended_to: presentBase(asset),
    ...presentReading(asset),
  };
}

/** How the table of a file is read, where it is not read as sent, and the plans for one that was refused. */
function presentReading({ readiness, dialect, piece_dialect, canonical, reading }: AssetRow) {
  const { plans = [] } = readReading(reading);
  return {
    // What was named is not yet what it is read by.
    dialect: readiness === "ready" && dialect !== null ? new RawJson(dialect) : null,
    piece_dialect: piece_dialect === null ? null : new RawJson(piece_dialect),
    canonical_sha256: canonical?.content_sha256 ?? null,
    canonical_bytes: canonical?.bytes ?? null,
    ...presentPlans(plans),
  };
}

/** The plans of a reading, as assets and refusals have them. */
function presentPlans(plans: readonly Plan[]) {
  const [only = null] = plans;
  return plans.length > 1 ? { plan: null, plans } : { plan: only };
}

/** The refusal of a file by its inspection, with the plans by which it can be read. */
export function readRefusal({ readiness_reason, reading }: AssetRow): Refusal {
  const { errors, plans = [] } = readReading(reading);
  const told = errors ?? { file: [readiness_reason ?? "The file was refused."] };
  if (plans.length === 0) return validationFailed(told);
  const { code, message } = validationFailed(told);
  const which = plans.length > 1 ? "of one of the plans" : "of the plan";
  const hint = `Send the same bytes with the form field dialect before the file, set to the dialect ${which}.`;
  return new Refusal(code, message, { errors: told, hint, beside: presentPlans(plans) });
}

/** What was appended to which file, and what of it is read differently; its rows are counted once it is ready. */
function presentBase({ appended_to_asset_id: asset_id, rows_added, reading }: AssetRow) {
  const { changes } = readReading(reading);
  return asset_id === null ? null : { asset_id, rows_added, ...(changes && { changes }) };
}

/** From 0 to 1 while the file is processing, 1 when it is ready, null when it has failed. */
function presentProgress({ readiness, readiness_progress: progress }: AssetRow): number | null {
  if (readiness === "failed") return null;
  // A real of PostgreSQL has seven digits.
  return readiness === "ready" ? 1 : Math.round(progress * 100) / 100;
}
