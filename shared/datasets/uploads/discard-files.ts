import type { Tx } from "../../../sql/connection/pool.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { deleteCanonicalOf } from "../../../sql/datasets/canonical-files.ts";
import { deleteParquetOf } from "../../../sql/datasets/parquet-files.ts";
import {
  listRevisionsWithAgedFiles,
  markFilesDeleted,
  releaseFilesOfRevision,
} from "../../../sql/datasets/revision-files.ts";
import { addToStorage, lockAgent } from "../../../sql/identity/agents.ts";
import { lockCreation, raisePageVersions } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { DAY_MS } from "../../ground/times.ts";
import { recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";

/** How long an answer waits for the store: a hanging one would turn a committed act into a 503 after 30 seconds. */
const WAITS_MS = 1_000;

/**
 * Deletes stored bytes whose release is committed, and the files that were made of them. Never throws: what is committed
 * has happened, and `sweepOrphanFiles` deletes what is left.
 */
export async function discardFiles(deps: Deps, ids: readonly string[]): Promise<void> {
  let left = 0;
  let reason: unknown = null;
  const made: string[] = [];
  try {
    made.push(...(await deleteParquetOf(deps.pool, ids)), ...(await deleteCanonicalOf(deps.pool, ids)));
  } catch (error) {
    reason = error;
  }
  for (const id of [...ids, ...made]) {
    await deps.files.delete(id).catch((error: unknown) => {
      left++;
      reason = error;
    });
  }
  if (left > 0)
    deps.log.warn({ files: left, err: reason }, "files are not deleted yet; the sweep deletes them");
}

/** The same within a request: the answer waits a second at most, and the deletion goes on behind it. */
export async function discardFilesSoon(deps: Deps, ids: readonly string[]): Promise<void> {
  await waitWithoutPlace(() => withTimeout(discardFiles(deps, ids), WAITS_MS)).catch(() => undefined);
}

/**
 * Deletes the files of revisions that were replaced 30 days ago, except files of other revisions; returns the
 * count.
 */
export async function sweepAgedFiles(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.replacedFilesDays * DAY_MS;
  let count = 0;
  for (const aged of await listRevisionsWithAgedFiles(deps.pool, beforeMs)) {
    if (await purgeRevision(deps, aged, beforeMs)) count++;
  }
  return count;
}

async function purgeRevision(
  deps: Deps,
  aged: { id: string; creation_id: string; agent_id: string },
  beforeMs: number,
): Promise<boolean> {
  const released = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, aged.agent_id);
    const creation = await lockCreation(tx, aged.creation_id);
    const revision = await findRevisionById(tx, aged.id);
    const isAged = revision !== null && revision.replaced_at !== null && revision.replaced_at <= beforeMs;
    if (!isAged || creation?.live_revision_id === aged.id || revision.files_deleted_at !== null) return null;
    await markFilesDeleted(tx, aged.id, deps.now());
    const act = { action: "revision.purge_files", subjectKind: "revision", subjectId: aged.id };
    await recordAct(tx, SERVICE, { ...act, agentId: aged.agent_id }, deps.now());
    return await releaseFiles(tx, deps, { id: aged.creation_id, agent_id: aged.agent_id }, aged.id);
  });
  await discardFiles(deps, released ?? []);
  return released !== null;
}

/** Releases a revision's files and their quota, except files of other revisions; returns their ids. */
export async function releaseFiles(
  tx: Tx,
  deps: Deps,
  creation: { id: string; agent_id: string },
  revisionId: string,
): Promise<readonly string[]> {
  const released = await releaseFilesOfRevision(tx, revisionId, deps.now());
  const bytes = released.reduce((sum, file) => sum + file.bytes, 0);
  if (released.length > 0) await addToStorage(tx, creation.agent_id, -released.length, -bytes);
  const assetIds = released.map((file) => file.id);
  await raisePageVersions(tx, { creationId: creation.id, assetIds });
  return assetIds;
}
