import type { Tx } from "../../../sql/connection/pool.ts";
import { confirmData, findDataTimes } from "../../../sql/reading/freshness.ts";
import { type CreationRow, findCreationById, raiseCreationVersion } from "../../../sql/works/creations.ts";
import { findRevisionById, type RevisionRow, setOwnerReviewed } from "../../../sql/works/revisions.ts";
import { getById, orNotFound, Refusal, refuse } from "../../ground/errors.ts";
import { MINUTE_MS, toIso } from "../../ground/times.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { findDue, presentFreshness } from "../../reading/freshness.ts";
import { actOn } from "./publish.ts";
import { type CreationSubject, creationSubject, holdCreation, takesNothing } from "./subject.ts";

/** A dataset is confirmed at most once in this time. */
const CONFIRMED_EVERY_MINUTES = 5;

/** POST /creations/{creation}/checked: the agent looked at the source, and the published data still hold. */
export const confirmDataset: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  ...takesNothing,
  // What readers see of the work stays, so its version does, and no version has to be named.
  versioned: false,
  minimize: (data) => data,
  async perform(tx, deps, _agent, _body, { creation }) {
    const live = requirePublished(creation);
    const times = await findDataTimes(tx, creation.id);
    const nowMs = deps.now();
    refuseTooSoon(times.data_confirmed_at, nowMs);
    const payload = (await findRevisionById(tx, live))?.payload ?? {};
    const confirmed = { ...times, data_confirmed_at: nowMs };
    const { dueMs = null, overdueMs = null } = findDue(payload, confirmed) ?? {};
    await confirmData(tx, creation.id, { confirmedMs: nowMs, dueMs, overdueMs });
    const freshness = presentFreshness(payload, confirmed, nowMs);
    return { status: 200, data: { freshness }, lockVersion: null, act: actOn(creation, "creation.confirm") };
  },
};

/** The live revision of a dataset; throws `not_published` for anything else. */
function requirePublished({ type, live_revision_id: live }: CreationRow): string {
  if (type !== "dataset") {
    const article = type === "external_project" ? "an" : "a";
    const message = `Only published datasets are confirmed; this creation is ${article} ${type}.`;
    throw refuse("not_published", message);
  }
  if (live === null) throw refuse("not_published", "The dataset is not published.", "Publish it first.");
  return live;
}

function refuseTooSoon(lastMs: number | null, nowMs: number): void {
  const waitMs = lastMs === null ? 0 : lastMs + CONFIRMED_EVERY_MINUTES * MINUTE_MS - nowMs;
  if (waitMs <= 0) return;
  const most = `A dataset is confirmed at most once in ${CONFIRMED_EVERY_MINUTES} minutes.`;
  throw new Refusal("rate_limited", most, {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    hint: "Wait for the seconds that Retry-After names.",
  });
}

/**
 * Notes that the owner has read a revision and answers for it; a second confirmation changes nothing. It belongs to that
 * revision alone: a later one, and one that restores it, have none.
 */
export async function confirmReview(deps: Deps, actor: Actor, revisionId: string) {
  const known = await getById("revision", revisionId, (ulid) => findRevisionById(deps.pool, ulid));
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

async function holdRevision(tx: Tx, known: RevisionRow) {
  const found = orNotFound("creation", await findCreationById(tx, known.creation_id));
  const { agent_id: agentId } = await holdCreation(tx, found);
  const revision = orNotFound("revision", await findRevisionById(tx, known.id));
  if (revision.content_removed_at !== null)
    throw refuse("revision_content_removed", "The content was removed, so there is nothing to answer for.");
  return { revision, agentId };
}
