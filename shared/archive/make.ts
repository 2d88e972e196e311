import {
  beginExport,
  dropReadyExport,
  type ExportRow,
  settleExportFailed,
  settleExportReady,
  touchExport,
} from "../../sql/owner-exports.ts";
import { findOwnerById, lockOwner } from "../../sql/owners.ts";
import { SERVICE } from "../audit/record-act.ts";
import type { Deps } from "../deps.ts";
import { FileStoreUnavailable } from "../files/store.ts";
import { recordExport } from "../owners/exports.ts";
import { DAY_MS, toUtcDay } from "../times.ts";
import { storeArchive } from "./store.ts";

/** A worker says so often that it is still at it. */
const TOUCH_MS = 10_000;
/** A request that so many workers began and none finished ends the workers that try it. */
const MOST_TRIES = 10;

/** How this try stands: whether it is the job's last one, and what stops it. */
export interface Try {
  isLast: boolean;
  signal: AbortSignal;
}

/** Makes the archive of a request that waits; running it twice or late changes nothing. */
export async function makeExport(deps: Deps, exportId: string, attempt: Try): Promise<void> {
  const request = await deps.pool.transaction((tx) => beginExport(tx, exportId, deps.now()));
  if (request === null) return;
  if (request.tries > MOST_TRIES) return await failExport(deps, request, reasonOf(null));
  const fileId = deps.newId();
  const watch = watchExport(deps, request, attempt.signal);
  try {
    const made = await storeArchive(deps, request.owner_id, fileId, watch.goOn);
    if (!(await finishExport(deps, request, { fileId, ...made }))) await deps.files.delete(fileId);
  } catch (error) {
    if (watch.isOver()) return;
    // A worker that was stopped tells nothing of the archive.
    if (attempt.isLast && !attempt.signal.aborted) await failExport(deps, request, reasonOf(error));
    throw error;
  }
}

/** Tells now and then that a worker is at it, and stops it where nobody waits for the archive any more. */
function watchExport(deps: Deps, request: ExportRow, signal: AbortSignal) {
  let touchedMs = performance.now();
  let isOver = false;
  return {
    isOver: () => isOver,
    async goOn() {
      signal.throwIfAborted();
      if (performance.now() - touchedMs < TOUCH_MS) return;
      touchedMs = performance.now();
      isOver = !(await touchExport(deps.pool, request.id, deps.now()));
      if (isOver) throw new Error("nobody waits for this archive any more");
    },
  };
}

/** Names the file in the order's row, in the place of an earlier archive; false where another run was faster. */
async function finishExport(
  deps: Deps,
  request: ExportRow,
  made: { fileId: string; bytes: number; sha256: string },
): Promise<boolean> {
  const nowMs = deps.now();
  const expiresMs = nowMs + deps.config.limits.exportDays * DAY_MS;
  const replaced = await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, request.owner_id);
    // The owner is held: what waits now waits until the end of this.
    if (!(await touchExport(tx, request.id, nowMs))) return undefined;
    const earlier = await dropReadyExport(tx, request.owner_id);
    await settleExportReady(tx, request.id, { ...made, nowMs, expiresMs });
    await recordExport(tx, SERVICE, "export.finish", request, nowMs);
    return earlier;
  });
  if (replaced === undefined) return false;
  if (replaced !== null) await deps.files.delete(replaced);
  await notifyOwner(deps, request.owner_id, expiresMs);
  return true;
}

async function notifyOwner(deps: Deps, ownerId: string, expiresMs: number): Promise<void> {
  const owner = await findOwnerById(deps.pool, ownerId);
  if (owner === null || owner.status === "left") return;
  const text = `The archive of your data is ready. Sign in to download it until ${toUtcDay(expiresMs)}.`;
  const link = `${deps.config.siteUrl}/console/account`;
  await deps.mailer.send({ to: owner.email, subject: "The archive of your data is ready", text, link });
}

async function failExport(deps: Deps, request: ExportRow, reason: string): Promise<void> {
  const nowMs = deps.now();
  const expiresMs = nowMs + deps.config.limits.exportDays * DAY_MS;
  await deps.pool.transaction(async (tx) => {
    const ownerId = await settleExportFailed(tx, request.id, { reason, nowMs, expiresMs });
    if (ownerId !== null) await recordExport(tx, SERVICE, "export.fail", request, nowMs);
  });
}

function reasonOf(error: unknown): string {
  return error instanceof FileStoreUnavailable
    ? "There was no room for the archive, or the file store was away. Ask for it again later."
    : "The archive could not be made. Ask for it again; if it fails again, write to the operators.";
}
