import {
  beginExport,
  dropReadyExport,
  type ExportRow,
  settleExportFailed,
  settleExportReady,
  touchExport,
} from "../../../sql/care/owner-exports.ts";
import { findOwnerById, lockOwner } from "../../../sql/identity/owners.ts";
import { discardFiles } from "../../datasets/uploads/discard-files.ts";
import { measurePieces } from "../../ground/checksum.ts";
import { DAY_MS, toUtcDay } from "../../ground/times.ts";
import { SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileStoreUnavailable } from "../../platform/files/store.ts";
import { CATALOGUE } from "../../platform/jobs/catalogue.ts";
import type { JobRun } from "../../platform/jobs/queue.ts";
import { writeContents } from "./contents.ts";
import { recordExport } from "./exports.ts";
import { openZip } from "./zip.ts";

/** The interval in which a worker reports that it is still working. */
const TOUCH_MS = 10_000;
/** After this many failed starts a request is given up: it probably kills the workers that try it. */
const MOST_TRIES = 10;

/** Builds a requested archive; running it twice or late changes nothing. */
export async function makeExport(
  deps: Deps,
  exportId: string,
  run: Pick<JobRun, "attempt" | "signal">,
): Promise<void> {
  const request = await deps.pool.transaction((tx) => beginExport(tx, exportId, deps.now()));
  if (request === null) return;
  if (request.tries > MOST_TRIES) return await failExport(deps, request, reasonOf(null));
  const fileId = deps.newId();
  const watch = watchExport(deps, request, run.signal);
  try {
    const stored = await storeArchive(deps, request.owner_id, fileId, watch.goOn);
    if (!(await finishExport(deps, request, { fileId, ...stored }))) await discardFiles(deps, [fileId]);
  } catch (error) {
    if (watch.isOver()) return;
    // A worker that was stopped does not fail the archive.
    const isLast = run.attempt >= CATALOGUE["make-export"].attempts;
    if (isLast && !run.signal.aborted) await failExport(deps, request, reasonOf(error));
    throw error;
  }
}

/** Reports progress regularly, and stops the work once nobody waits for the archive. */
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

/**
 * Stores the file in the request's row and replaces an earlier archive; false where another run was faster.
 */
async function finishExport(
  deps: Deps,
  request: ExportRow,
  stored: { fileId: string; bytes: number; sha256: string },
): Promise<boolean> {
  const nowMs = deps.now();
  const expiresMs = nowMs + deps.config.limits.exportDays * DAY_MS;
  const replaced = await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, request.owner_id);
    // This locks the owner: other transactions on it wait until this one ends.
    if (!(await touchExport(tx, request.id, nowMs))) return undefined;
    const earlier = await dropReadyExport(tx, request.owner_id);
    await settleExportReady(tx, request.id, { ...stored, nowMs, expiresMs });
    await recordExport(tx, SERVICE, "export.finish", request, nowMs);
    return earlier;
  });
  if (replaced === undefined) return false;
  if (replaced !== null) await discardFiles(deps, [replaced]);
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

/**
 * Streams an owner's archive into the file store under a key, completely or not at all. Each piece calls
 * `goOn`, which stops the work by throwing.
 */
export async function storeArchive(
  deps: Deps,
  ownerId: string,
  fileId: string,
  goOn: () => Promise<void>,
): Promise<{ bytes: number; sha256: string }> {
  const zip = openZip(new Date(deps.now()));
  const writing = writeContents(deps, ownerId, zip).then(zip.end, zip.fail);
  const { pieces, measured } = measurePieces(zip.output, goOn);
  try {
    await deps.files.put(fileId, pieces);
  } catch (error) {
    zip.fail(error);
    throw error;
  } finally {
    // The write holds a connection until it ends.
    await writing;
  }
  return measured();
}
