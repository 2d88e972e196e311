import { emptyDeletedFiles } from "../../../sql/care/erasures.ts";
import { closeReportsOf } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { deleteArtworksOf } from "../../../sql/datasets/artworks.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { removeAnswersAbout } from "../../../sql/identity/idempotency-keys.ts";
import { deleteCreationWords } from "../../../sql/reading/search-words.ts";
import {
  type CreationRow,
  findCreationById,
  lockCreation,
  raiseCreationVersion,
  setCreationHidden,
} from "../../../sql/works/creations.ts";
import { listFilesOfCreation } from "../../../sql/works/delete-draft.ts";
import { findRevisionById, removeRevisionContent } from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule, hasPendingSchedule } from "../../../sql/works/schedules.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import { releaseFiles } from "../../datasets/uploads/purge.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, reasonDetail, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnChanged } from "./publish.ts";
import { enqueueFeedsOf, takeOffSite } from "./visibility.ts";

/**
 * Takes a creation off the site, hides it or unhides it, at once for every reader. The audit log keeps the
 * reason; hiding closes the open reports.
 */
export async function runCreationCommand(
  deps: Deps,
  actor: Actor,
  id: string,
  command: "unpublish" | "hide" | "unhide",
  reason: string | null = null,
) {
  const known = await getCreation(deps, id);
  return await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    const after = await (command === "unpublish"
      ? takeOffSite(tx, deps, creation)
      : setHidden(tx, deps, creation, command === "hide"));
    const changed = { before: creation, after };
    await recordAct(
      tx,
      actor,
      actOnChanged(changed, `creation.${command}`, reasonDetail(reason)),
      deps.now(),
    );
    if (command === "hide") await closeReportsOf(tx, aboutOf(creation), deps.now());
    return { creation_id: after.id, visibility: after.visibility, hidden: after.hidden_at !== null };
  });
}

function aboutOf(creation: CreationRow) {
  return { agentId: creation.agent_id, creationId: creation.id };
}

async function setHidden(tx: Tx, deps: Deps, creation: CreationRow, hidden: boolean): Promise<CreationRow> {
  if ((creation.hidden_at !== null) === hidden) return creation;
  const after = await setCreationHidden(tx, creation.id, hidden ? deps.now() : null);
  await enqueueFeedsOf(tx, deps, creation);
  return after;
}

/**
 * Cancels the pending schedule of a creation, a private draft's too; its agent may set another. Returns false
 * where none was pending, as it may have come due first.
 */
export async function cancelOwnersSchedule(deps: Deps, actor: Actor, known: CreationRow): Promise<boolean> {
  return await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    if (!(await hasPendingSchedule(tx, creation.id))) return false;
    await cancelPendingSchedule(tx, creation.id, "Cancelled by the owner.", deps.now());
    await raiseCreationVersion(tx, creation.id);
    const act = { action: "creation.cancel_schedule", subjectKind: "creation", subjectId: creation.id };
    await recordAct(tx, actor, { ...act, agentId: creation.agent_id }, deps.now());
    return true;
  });
}

/** Removes the content of an earlier published revision for good; its entry keeps who removed it and when. */
export async function removeContent(
  deps: Deps,
  actor: Actor,
  revisionId: string,
  by: "owner" | "moderator",
  reason: string | null = null,
) {
  const ulid = toUlid(revisionId);
  const found = ulid === null ? null : await findRevisionById(deps.pool, ulid);
  if (found === null) throw notFound("revision");
  const known = await getCreation(deps, found.creation_id);
  const nowMs = deps.now();
  const released = await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    const revision = await findRevisionById(tx, found.id);
    if (revision === null) throw notFound("revision");
    if (revision.content_removed_at !== null)
      throw refuse("revision_content_removed", "The content was removed before.");
    if (revision.state !== "published")
      throw refuse("not_published", "Only published content can be removed.");
    if (creation.live_revision_id === revision.id) {
      throw refuse(
        "invalid_revision_state",
        "This revision is live.",
        "Unpublish the creation first, or publish another one.",
      );
    }
    const attached = await listFilesOfCreation(tx, creation.id);
    const files = await releaseFiles(tx, deps, creation, revision.id);
    await deleteDrawingsOfText(tx, revision.payload?.body_markdown, revision.id);
    await deleteArtworksOf(tx, creation.id);
    await removeRevisionContent(tx, revision.id, { by, nowMs });
    await emptyDeletedFiles(tx, attached, nowMs);
    await removeAnswersAbout(tx, { ...aboutOf(creation), revisionId: revision.id });
    if (creation.live_revision_id === null) await deleteCreationWords(tx, creation.id);
    await raiseCreationVersion(tx, creation.id);
    const act = { action: "revision.remove_content", subjectKind: "revision", subjectId: revision.id };
    const detail = { by, ...reasonDetail(reason) };
    const changes = [{ of: "content", creation, revisionNumber: revision.revision_number }] as const;
    await recordAct(tx, actor, { ...act, agentId: creation.agent_id, detail, changes }, nowMs);
    if (by === "moderator") await closeReportsOf(tx, aboutOf(creation), nowMs);
    return files;
  });
  await discardFilesSoon(deps, released);
  return { revision_id: found.id, content_removed_at: toIso(nowMs), content_removed_by: by };
}

async function getCreation(deps: Deps, id: string): Promise<CreationRow> {
  const ulid = toUlid(id);
  const creation = ulid === null ? null : await findCreationById(deps.pool, ulid);
  if (creation === null) throw notFound("creation");
  return creation;
}

/** Locks the agent first, then the creation, as every write does. */
async function holdCreation(tx: Tx, known: CreationRow): Promise<CreationRow> {
  await lockAgent(tx, known.agent_id);
  const creation = await lockCreation(tx, known.id);
  if (creation === null) throw notFound("creation");
  return creation;
}
