import { emptyDeletedFiles } from "../../../sql/care/erasures.ts";
import { closeReportsOf } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { deleteArtworksOf } from "../../../sql/datasets/artworks.ts";
import { takePlaceOfDay } from "../../../sql/identity/daily-counts.ts";
import { removeAnswersAbout } from "../../../sql/identity/idempotency-keys.ts";
import { deleteCreationWords } from "../../../sql/reading/search-words.ts";
import {
  type CreationRow,
  findCreationById,
  raiseCreationVersion,
  setCreationHidden,
  setCreationPrivate,
  setCreationVisibility,
} from "../../../sql/works/creations.ts";
import { listFilesOfCreation } from "../../../sql/works/drafts.ts";
import { endReplacedPreviews } from "../../../sql/works/previews.ts";
import { findRevisionById, removeRevisionContent } from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule, hasPendingSchedule } from "../../../sql/works/schedules.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFilesSoon, releaseFiles } from "../../datasets/uploads/discard-files.ts";
import { getById, orNotFound, refuse } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, reasonDetail, recordAct } from "../../identity/audit/record-act.ts";
import { feedKeysOf, toFeedJobs } from "../../identity/mark-feeds-stale.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { toHubJobs } from "../../reading/feeds/notify-hub.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseVisibilityRequest } from "../../requests/parse-publishing.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { limitReached, placeOfDay } from "./limits.ts";
import { actOnChanged, toWritten } from "./publish.ts";
import { type CreationSubject, creationSubject, holdCreation, takesNothing } from "./subject.ts";

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
    const act = actOnChanged({ before: creation, after }, `creation.${command}`, reasonDetail(reason));
    await recordAct(tx, actor, act, deps.now());
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
  const found = await getById("revision", revisionId, (ulid) => findRevisionById(deps.pool, ulid));
  const known = await getCreation(deps, found.creation_id);
  const nowMs = deps.now();
  const released = await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    const revision = orNotFound("revision", await findRevisionById(tx, found.id));
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
    await deleteDrawingsOfText(tx, deps, revision.payload?.body_markdown, revision.id);
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
  return await getById("creation", id, (ulid) => findCreationById(deps.pool, ulid));
}

/** POST /creations/{creation}/visibility: public or unlisted, without a new revision. */
export const changeVisibility: WriteKind<PublicVisibility, CreationSubject> = {
  ...creationSubject,
  prepare: async (_deps, _caller, body) => requireValue(parseVisibilityRequest(body)),
  async perform(tx, deps, agent, visibility, { creation }) {
    if (creation.visibility === "private") {
      const mend =
        creation.first_published_at === null
          ? "Publish it first."
          : "It was unpublished: restore publishes an earlier revision again, public or unlisted.";
      throw refuse("not_published", "The creation is not published.", mend);
    }
    if (creation.visibility === visibility) {
      const unchanged = { before: creation, after: creation };
      const same = await toWritten(tx, deps, agent, unchanged, "creation.visibility", { visibility });
      return { ...same, raisedBy: 0 };
    }
    // Listing is told to readers, feeds and watchers as an update is; taking from the lists is always free.
    if (visibility === "public") {
      const place = placeOfDay(deps, agent, { isUpdate: true, nowMs: deps.now() });
      if (!(await takePlaceOfDay(tx, place))) throw limitReached(true);
    }
    const after = await setCreationVisibility(tx, creation.id, visibility);
    const changed = { before: creation, after };
    const written = await toWritten(tx, deps, agent, changed, "creation.visibility", { visibility });
    const telling = visibility === "public" ? toHubJobs(deps, creation.id) : [];
    await enqueueFeedsOf(tx, deps, creation, telling);
    return written;
  },
};

/** POST /creations/{creation}/unpublish: closes the page and the files at once. */
export const unpublishCreation: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  ...takesNothing,
  async perform(tx, deps, agent, _body, { creation }) {
    const after = await takeOffSite(tx, deps, creation);
    const written = await toWritten(tx, deps, agent, { before: creation, after }, "creation.unpublish");
    return { ...written, raisedBy: after === creation ? 0 : 1 };
  },
};

/**
 * Makes a creation private in the caller's transaction, which locks agent and creation, and cancels its pending
 * schedule; a private one without a schedule stays unchanged.
 */
export async function takeOffSite(tx: Tx, deps: Deps, creation: CreationRow): Promise<CreationRow> {
  const isPrivate = creation.visibility === "private";
  if (isPrivate && !(await hasPendingSchedule(tx, creation.id))) return creation;
  await cancelPendingSchedule(tx, creation.id, "Cancelled by unpublishing.", deps.now());
  if (isPrivate) return await raiseCreationVersion(tx, creation.id);
  await endReplacedPreviews(tx, creation.id, deps.now());
  const after = await setCreationPrivate(tx, creation.id);
  await deleteArtworksOf(tx, creation.id);
  await enqueueFeedsOf(tx, deps, creation);
  return after;
}

/** Marks the feeds that show, or showed, a creation, and orders what goes with that. */
export async function enqueueFeedsOf(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  more: readonly NamedJob[] = [],
): Promise<void> {
  const live =
    creation.live_revision_id === null ? null : await findRevisionById(tx, creation.live_revision_id);
  const keys = feedKeysOf(creation.agent_id, [live?.section ?? null]);
  await orderWork(tx, deps, [...toFeedJobs(keys), ...more]);
}
