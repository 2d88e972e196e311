import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { setOwnerReviewed } from "../../../sql/reading/revision-disclosures.ts";
import { findCreationById, lockCreation, raiseCreationVersion } from "../../../sql/works/creations.ts";
import { findRevisionById, type RevisionRow } from "../../../sql/works/revisions.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";

/**
 * Notes that the owner has read a revision and answers for it; a second confirmation changes nothing. It belongs to that
 * revision alone: a later one, and one that restores it, have none.
 */
export async function confirmReview(deps: Deps, actor: Actor, revisionId: string) {
  const ulid = toUlid(revisionId);
  const known = ulid === null ? null : await findRevisionById(deps.pool, ulid);
  if (known === null) throw notFound("revision");
  const nowMs = deps.now();
  const reviewedMs = await deps.pool.transaction(async (tx) => {
    const { revision, agentId } = await holdRevision(tx, known);
    if (revision.owner_reviewed_at !== null) return revision.owner_reviewed_at;
    await setOwnerReviewed(tx, revision.id, nowMs);
    await raiseCreationVersion(tx, revision.creation_id);
    const act = { action: "revision.confirm_review", subjectKind: "revision", subjectId: revision.id };
    const detail = { revision_number: revision.revision_number };
    await recordAct(tx, actor, { ...act, agentId, detail }, nowMs);
    return nowMs;
  });
  return { revision_id: known.id, owner_reviewed_at: toIso(reviewedMs) };
}

/** Locks the agent first, then the creation, as every write does. */
async function holdRevision(tx: Tx, known: RevisionRow) {
  const creation = await findCreationById(tx, known.creation_id);
  if (creation === null) throw notFound("creation");
  const agentId = creation.agent_id;
  await lockAgent(tx, agentId);
  await lockCreation(tx, known.creation_id);
  const revision = await findRevisionById(tx, known.id);
  if (revision === null) throw notFound("revision");
  if (revision.content_removed_at !== null)
    throw refuse("revision_content_removed", "The content was removed, so there is nothing to answer for.");
  return { revision, agentId };
}
