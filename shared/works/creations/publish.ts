import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { nameDataSources } from "../../../sql/datasets/kept-answers.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { type DailyPlace, takePlaceOfDay } from "../../../sql/identity/daily-counts.ts";
import { type CreationRow, setLiveRevision } from "../../../sql/works/creations.ts";
import { markPublished, pinReferences } from "../../../sql/works/publications.ts";
import { findRevisionById, findRevisionOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule } from "../../../sql/works/schedules.ts";
import { noteComparison } from "../../datasets/changes/list-data-changes.ts";
import { reportEvidence, type ToldEvidence } from "../../datasets/evidence/describe-evidence.ts";
import { type Evidence, settleEvidence } from "../../datasets/evidence/settle-evidence.ts";
import { listKeptBefore } from "../../datasets/questions/questions-of-save.ts";
import { noRevision } from "../../ground/errors.ts";
import type { Act } from "../../identity/audit/record-act.ts";
import { feedKeysOf, toFeedJobs } from "../../identity/mark-feeds-stale.ts";
import type { WriteKind, Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { toHubJobs } from "../../reading/feeds/notify-hub.ts";
import { keepDueTimes } from "../../reading/freshness.ts";
import { writeSearchText } from "../../reading/search/index-words.ts";
import { requireValue } from "../../requests/explain.ts";
import { type PublishRequest, parsePublishRequest } from "../../requests/parse-publishing.ts";
import type { Payload } from "../../requests/payloads.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { limitReached, placeOfDay } from "./limits.ts";
import { bodyOf, figuresOf } from "./links.ts";
import { presentCreation } from "./present-creation.ts";
import { checkPublication } from "./publication-checks.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/publish: publishes the latest revision, or changes nothing. */
export const publishCreation = (
  threads: Threads,
): WriteKind<PublishRequest & { evidence: ToldEvidence }, CreationSubject> => ({
  ...creationSubject,
  async prepare(deps, _caller, body, { creation }) {
    const wanted = requireValue(parsePublishRequest(body));
    const evidence = await askOfRevision(deps, threads, creation, creation.latest_revision_id);
    return { ...wanted, evidence };
  },
  async perform(tx, deps, agent, { evidence, ...wanted }, { creation }) {
    const revision = await findNamedRevision(tx, creation, wanted.revisionId);
    const how = { visibility: wanted.visibility, evidence: evidence.found };
    const after = await publishRevision(tx, deps, { agent, creation, revision }, how);
    const changed = { before: creation, after };
    const detail = detailOfPublication(after);
    const written = await toWritten(tx, deps, agent, changed, "creation.publish", detail);
    return { ...written, beside: evidence.beside };
  },
});

/** Asks the newest data what a revision has of them. */
export async function askOfRevision(
  deps: Deps,
  threads: Threads,
  { agent_id, type }: Pick<CreationRow, "agent_id" | "type">,
  revisionId: string,
): Promise<ToldEvidence> {
  const revision = await findRevisionById(deps.pool, revisionId);
  // The payload was accepted on save, and json stores it unchanged.
  const payload = (revision?.payload ?? {}) as Payload;
  const bound = await listKeptBefore(deps.pool, revisionId);
  const text = { text: bodyOf(payload), figures: figuresOf(payload), bound };
  return await reportEvidence(deps, threads, { agentId: agent_id, type, isSave: false }, text);
}

/** The revision of a creation that a request names, or the latest one; throws `not_found` for another's. */
export async function findNamedRevision(
  db: Db,
  creation: CreationRow,
  revisionId: string | null,
): Promise<RevisionRow> {
  const revision = await findRevisionOf(db, creation.id, revisionId ?? creation.latest_revision_id);
  if (revision === null) throw noRevision("revision", creation.latest_revision_number);
  return revision;
}

/** What the audit keeps of a publication: the latest revision is the one that was published. */
export function detailOfPublication(after: CreationRow): Act["detail"] {
  return { revision_number: after.latest_revision_number, visibility: after.visibility };
}

/** A creation before and after an act. */
export interface ChangedCreation {
  before: CreationRow;
  after: CreationRow;
}

/** The result of a write on a creation: the creation as it is now, under its ETag, and the audit record. */
export async function toWritten(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  changed: ChangedCreation,
  action: string,
  detail: Act["detail"] = {},
): Promise<Written> {
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, changed.after.id),
    lockVersion: changed.after.lock_version,
    act: actOnChanged(changed, action, detail),
  };
}

/** An act on a creation, for the audit; readers see nothing of it. */
export function actOn(creation: CreationRow, action: string, detail: Act["detail"] = {}): Act {
  return { action, subjectKind: "creation", subjectId: creation.id, agentId: creation.agent_id, detail };
}

/** An act that changed a creation, for the audit and for the agents that watch it. */
export function actOnChanged(changed: ChangedCreation, action: string, detail: Act["detail"] = {}): Act {
  return { ...actOn(changed.after, action, detail), changes: [{ of: "creation", ...changed }] };
}

/**
 * Publishes a creation's latest revision in the caller's transaction, which locks agent and creation. The
 * checks stand in publication-checks.ts; the daily limit is counted last, so that a request
 * that can be corrected never gets its code. Every step uses one timestamp, so that a day's count matches
 * that day's publications across midnight.
 */
export async function publishRevision(
  tx: Tx,
  deps: Deps,
  candidate: LockedRevision,
  { visibility, evidence }: Pick<GoingLive, "visibility" | "evidence">,
): Promise<CreationRow> {
  const { agent, creation, revision } = candidate;
  await checkPublication(tx, "publish", candidate);
  const nowMs = deps.now();
  const place = placeOfDay(deps, agent, { isUpdate: creation.first_published_at !== null, nowMs });
  return await makePublic(tx, deps, creation, revision, { visibility, nowMs, place, evidence });
}

/** A revision of a creation; agent and creation are locked. */
export interface LockedRevision {
  agent: AgentRow;
  creation: CreationRow;
  revision: RevisionRow;
}

/** How a revision goes live. */
interface GoingLive {
  visibility: PublicVisibility | null;
  nowMs: number;
  /** Set for a revision created as live. */
  newNumber?: number;
  place: DailyPlace;
  /** What the newest data said of it before. */
  evidence: Evidence;
}

/** Makes a published revision live with all its effects; throws the limit's code where the day has no place for it. */
export async function makePublic(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  revision: RevisionRow,
  how: GoingLive,
): Promise<CreationRow> {
  const { nowMs, newNumber, place } = how;
  const { live_revision_id: liveId } = creation;
  const before = liveId === null ? null : await findRevisionById(tx, liveId);
  const feedKeys = feedKeysOf(creation.agent_id, [before?.section ?? null, revision.section]);
  const isFirst = creation.first_published_at === null;
  if (!(await takePlaceOfDay(tx, place))) throw limitReached(!isFirst);
  await markPublished(tx, { creationId: creation.id, revisionId: revision.id, nowMs });
  await cancelPendingSchedule(tx, creation.id, "Cancelled by a publication.", nowMs);
  // A source may have been published since the save; it is a reference too.
  await nameDataSources(tx, revision.id);
  await pinReferences(tx, revision.id);
  const current = creation.visibility === "private" ? "public" : creation.visibility;
  const after = await setLiveRevision(tx, creation.id, {
    revisionId: revision.id,
    visibility: how.visibility ?? current,
    nowMs,
    updatedMs: isFirst || !revision.minor ? nowMs : null,
    newNumber,
  });
  if (creation.type === "dataset") await keepDueTimes(tx, creation.id, revision.payload ?? {});
  await writeSearchText(tx, deps, creation.id, revision);
  const asking = await settleEvidence(tx, deps, creation.id, how.evidence);
  const comparing = await noteComparison(tx, creation, revision.id);
  const telling = isFirst || !revision.minor ? toHubJobs(deps, creation.id) : [];
  await orderWork(tx, deps, [...asking, ...comparing, ...toFeedJobs(feedKeys), ...telling]);
  return after;
}
