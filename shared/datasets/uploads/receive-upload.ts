import type { Db, Tx } from "../../../sql/connection/pool.ts";
import {
  ASSET_SETTLED_CHANNEL,
  countProcessingAssets,
  insertAsset,
  markAnsweredProcessing,
} from "../../../sql/datasets/assets.ts";
import { type AgentRow, addToStorage } from "../../../sql/identity/agents.ts";
import { findTextUse } from "../../../sql/identity/text-uses.ts";
import { Refusal, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { HOUR_MS } from "../../ground/times.ts";
import { recordActs } from "../../identity/audit/record-act.ts";
import { actorOf, type Caller, lockWriter } from "../../identity/writes/authenticate.ts";
import {
  type Answer,
  findAnswer,
  fingerprintOf,
  holdKey,
  inProgress,
  isKeyKnown,
  type KeyedRequest,
  type StoredKey,
  toNewKey,
} from "../../identity/writes/idempotency.ts";
import { currentRequester } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent, noRoomForTexts } from "../../platform/limits-in-force.ts";
import { type AppendBase, findBase, openBase } from "./append-base.ts";
import { discardFilesSoon } from "./discard-files.ts";
import { type IncomingFile, KINDS, tooLarge } from "./incoming-file.ts";
import {
  identifyUpload,
  readUploadName,
  type Stored,
  storeUpload,
  type UploadIdentity,
  type UploadName,
} from "./store-upload.ts";
import { answerAt, replayUpload, settleAbandonedUpload, settleUpload } from "./verdicts.ts";

/** How a caller wants an upload to be answered. */
export interface UploadPreferences {
  /** Not to wait for the verdict. */
  respondsAsync: boolean;
  isMinimal: boolean;
}

/** Who uploads, and what makes the upload happen once. */
interface UploadRequest extends UploadPreferences {
  caller: Caller;
  /** The key, a UUID, under which the same bytes get the same answer. */
  key: string;
  /** Records in the upload's own transaction what else the file changes, and may refuse it. */
  record?(tx: Tx, assetId: string): Promise<void>;
}

/**
 * Receives an upload: streams it to the file store while it checks hash, size and UTF-8, records the intent
 * with its job, and waits a while for the worker's verdict (contract section 2).
 */
export async function receiveUpload(
  deps: Deps,
  openFile: (mostBytes: number) => Promise<IncomingFile>,
  request: UploadRequest,
): Promise<Answer> {
  const { fileBytes: limit } = limitsOfAgent(deps, request.caller.agent);
  const file = await openFile(limit);
  const name = await readUploadName(deps, file);
  const base = await findNamedBase(deps, file, name, { request, limit });
  if (base instanceof Refusal) return await answerAgain(deps, file, name, { request, refusal: base, limit });
  const stored = await inTurn(deps, request, name, () => storeUpload(deps, file, { name, base, limit }));
  return await answerStored(deps, stored, request);
}

/** Reads a file that takes much memory to unpack in its agent's turn; until then its bytes wait unread. */
export async function inTurn<Result>(
  deps: Deps,
  { caller }: Pick<UploadRequest, "caller">,
  { packing }: UploadName,
  read: () => Promise<Result>,
): Promise<Result> {
  if (packing !== "zst") return await read();
  return await deps.unpackers({ ...currentRequester(), key: caller.agent.id }, read, true);
}

/** Records what is stored, and answers with the worker's verdict. */
async function answerStored(deps: Deps, stored: Stored, request: UploadRequest): Promise<Answer> {
  const keyed = keyOf(request, stored.identity);
  const watch = await deps.notifications.watch(ASSET_SETTLED_CHANNEL, stored.id);
  try {
    const begun = await begin(deps, keyed, stored, request);
    const isFirst = begun.assetId === stored.id;
    if (isFirst) {
      deps.metrics.uploads.inc({ outcome: "received" });
      deps.metrics.uploadBytes.inc(stored.bytes);
    } else await discardFilesSoon(deps, [stored.id]);
    if (begun.answer) return await replayUpload(deps, begun.answer);
    if (!isFirst) return await settleAbandonedUpload(deps, begun.assetId, request.isMinimal);
    return await settleUpload(deps, stored.id, { watch, isMinimal: request.isMinimal });
  } catch (error) {
    // A refusal means that these bytes got no row; after any other failure the sweep decides.
    if (error instanceof Refusal) await discardFilesSoon(deps, [stored.id]);
    throw error;
  } finally {
    watch.close();
  }
}

/** The file to append to; a refusal where the one that is named cannot be. */
async function findNamedBase(
  deps: Deps,
  { baseAssetId }: IncomingFile,
  { format }: UploadName,
  { request, limit }: { request: UploadRequest; limit: number },
): Promise<AppendBase | Refusal | null> {
  if (baseAssetId === null) return null;
  try {
    return await openBase(deps, request.caller.agent, { id: baseAssetId, format, mostBytes: limit });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * The answer of an append whose base cannot be appended to any more: the kept one where the same request was carried out
 * before. Throws the refusal of the base where it was not.
 */
async function answerAgain(
  deps: Deps,
  file: IncomingFile,
  name: UploadName,
  { request, refusal, limit }: { request: UploadRequest; refusal: Refusal; limit: number },
): Promise<Answer> {
  const { caller, key } = request;
  const baseId = toUlid(file.baseAssetId);
  if (baseId === null || !(await isKeyKnown(deps, { agentId: caller.agent.id, key }))) throw refusal;
  const identify = () => identifyUpload(deps, file, { name, baseId, limit });
  const keyed = keyOf(request, await inTurn(deps, request, name, identify));
  const known = await deps.pool.transaction(async (tx) => {
    await holdKey(tx, keyed);
    return await findAnswer(deps, tx, keyed);
  });
  if (known === null) throw refusal;
  const { assetId, answer } = readKnown(deps, known);
  if (answer !== null) return await replayUpload(deps, answer);
  return await settleAbandonedUpload(deps, assetId, request.isMinimal);
}

function keyOf({ caller, key }: UploadRequest, identity: UploadIdentity): KeyedRequest {
  return { agentId: caller.agent.id, key, fingerprint: fingerprintOf("POST", "/assets", null, identity) };
}

/**
 * Transaction 1: records the row, the quota, the key without an answer, and the job; or returns the stored
 * answer, or the file of an earlier request that never answered.
 */
async function begin(
  deps: Deps,
  keyed: KeyedRequest,
  stored: Stored,
  request: UploadRequest,
): Promise<{ assetId: string; answer: Answer | null }> {
  const { caller, respondsAsync, isMinimal } = request;
  const perform = async (tx: Tx) => {
    await holdKey(tx, keyed);
    const known = await findAnswer(deps, tx, keyed);
    if (known) return readKnown(deps, known);
    const agent = await lockWriter(tx, deps, caller);
    // Deletion and expiry lock the agent too: what was removed while it was read does not come back here.
    if (stored.appended !== null) await findBase(tx, deps, agent, stored.appended.baseId);
    await checkQuotas(tx, deps, agent, stored);
    await recordStored(tx, deps, agent, stored);
    await request.record?.(tx, stored.id);
    const answer = respondsAsync ? await answerAt(tx, deps, stored.id, isMinimal) : null;
    if (answer !== null) await markAnsweredProcessing(tx, stored.id);
    const act = { action: "asset.upload", subjectKind: "asset", subjectId: stored.id, agentId: agent.id };
    const key = toNewKey(deps, keyed, { answer, assetId: stored.id });
    await recordActs(tx, actorOf(caller), [act], { atMs: deps.now(), key });
    await deps.jobs.enqueue(tx, [{ name: "inspect-asset", payload: { asset_id: stored.id, attempt: 1 } }]);
    return { assetId: stored.id, answer };
  };
  return await deps.writeSemaphore({ key: caller.agent.id }, () => deps.pool.transaction(perform));
}

/** A key without an answer is in flight for as long as its request may wait for the verdict. */
function readKnown(deps: Deps, known: StoredKey): { assetId: string; answer: Answer | null } {
  const { answer, assetId, createdMs } = known;
  if (assetId === null) throw new Error("a key whose fingerprint is of an upload has no file");
  if (answer === null && deps.now() - createdMs < deps.config.uploadWaitMs) throw inProgress();
  return { assetId, answer };
}

/** Throws where the agent has no room for a file, or for what is kept of it. */
export async function checkQuotas(db: Db, deps: Deps, agent: AgentRow, stored: Stored): Promise<void> {
  const limits = limitsOfAgent(deps, agent);
  // The limit may have been lowered while the bytes came.
  if (stored.bytes > limits.fileBytes) throw tooLarge(limits.fileBytes);
  checkRoom(deps, agent, stored.bytes);
  // What its inspection finds is kept as well.
  const textUse = await findTextUse(db, agent.id);
  if (textUse >= limits.textBytes) throw noRoomForTexts(textUse, limits.textBytes);
  if ((await countProcessingAssets(db, agent.id)) >= limits.processingUploads) {
    throw refuse(
      "asset_processing_limit",
      `${limits.processingUploads} of your uploads are still being inspected.`,
      "Poll them until they are ready, then upload again.",
    );
  }
}

/** Throws where a file of this size has no room among the agent's files. */
export function checkRoom(deps: Deps, agent: AgentRow, bytes: number): void {
  const limits = limitsOfAgent(deps, agent);
  if (agent.file_count >= limits.files) {
    throw refuse(
      "asset_count_exhausted",
      `You have ${limits.files} files, the most that may be stored.`,
      DELETE_FILES,
    );
  }
  if (agent.storage_bytes + bytes > limits.storageBytes) {
    const left = limits.storageBytes - agent.storage_bytes;
    throw refuse(
      "storage_quota_exhausted",
      `Only ${Math.max(0, left)} bytes of your storage are left.`,
      DELETE_FILES,
    );
  }
}

const DELETE_FILES = "Delete files that no revision uses; files of replaced revisions go after 30 days.";

/** Records a stored file, which is not inspected yet. */
export async function recordStored(tx: Tx, deps: Deps, agent: AgentRow, stored: Stored): Promise<void> {
  const nowMs = deps.now();
  const { format, dialect, identity: _, ...file } = stored;
  const expiresMs = nowMs + deps.config.limits.unattachedHours * HOUR_MS;
  const kind = KINDS[format];
  const { pieceDialect = null } = file.appended ?? {};
  await insertAsset(tx, {
    ...{ ...file, format, kind, agentId: agent.id, nowMs, expiresMs },
    dialect: dialect && JSON.stringify(dialect),
    pieceDialect: pieceDialect && JSON.stringify(pieceDialect),
  });
  await addToStorage(tx, agent.id, 1, file.bytes);
}
