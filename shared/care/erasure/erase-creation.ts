import {
  emptyDeletedFiles,
  emptyRowsOfCreation,
  listOtherUsesOf,
  listRevisionsWithContent,
  markCreationErased,
  saveErasure,
} from "../../../sql/care/erasures.ts";
import { deleteExportsOf } from "../../../sql/care/owner-exports.ts";
import { closeReportsOf } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { deleteArtworksOf } from "../../../sql/datasets/artworks.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { removeAnswersAbout } from "../../../sql/identity/idempotency-keys.ts";
import { deleteFeeds, listFeedKeysOfAgent } from "../../../sql/reading/feeds.ts";
import { deleteCreationWords } from "../../../sql/reading/search-words.ts";
import {
  type CreationRow,
  findCreationById,
  lockCreation,
  setCreationPrivate,
} from "../../../sql/works/creations.ts";
import { listFilesOfCreation } from "../../../sql/works/drafts.ts";
import { removeRevisionContent } from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule } from "../../../sql/works/schedules.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFilesSoon, releaseFiles } from "../../datasets/uploads/discard-files.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Act, type Actor, reasonDetail, recordAct } from "../../identity/audit/record-act.ts";
import { enqueueFeeds, toFeedKey } from "../../identity/mark-feeds-stale.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnChanged, type ChangedCreation } from "../../works/creations/publish.ts";

/** Revisions read at once: each may hold a text of 100,000 characters. */
const REVISIONS = 20;
const SITE = toFeedKey({ kind: "site" });

/**
 * Erases a creation, a draft too, in one transaction: takes it off the site and removes what it says from every row and
 * every file. A row without content stays. Files that other works have stay with those, and the answer names them.
 */
export async function eraseCreation(deps: Deps, actor: Actor, id: string, reason: string | null = null) {
  const ulid = toUlid(id);
  const known = ulid === null ? null : await findCreationById(deps.pool, ulid);
  if (known === null) throw notFound("creation");
  const nowMs = deps.now();
  const done = await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, known.agent_id);
    const creation = await lockCreation(tx, known.id);
    if (agent === null || creation === null) throw notFound("creation");
    if (creation.erased_at !== null) throw wasErased("creation", creation.erased_at);
    const archives = await deleteExportsOf(tx, agent.owner_id);
    await cancelPendingSchedule(tx, creation.id, "Cancelled by erasing.", nowMs);
    const after = creation.visibility === "private" ? creation : await setCreationPrivate(tx, creation.id);
    // Before the references go that agents are told of.
    await recordAct(tx, actor, toErasure({ before: creation, after }, reason), nowMs);
    const erased = await eraseContent(tx, deps, creation);
    await closeReportsOf(tx, { agentId: creation.agent_id, creationId: creation.id }, nowMs);
    await renewFeeds(tx, deps, creation.agent_id);
    return { ...erased, archives };
  });
  const { archives, files, ...counted } = done;
  await discardFilesSoon(deps, [...files, ...archives]);
  return { creation_id: known.id, erased_at: toIso(nowMs), ...counted, files: files.length };
}

function toErasure(changed: ChangedCreation, reason: string | null): Act {
  const creation = changed.before;
  const act = actOnChanged(changed, "creation.erase", reasonDetail(reason));
  const content = { of: "content", creation, revisionNumber: creation.latest_revision_number } as const;
  return { ...act, changes: [...(act.changes ?? []), content] };
}

/** The refusal of a second erasure. */
export function wasErased(what: string, atMs: number) {
  return refuse(
    "revision_content_removed",
    `This ${what} was erased at ${toIso(atMs)}; nothing is left of it.`,
  );
}

async function eraseContent(tx: Tx, deps: Deps, creation: CreationRow) {
  const { id, agent_id: agentId } = creation;
  const attached = await listFilesOfCreation(tx, id);
  const { files, drawings, revisions } = await eraseRevisions(tx, deps, creation);
  await emptyDeletedFiles(tx, attached, deps.now());
  await deleteArtworksOf(tx, id);
  await deleteCreationWords(tx, id);
  await removeAnswersAbout(tx, { agentId, creationId: id });
  await emptyRowsOfCreation(tx, id);
  await markCreationErased(tx, id, deps.now());
  await saveErasure(tx, { subject_id: id, kind: "creation", drawings }, deps.now());
  return { revisions, files, files_of_other_works: [...(await listOtherUsesOf(tx, attached))] };
}

async function eraseRevisions(tx: Tx, deps: Deps, creation: CreationRow) {
  const files: string[] = [];
  const drawings: string[] = [];
  let count = 0;
  for (;;) {
    const revisions = await listRevisionsWithContent(tx, { creationId: creation.id }, REVISIONS);
    if (revisions.length === 0) return { files, drawings, revisions: count };
    for (const { id, body } of revisions) {
      files.push(...(await releaseFiles(tx, deps, creation, id)));
      drawings.push(...(await deleteDrawingsOfText(tx, deps, body, id)));
      await removeRevisionContent(tx, id, { by: "moderator", nowMs: deps.now() });
    }
    count += revisions.length;
  }
}

/** Deletes the stored feeds that may show an agent's works, and has them built anew. */
export async function renewFeeds(tx: Tx, deps: Deps, agentId: string): Promise<void> {
  const keys = [SITE, ...(await listFeedKeysOfAgent(tx, agentId))];
  await deleteFeeds(tx, keys);
  await enqueueFeeds(tx, deps, keys);
}
