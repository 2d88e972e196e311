import type { AgentRow } from "../../sql/agents.ts";
import type { Db, Tx } from "../../sql/connection/pool.ts";
import { type CreationRow, setLiveRevision } from "../../sql/creations.ts";
import { type CountRow, countOneMore } from "../../sql/daily-counts.ts";
import { nameDataSources } from "../../sql/data-sources.ts";
import { pinReferences } from "../../sql/reference-pins.ts";
import {
  findRevisionById,
  findRevisionOf,
  markOthersReplaced,
  markRevisionPublished,
  type RevisionRow,
} from "../../sql/revisions.ts";
import { cancelPendingSchedule } from "../../sql/schedules.ts";
import type { Act } from "../audit/record-act.ts";
import { enqueueComparison } from "../data-changes/enqueue-comparison.ts";
import type { Deps } from "../deps.ts";
import { enqueueArtwork } from "../drawings/pending-artworks.ts";
import { notYours, type Refusal, refuse } from "../errors.ts";
import { enqueueFeeds, feedKeysOf } from "../feeds/mark-stale.ts";
import { keepDueTimes } from "../freshness/keep-due-times.ts";
import { limitsOfAgent } from "../limits-in-force.ts";
import {
  DEFAULT_PAYLOAD_OPTIONS,
  type PublicVisibility,
  type PublishRequest,
  parsePublishRequest,
  requireValue,
} from "../payload/parse.ts";
import { writeSearchText } from "../search/index-creation.ts";
import { toUtcDay } from "../times.ts";
import type { WriteKind, Written } from "../writes/run-write.ts";
import { passGates } from "./gates.ts";
import { presentCreation } from "./present-creation.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/publish: publishes the latest revision, or changes nothing. */
export const publishCreation: WriteKind<PublishRequest, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) => requireValue(parsePublishRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, wanted, { creation }) {
    const revision = await findNamedRevision(tx, creation, wanted.revisionId);
    const after = await publishRevision(tx, deps, agent, creation, revision, wanted.visibility);
    const changed = { before: creation, after };
    return await toWritten(tx, deps, agent, changed, "creation.publish", detailOfPublication(after));
  },
};

/** The revision of a creation that a request names, or the latest one; throws `not_found` for another's. */
export async function findNamedRevision(
  db: Db,
  creation: CreationRow,
  revisionId: string | null,
): Promise<RevisionRow> {
  const revision = await findRevisionOf(db, creation.id, revisionId ?? creation.latest_revision_id);
  if (revision === null) throw notYours("revision");
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
    data: await presentCreation(deps, tx, agent, changed.after),
    lockVersion: changed.after.lock_version,
    act: actOnChanged(changed, action, detail),
  };
}

/** An act on a creation, for the audit; readers see nothing of it. */
export function actOn(creation: CreationRow, action: string, detail: Act["detail"] = {}): Act {
  return { action, subjectKind: "creation", subjectId: creation.id, agentId: creation.agent_id, detail };
}

/** An act that changed a creation, for the audit and for the agents that are told of it. */
export function actOnChanged(changed: ChangedCreation, action: string, detail: Act["detail"] = {}): Act {
  return { ...actOn(changed.after, action, detail), changes: [{ of: "creation", ...changed }] };
}

/**
 * Publishes a creation's latest revision in the caller's transaction, which locks agent and creation. The
 * gates stand in gates.ts; the daily limit is counted last, so that a request
 * that can be corrected never gets its code. Every step uses one timestamp, so that a day's count matches
 * that day's publications across midnight.
 */
export async function publishRevision(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  revision: RevisionRow,
  visibility: PublicVisibility | null,
): Promise<CreationRow> {
  await passGates(tx, "publish", { agent, creation, revision });
  const isUpdate = creation.first_published_at !== null;
  const nowMs = deps.now();
  await countPublication(tx, deps, agent, { isUpdate, nowMs });
  await markRevisionPublished(tx, revision.id, nowMs);
  return await putLive(tx, deps, creation, revision, { visibility, nowMs });
}

/** Counts one publication or update of the day; throws the limit's code when it is reached. */
export async function countPublication(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  { isUpdate, nowMs }: { isUpdate: boolean; nowMs: number },
): Promise<void> {
  const { kind, limit } = limitOfDay(deps, agent, isUpdate);
  if (!(await countOneMore(tx, agent.id, toUtcDay(nowMs), kind, limit))) throw limitReached(isUpdate);
}

/** What `countPublication` would refuse of an agent that has used this much today. */
export function findLimitReached(
  deps: Deps,
  agent: AgentRow,
  used: CountRow,
  isUpdate: boolean,
): Refusal | null {
  const { kind, limit } = limitOfDay(deps, agent, isUpdate);
  return used[kind] < limit ? null : limitReached(isUpdate);
}

function limitOfDay(deps: Deps, agent: AgentRow, isUpdate: boolean) {
  const { publicationsPerDay, updatesPerDay } = limitsOfAgent(deps, agent);
  return isUpdate
    ? ({ kind: "updates", limit: updatesPerDay } as const)
    : ({ kind: "publications", limit: publicationsPerDay } as const);
}

function limitReached(isUpdate: boolean): Refusal {
  return isUpdate
    ? refuse("update_limit", "Today's updates are used up.", "The count starts anew at midnight UTC.")
    : refuse(
        "publication_limit",
        "Today's new publications are used up.",
        "The count starts anew at midnight UTC.",
      );
}

/**
 * Makes a published revision live with all its effects; `newNumber` is set for a revision created as live.
 */
export async function putLive(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  revision: RevisionRow,
  how: { visibility: PublicVisibility | null; nowMs: number; newNumber?: number },
): Promise<CreationRow> {
  const { visibility, nowMs, newNumber } = how;
  const before =
    creation.live_revision_id === null ? null : await findRevisionById(tx, creation.live_revision_id);
  const current = creation.visibility === "private" ? "public" : creation.visibility;
  const moves = creation.first_published_at === null || !revision.minor;
  // A source may have been published since the save.
  await nameDataSources(tx, revision.id);
  await pinReferences(tx, revision.id);
  if (creation.first_published_at !== null) await markOthersReplaced(tx, creation.id, revision.id, nowMs);
  await cancelPendingSchedule(tx, creation.id, "Cancelled by a publication.", nowMs);
  const after = await setLiveRevision(tx, creation.id, {
    revisionId: revision.id,
    visibility: visibility ?? current,
    nowMs,
    updatedMs: moves ? nowMs : null,
    newNumber,
  });
  if (creation.type === "dataset") await keepDueTimes(tx, creation.id, revision.payload ?? {});
  await writeSearchText(tx, creation.id, revision);
  await enqueueArtwork(tx, deps, "creation", creation.id);
  await enqueueComparison(tx, deps, creation, revision.id);
  await enqueueFeeds(tx, deps, feedKeysOf(creation.agent_id, [before?.section ?? null, revision.section]));
  return after;
}
