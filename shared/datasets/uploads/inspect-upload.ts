import type { Tx } from "../../../sql/connection/pool.ts";
import { type AssetRow, findAssetById, noteProgress } from "../../../sql/datasets/assets.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { saveVerdict } from "./verdicts.ts";

/** The shortest time between two writes of progress: most inspections end before the first. */
const EVERY_MS = 400;
const MOST_BEFORE_THE_VERDICT = 0.99;

/**
 * Writes an inspection's progress into the upload's row every `EVERY_MS` until it is stopped, which resolves once no write
 * is under way. The inspecting thread counts in `counter` the bytes that it has read.
 */
export function followProgress(
  deps: Deps,
  asset: Pick<AssetRow, "id" | "bytes">,
  attempt: number,
  everyMs: number = EVERY_MS,
) {
  const counter = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT);
  const bytesRead = new Uint32Array(counter);
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    // A file that is read once more makes no progress, but is under way.
    written = Math.max(written, shareOf(Atomics.load(bytesRead, 0), asset.bytes));
    // Progress is only shown, so the inspection goes on where the write fails.
    const noted = { progress: written, nowMs: deps.now() };
    await noteProgress(deps.pool, asset.id, attempt, noted).catch(() => undefined);
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, everyMs);
  timer.unref();
  return {
    counter,
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
}

function shareOf(bytesRead: number, bytes: number): number {
  if (bytes === 0) return 0;
  return Math.min(Math.floor((bytesRead / bytes) * 100) / 100, MOST_BEFORE_THE_VERDICT);
}

/** The upload that a job names; null when it is settled or another attempt has taken over. */
async function findUploadToInspect(deps: Deps, id: string, attempt: number): Promise<AssetRow | null> {
  const asset = await findAssetById(deps.pool, id);
  return asset?.readiness === "processing" && asset.attempt === attempt ? asset : null;
}

/** Inspects an upload's bytes in a thread and saves the verdict; a late or second run changes nothing. */
export async function inspectUpload(
  deps: Deps,
  threads: Threads,
  id: string,
  attempt: number,
): Promise<void> {
  const asset = await findUploadToInspect(deps, id, attempt);
  if (asset === null) return;
  const progress = followProgress(deps, asset, attempt);
  try {
    const partFrom = asset.appended_from ?? undefined;
    const canonicalId = deps.newId();
    const { fileBytes, planBytes } = deps.config.limits;
    const verdict = await threads.inspect({
      ...{ key: id, format: asset.format, bytes: asset.bytes, progress: progress.counter, partFrom },
      reading: {
        asked: asset.dialect === null ? null : JSON.parse(asset.dialect),
        ...{ canonicalId, mostBytes: 2 * fileBytes, seeksPlan: asset.bytes <= planBytes },
      },
    });
    await progress.stop();
    const isReady = await saveVerdict(deps, asset, attempt, { verdict, canonicalId });
    if (isReady && verdict.ok && verdict.readingIndex !== null) await orderBehindVerdict(deps, asset.id);
  } catch (error) {
    // Another run may have refused the file meanwhile and removed its bytes: then this run saves nothing.
    const isOver = error instanceof FileMissing && (await findUploadToInspect(deps, id, attempt)) === null;
    if (!isOver) throw error;
  } finally {
    await progress.stop();
  }
}

/**
 * Orders all that is made of a ready file behind its verdict, so that no upload waits for it: by one transaction, as each
 * waits for the disk. Where a measurement is lost, the first reader starts another.
 */
export async function orderBehindVerdict(deps: Deps, assetId: string): Promise<void> {
  await deps.pool.transaction((tx) => orderFromFile(tx, deps, assetId));
}

/** Orders all that is made of a ready file. */
export async function orderFromFile(tx: Tx, deps: Deps, assetId: string): Promise<void> {
  await orderWork(tx, deps, [
    { name: "measure-asset", payload: { asset_id: assetId, attempt: 1 } },
    { name: "write-parquet", payload: { asset_id: assetId } },
  ]);
}
