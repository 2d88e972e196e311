import {
  countExports,
  deleteExpiredExports,
  dropReadyExport,
  type ExportRow,
  findExportOf,
  insertExport,
  listExportsOf,
  touchSilentExports,
} from "../../../sql/care/owner-exports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { lockOwner } from "../../../sql/identity/owners.ts";
import { discardFiles, discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import { getById, notFound, Refusal, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { nextUtcMidnight, startOfUtcDay, toIso, toUtcDay } from "../../ground/times.ts";
import { type Actor, makeAct, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";

/**
 * A requested archive without progress for this long is enqueued again; a job that already waits is enough.
 */
const SILENT_MS = 40_000;

/**
 * Requests an archive of all of an owner's data; a worker builds it. Throws 422 on `export` while one is
 * being built, and `rate_limited` over the requests of a UTC day.
 */
export async function requestExport(deps: Deps, actor: Actor, ownerId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const most = limitsOfOwner(deps, await lockOwner(tx, ownerId)).exportsPerDay;
    const known = await listExportsOf(tx, ownerId);
    if (known.some(({ state }) => state === "waiting")) {
      throw refuseField("export", "An archive is being made already.");
    }
    if ((await countExports(tx, ownerId, startOfUtcDay(nowMs))) >= most) throw refuseMore(most, nowMs);
    const id = deps.newId();
    await insertExport(tx, { id, ownerId, nowMs });
    await deps.jobs.enqueue(tx, [{ name: "make-export", payload: { export_id: id } }]);
    await recordExport(tx, actor, "export.order", { id, owner_id: ownerId }, nowMs);
  });
}

function refuseMore(most: number, nowMs: number): Refusal {
  const message = `You can ask for ${most} archives a day; the next day begins at midnight UTC.`;
  const retryAfterSeconds = Math.ceil((nextUtcMidnight(nowMs) - nowMs) / 1000);
  return new Refusal("rate_limited", message, { errors: { export: [message] }, retryAfterSeconds });
}

/** The state of an owner's requests: the pending or last failed one, and the archive that is ready. */
export async function presentExports(deps: Deps, ownerId: string) {
  const rows = await listExportsOf(deps.pool, ownerId);
  const ready = rows.find((row) => isReady(row, deps.now()));
  const newest = rows[0];
  return {
    waiting_since: newest?.state === "waiting" ? toIso(newest.ordered_at) : null,
    failure: newest?.state === "failed" ? newest.failure : null,
    archive: ready === undefined ? null : presentArchive(ready),
  };
}

function presentArchive(row: ExportRow) {
  return {
    id: row.id,
    made_at: toIso(row.finished_at ?? row.ordered_at),
    expires_at: toIso(row.expires_at ?? row.ordered_at),
    bytes: row.bytes ?? 0,
    sha256: row.sha256 ?? "",
  };
}

function isReady({ state, expires_at }: ExportRow, nowMs: number): boolean {
  return state === "ready" && (expires_at ?? 0) > nowMs;
}

/** An archive that its owner can fetch now; throws `not_found` for every other id, another owner's too. */
export async function getArchive(deps: Deps, ownerId: string, id: string | undefined) {
  const row = await getById("archive", id, (ulid) => findExportOf(deps.pool, ownerId, ulid));
  if (row.file_id === null || !isReady(row, deps.now())) throw notFound("archive");
  const day = toUtcDay(row.finished_at ?? row.ordered_at);
  return { filename: `broadsheet-${day}.zip`, bytes: row.bytes ?? 0, fileId: row.file_id };
}

/** Deletes an archive at once; throws as `getArchive` does. */
export async function deleteArchive(deps: Deps, actor: Actor, ownerId: string, id: string | undefined) {
  const nowMs = deps.now();
  const ulid = toUlid(id);
  const fileId = await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const row = ulid === null ? null : await findExportOf(tx, ownerId, ulid);
    if (row === null || !isReady(row, nowMs)) throw notFound("archive");
    await recordExport(tx, actor, "export.delete", row, nowMs);
    return await dropReadyExport(tx, ownerId);
  });
  if (fileId !== null) await discardFilesSoon(deps, [fileId]);
}

/** Enqueues archives again whose job was lost; returns the count. */
export async function sweepLostExports(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const ids = await touchSilentExports(tx, nowMs - SILENT_MS, nowMs);
    await deps.jobs.enqueue(
      tx,
      ids.map((id) => ({ name: "make-export", payload: { export_id: id } })),
    );
    return ids.length;
  });
}

/** Deletes expired archives with their files; returns the count of rows. */
export async function sweepExpiredExports(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const gone = await deps.pool.transaction(async (tx) => {
    const rows = await deleteExpiredExports(tx, nowMs);
    for (const row of rows.filter(({ file_id }) => file_id !== null)) {
      await recordExport(tx, SERVICE, "export.expire", row, nowMs);
    }
    return rows;
  });
  await discardFiles(
    deps,
    gone.flatMap(({ file_id }) => file_id ?? []),
  );
  return gone.length;
}

/** Records an act on an archive so that its owner sees it, for every actor. */
export async function recordExport(
  tx: Tx,
  actor: Actor,
  action: `export.${string}`,
  { id, owner_id }: Pick<ExportRow, "id" | "owner_id">,
  nowMs: number,
): Promise<void> {
  await recordAct(tx, actor, makeAct("owner", owner_id, action, { detail: { export_id: id } }), nowMs);
}
