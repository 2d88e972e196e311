import type { Watch } from "../../../sql/connection/notifications.ts";
import type { Db, Tx } from "../../../sql/connection/pool.ts";
import {
  type AssetRow,
  deleteAsset,
  findAssetById,
  markAnsweredProcessing,
  notifyAssetSettled,
  settleAssetFailed,
  settleAssetReady,
} from "../../../sql/datasets/assets.ts";
import { insertCanonical } from "../../../sql/datasets/canonical-files.ts";
import { reopenUploadAddress } from "../../../sql/datasets/upload-addresses.ts";
import { addToStorage, lockAgent } from "../../../sql/identity/agents.ts";
import { answerKeyOfAsset, deleteKeysOfAsset } from "../../../sql/identity/idempotency-keys.ts";
import type { FieldErrors, Refusal } from "../../ground/errors.ts";
import { stringifyJson } from "../../ground/raw-json.ts";
import { makeAct, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import { type Answer, completeReplay, inProgress, shortenAnswer } from "../../identity/writes/idempotency.ts";
import { MINIMAL_APPLIED } from "../../identity/writes/run-write.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import type { Plan } from "../../tables/dialects/dialect.ts";
import type { TableVerdict } from "../../tables/dialects/judge-table.ts";
import { discardFiles } from "./discard-files.ts";
import { presentAsset, readRefusal } from "./own-assets.ts";

/** The 201 of an upload, from its current row. */
export async function answerAt(db: Db, deps: Deps, assetId: string, isMinimal: boolean): Promise<Answer> {
  return toAnswer(deps, await getAsset(db, assetId), isMinimal);
}

function toAnswer(deps: Deps, asset: AssetRow, isMinimal: boolean): Answer {
  const data = presentAsset(deps, asset);
  const { id, readiness, readiness_reason, content_sha256 } = data;
  const shown = isMinimal ? { id, readiness, readiness_reason, content_sha256 } : data;
  const location = data.download_url.replace(/\/content$/, "");
  return {
    status: 201,
    headers: { location, ...(isMinimal ? MINIMAL_APPLIED : {}) },
    body: stringifyJson({ data: shown }),
  };
}

async function getAsset(db: Db, id: string): Promise<AssetRow> {
  const asset = await findAssetById(db, id);
  // Two requests answered for one refused upload and the other removed it, so this one may be sent again.
  if (asset === null) throw inProgress();
  return asset;
}

/**
 * Waits for the worker's verdict and writes the answer: 201 ready, 201 processing when the time is over, or
 * 422 with asset and key removed.
 */
export async function settleUpload(
  deps: Deps,
  assetId: string,
  { watch, isMinimal }: { watch: Watch; isMinimal: boolean },
): Promise<Answer> {
  const untilMs = Date.now() + deps.config.uploadWaitMs;
  let asset: AssetRow;
  do {
    await waitWithoutPlace(() => watch.next(untilMs - Date.now()));
    asset = await getAsset(deps.pool, assetId);
  } while (asset.readiness === "processing" && Date.now() < untilMs);
  return await answerFrom(deps, asset, isMinimal);
}

/**
 * Answers for an upload whose own request is over without an answer, as when its process was killed. The
 * wait is over too: the row says what there is.
 */
export async function settleAbandonedUpload(
  deps: Deps,
  assetId: string,
  isMinimal: boolean,
): Promise<Answer> {
  const answer = await answerFrom(deps, await getAsset(deps.pool, assetId), isMinimal);
  return { ...answer, replayed: true };
}

async function answerFrom(deps: Deps, asset: AssetRow, isMinimal: boolean): Promise<Answer> {
  if (asset.readiness === "failed") throw await removeRefused(deps, asset);
  const answer = toAnswer(deps, asset, isMinimal);
  const kept = await deps.pool.transaction(async (tx) => {
    // An agent that is answered "processing" is told the verdict by an event; one that has come meanwhile is answered.
    if (asset.readiness === "processing" && !(await markAnsweredProcessing(tx, asset.id))) return null;
    return await keepFirstAnswer(tx, asset.id, answer);
  });
  return kept ?? (await answerFrom(deps, await getAsset(deps.pool, asset.id), isMinimal));
}

/** Stores the answer, or returns the stored one: a late first request and its retry give the same. */
async function keepFirstAnswer(tx: Tx, assetId: string, answer: Answer): Promise<Answer> {
  const stored = await answerKeyOfAsset(tx, assetId, shortenAnswer(answer, assetId));
  if (stored === null || stored.read_again) return answer;
  const { status, headers, body } = stored;
  return { ...answer, status, headers, body };
}

/** A stored answer of an upload, a long one with the file as it is now. */
export async function replayUpload(deps: Deps, answer: Answer): Promise<Answer> {
  return await completeReplay(answer, async (id) => {
    const asset = await findAssetById(deps.pool, id);
    return asset && { data: presentAsset(deps, asset), headers: {} };
  });
}

/** Removes a refused upload and frees its key or address; returns the refusal with its reason. */
async function removeRefused(deps: Deps, asset: AssetRow): Promise<Refusal> {
  await deps.pool.transaction(async (tx) => {
    await deleteKeysOfAsset(tx, asset.id);
    await reopenUploadAddress(tx, asset.id);
    await deleteAsset(tx, asset.id);
  });
  return readRefusal(asset);
}

/**
 * Saves the inspection's result unless another attempt took over, and notifies the waiting requests; `canonicalId` is the
 * key of the canonical file where the file was read by a dialect. Resolves to whether this result made the file ready.
 */
export async function saveVerdict(
  deps: Deps,
  asset: Pick<AssetRow, "id" | "agent_id" | "bytes">,
  attempt: number,
  { verdict, canonicalId }: { verdict: TableVerdict; canonicalId: string },
): Promise<boolean> {
  if (!verdict.ok) {
    await saveRefusal(deps, asset, attempt, verdict);
    // A file that was read by a dialect may be refused once its canonical form is stored.
    await discardFiles(deps, [canonicalId]);
    return false;
  }
  const { readAs } = verdict;
  const outcome = await deps.pool.transaction(async (tx) => {
    if (readAs !== null) {
      const agent = await lockAgent(tx, asset.agent_id);
      const left = agent === null ? 0 : limitsOfAgent(deps, agent).storageBytes - agent.storage_bytes;
      if (readAs.bytes > left) return { reason: noRoomForCanonical(readAs.bytes, left), saved: false };
    }
    const saved = await settleAssetReady(tx, asset.id, attempt, toFound(deps, verdict));
    if (!saved) return { reason: null, saved };
    await recordReadAs(tx, asset, canonicalId, readAs);
    await notifyAssetSettled(tx, asset.id);
    return { reason: null, saved };
  });
  if (readAs !== null && !outcome.saved) await discardFiles(deps, [canonicalId]);
  if (outcome.reason !== null) await saveRefusal(deps, asset, attempt, { reason: outcome.reason });
  if (outcome.saved) deps.metrics.uploads.inc({ outcome: "ready" });
  return outcome.saved;
}

function noRoomForCanonical(bytes: number, left: number): string {
  return `The file is kept in canonical form as well, which takes ${bytes} bytes, and ${Math.max(0, left)} bytes of your storage are left. Delete files that no revision uses.`;
}

/** What a row keeps of a good verdict. */
export function toFound(deps: Deps, verdict: GoodVerdict) {
  const { readAs } = verdict;
  return {
    inspection: verdict.inspectionJson,
    tables: JSON.stringify(verdict.tables),
    hints: JSON.stringify(verdict.hints),
    readingIndex: verdict.readingIndex,
    rowsAdded: verdict.rowsAdded ?? null,
    dialect: readAs?.dialect ? JSON.stringify(readAs.dialect) : null,
    reading: readAs?.plan ? JSON.stringify({ plans: [readAs.plan] }) : null,
    nowMs: deps.now(),
  };
}

/** Records what is read of a file, where that is not the file as sent. */
export async function recordReadAs(
  tx: Tx,
  asset: Pick<AssetRow, "id" | "agent_id">,
  canonicalId: string,
  readAs: GoodVerdict["readAs"],
): Promise<void> {
  if (readAs === null) return;
  const { bytes, sha256: content_sha256 } = readAs;
  await insertCanonical(tx, asset.id, { file_id: canonicalId, bytes, content_sha256 });
  await addToStorage(tx, asset.agent_id, 0, bytes);
}

/** The verdict on a file that was not refused. */
export type GoodVerdict = Extract<TableVerdict, { ok: true }>;

/** Deletes a refused file's bytes and gives its quota back; its reason stays for polling. */
export async function saveRefusal(
  deps: Deps,
  asset: Pick<AssetRow, "id" | "agent_id" | "bytes">,
  attempt: number,
  { reason, errors, plans }: { reason: string; errors?: FieldErrors; plans?: readonly Plan[] },
): Promise<void> {
  const reading = errors || plans?.length ? JSON.stringify({ errors, plans }) : null;
  const saved = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, asset.agent_id);
    if (!(await settleAssetFailed(tx, asset.id, attempt, { reason, reading, nowMs: deps.now() })))
      return false;
    await addToStorage(tx, asset.agent_id, -1, -asset.bytes);
    const act = makeAct("asset", asset.id, "asset.refuse", { agentId: asset.agent_id });
    await recordAct(tx, SERVICE, act, deps.now());
    await notifyAssetSettled(tx, asset.id);
    return true;
  });
  if (!saved) return;
  deps.metrics.uploads.inc({ outcome: "refused" });
  await discardFiles(deps, [asset.id]);
}
