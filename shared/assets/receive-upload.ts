import { createHash } from "node:crypto";
import { type AgentRow, addToStorage } from "../../sql/agents.ts";
import { type AssetRow, countProcessingAssets, findAssetById, insertAsset } from "../../sql/assets.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import { recordAct } from "../audit/record-act.ts";
import { type EncodingWatch, watchEncoding } from "../core/inspect/encoding-watch.ts";
import { FileRefused } from "../core/inspect/verdict.ts";
import { openSecretWatch, refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import type { Deps } from "../deps.ts";
import { Refusal, refuse } from "../errors.ts";
import { limitsOfAgent } from "../limits-in-force.ts";
import { HOUR_MS } from "../times.ts";
import { actorOf, type Caller, lockWriter } from "../writes/authenticate.ts";
import {
  type Answer,
  findAnswer,
  fingerprintOf,
  holdKey,
  inProgress,
  type KeyedRequest,
  keepAnswer,
  type StoredKey,
} from "../writes/idempotency.ts";
import { collectMinorGarbage } from "./collect-young-garbage.ts";
import { discardFilesSoon } from "./discard-files.ts";
import { type Format, KINDS, readFilename, readFormat, readPacking } from "./filenames.ts";
import { type IncomingFile, refuseFile, tooLarge } from "./incoming-file.ts";
import { unpack } from "./unpack.ts";
import { answerAt, settleAbandonedUpload, settleUpload } from "./verdicts.ts";

/** The stored bytes with their measured size and hash. */
interface Stored {
  id: string;
  filename: string;
  format: Format;
  bytes: number;
  /** The bytes that came, of a compressed file. */
  sentBytes: number | null;
  sha256: string;
}

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
  const { fileBytes } = limitsOfAgent(deps, request.caller.agent);
  const stored = await storeBytes(deps, await openFile(fileBytes), fileBytes);
  const { sha256, filename } = stored;
  const fingerprint = fingerprintOf("POST", "/assets", null, { sha256, filename });
  const keyed: KeyedRequest = { agentId: request.caller.agent.id, key: request.key, fingerprint };
  const watch = await deps.settlements.watch(stored.id);
  try {
    const begun = await begin(deps, keyed, stored, request);
    const isFirst = begun.assetId === stored.id;
    if (isFirst) countUpload(deps, stored.bytes);
    else await discardFilesSoon(deps, [stored.id]);
    if (begun.answer) return begun.answer;
    if (!isFirst) return await settleAbandonedUpload(deps, begun.assetId, request.isMinimal);
    return await settleUpload(deps, stored.id, { watch, isMinimal: request.isMinimal });
  } catch (error) {
    await discardUnlessRecorded(deps, stored.id, error);
    throw error;
  } finally {
    watch.close();
  }
}

function countUpload(deps: Deps, bytes: number): void {
  deps.metrics.uploads.inc({ outcome: "received" });
  deps.metrics.uploadBytes.inc(bytes);
}

/** A refusal means that these bytes got no row; after any other failure the sweep decides. */
async function discardUnlessRecorded(deps: Deps, id: string, error: unknown): Promise<void> {
  if (error instanceof Refusal) await discardFilesSoon(deps, [id]);
}

async function storeBytes(deps: Deps, file: IncomingFile, limit: number): Promise<Stored> {
  const { stored: filename, packing } = readPacking(readFilename(file.filename));
  const format = readFormat(filename);
  await refuseLeakedCredentials(deps, { file: filename });
  const unpacked = packing === null ? null : unpack(file, packing, limit);
  const watchSecrets = openSecretWatch(deps);
  const id = deps.newId();
  const hash = createHash("sha256");
  const watchBytes = openEncodingWatch();
  let bytes = 0;
  async function* check(): AsyncIterable<Uint8Array> {
    for await (const chunk of unpacked?.bytes ?? file.bytes) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      watchBytes(chunk);
      await watchSecrets(chunk);
      hash.update(chunk);
      yield chunk;
      collectMinorGarbage(chunk.length);
    }
    if (file.wasCut()) throw tooLarge(limit);
    watchBytes();
    await watchSecrets();
  }
  await deps.files.put(id, check());
  const sentBytes = unpacked?.sentBytes() ?? null;
  return { id, filename, format, bytes, sentBytes, sha256: hash.digest("hex") };
}

/** Checks the encoding of bytes as inspection does, and refuses with the same sentences. */
function openEncodingWatch(): EncodingWatch {
  const watch = watchEncoding();
  return (chunk) => {
    try {
      watch(chunk);
    } catch (error) {
      throw error instanceof FileRefused ? refuseFile(error.message) : error;
    }
  };
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
    await checkQuotas(tx, deps, agent, stored);
    await record(tx, deps, agent, stored);
    await request.record?.(tx, stored.id);
    const answer = respondsAsync ? await answerAt(tx, deps, stored.id, isMinimal) : null;
    await keepAnswer(tx, deps, keyed, { answer, assetId: stored.id });
    const act = { action: "asset.upload", subjectKind: "asset", subjectId: stored.id, agentId: agent.id };
    await recordAct(tx, actorOf(caller), act, deps.now());
    await deps.jobs.enqueue(tx, "inspect-asset", { asset_id: stored.id, attempt: 1 });
    return { assetId: stored.id, answer };
  };
  return await deps.writeSemaphore(caller.agent.id, () => deps.pool.transaction(perform));
}

/** A key without an answer is in flight for as long as its request may wait for the verdict. */
function readKnown(deps: Deps, known: StoredKey): { assetId: string; answer: Answer | null } {
  const { answer, assetId, createdMs } = known;
  if (assetId === null) throw new Error("a key whose fingerprint is of an upload has no file");
  if (answer === null && deps.now() - createdMs < deps.config.uploadWaitMs) throw inProgress();
  return { assetId, answer };
}

async function checkQuotas(tx: Tx, deps: Deps, agent: AgentRow, stored: Stored): Promise<void> {
  const limits = limitsOfAgent(deps, agent);
  // The limit may have been lowered while the bytes came.
  if (stored.bytes > limits.fileBytes) throw tooLarge(limits.fileBytes);
  checkRoom(deps, agent, stored.bytes);
  if ((await countProcessingAssets(tx, agent.id)) >= limits.processingUploads) {
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

async function record(tx: Tx, deps: Deps, agent: AgentRow, stored: Stored): Promise<void> {
  const nowMs = deps.now();
  const { format, ...file } = stored;
  const expiresMs = nowMs + deps.config.limits.unattachedHours * HOUR_MS;
  const kind = KINDS[format];
  await insertAsset(tx, { ...file, format, kind, agentId: agent.id, nowMs, expiresMs });
  await addToStorage(tx, agent.id, 1, file.bytes);
}

/** The upload that a job names; null when it is settled or another attempt has taken over. */
export async function findUploadToInspect(deps: Deps, id: string, attempt: number): Promise<AssetRow | null> {
  const asset = await findAssetById(deps.pool, id);
  return asset?.readiness === "processing" && asset.attempt === attempt ? asset : null;
}
