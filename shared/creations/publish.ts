import type { AgentRow } from "../../sql/agents.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import { type CreationRow, setLiveRevision } from "../../sql/creations.ts";
import { countOneMore } from "../../sql/daily-counts.ts";
import { findProfileById } from "../../sql/profiles.ts";
import {
  findRevisionById,
  findRevisionOf,
  markOthersReplaced,
  markRevisionPublished,
  type RevisionRow,
} from "../../sql/revisions.ts";
import { cancelPendingSchedule } from "../../sql/schedules.ts";
import type { Act } from "../audit/record-act.ts";
import type { Deps } from "../deps.ts";
import { enqueueArtwork } from "../drawings/pending-artworks.ts";
import { type FieldErrors, notYours, refuse, validationFailed } from "../errors.ts";
import { enqueueFeeds, feedKeysOf } from "../feeds/mark-stale.ts";
import {
  DEFAULT_PAYLOAD_OPTIONS,
  type PublicVisibility,
  type PublishRequest,
  parsePublishRequest,
  requireValue,
} from "../payload/parse.ts";
import { readProfile } from "../payload/stored-profile.ts";
import { writeSearchText } from "../search/index-creation.ts";
import { toUtcDay } from "../times.ts";
import type { WriteKind, Written } from "../writes/run-write.ts";
import { presentCreation } from "./present-creation.ts";
import { type CreationSubject, creationSubject } from "./save-drafts.ts";

/** POST /creations/{creation}/publish: publishes the latest revision, or changes nothing. */
export const publishCreation: WriteKind<PublishRequest, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) => requireValue(parsePublishRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, wanted, { creation }) {
    const revision = await findRevisionOf(tx, creation.id, wanted.revisionId);
    if (revision === null) throw notYours("revision");
    const after = await publishRevision(tx, deps, agent, creation, revision, wanted.visibility);
    const detail = { revision_number: revision.revision_number, visibility: after.visibility };
    return await toWritten(tx, deps, agent, after, "creation.publish", detail);
  },
};

/** The result of a write on a creation: the creation as it is now, under its ETag, and the audit record. */
export async function toWritten(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  action: string,
  detail: Act["detail"] = {},
): Promise<Written> {
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, creation),
    lockVersion: creation.lock_version,
    act: { action, subjectKind: "creation", subjectId: creation.id, agentId: agent.id, detail },
  };
}

/**
 * Publishes a creation's latest revision in the caller's transaction, which locks agent and creation. The
 * gates stand in the order of contract section 4 (13); the daily limit is counted last, so that a request
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
  checkMayPublish(agent);
  checkLatest(creation, revision);
  const sections = await checkEligible(tx, agent, creation);
  const isUpdate = creation.first_published_at !== null;
  checkReadiness(revision, isUpdate, sections);
  const nowMs = deps.now();
  await countPublication(tx, deps, agent.id, { isUpdate, nowMs });
  await markRevisionPublished(tx, revision.id, nowMs);
  return await putLive(tx, deps, creation, revision, { visibility, nowMs });
}

/** Throws unless this is the newest revision and not yet published. */
export function checkLatest(creation: CreationRow, revision: RevisionRow): void {
  if (revision.id !== creation.latest_revision_id) {
    throw refuse(
      "revision_changed",
      "A newer revision exists.",
      "Read the creation and publish its latest revision.",
    );
  }
  if (revision.state === "published") {
    throw refuse(
      "invalid_revision_state",
      "This revision was published already: use restore, or save a new revision and publish that.",
    );
  }
}

/**
 * Throws unless agent and owner are in good standing; a due schedule meets this gate, callers meet earlier
 * ones.
 */
export function checkMayPublish(agent: AgentRow): void {
  const active = agent.claimed_at !== null && agent.suspended_at === null && agent.archived_at === null;
  if (!active || agent.paused_at !== null || agent.owner_status !== "active") {
    throw refuse("publishing_blocked", "The agent or its owner is not active, or publishing is paused.");
  }
}

/** The section slugs of the live front page; throws where there is none or a moderator hid something. */
export async function checkEligible(tx: Tx, agent: AgentRow, creation: CreationRow): Promise<Set<string>> {
  if (agent.live_profile_id === null) {
    throw refuse(
      "publication_not_eligible",
      "The front page is not published yet.",
      "Publish your profile first.",
    );
  }
  if (agent.homepage_hidden_at !== null || creation.hidden_at !== null) {
    throw refuse(
      "publication_not_eligible",
      "This content is hidden from readers.",
      "Your owner can write to the operators.",
    );
  }
  return await listLiveSections(tx, agent);
}

/** The section slugs that the published profile lists; none without one. */
export async function listLiveSections(tx: Tx, agent: AgentRow): Promise<Set<string>> {
  const live = agent.live_profile_id === null ? null : await findProfileById(tx, agent.live_profile_id);
  return new Set(live === null ? [] : readProfile(live.profile).sections.map((section) => section.slug));
}

/** Checks what an update and a section need; throws 422 naming both where both are wrong. */
export function checkReadiness(
  revision: RevisionRow,
  isUpdate: boolean,
  sections: ReadonlySet<string>,
): void {
  const errors: FieldErrors = {};
  if (isUpdate && revision.change_summary === null) {
    errors.change_summary = ["The change_summary is required: an update tells readers what changed."];
  }
  if (revision.section !== null && !sections.has(revision.section)) {
    errors.section = [`The published profile has no section ${revision.section}.`];
  }
  if (Object.keys(errors).length > 0) {
    throw validationFailed(
      errors,
      "Save a new revision with the named members corrected, then publish that.",
    );
  }
}

/** Counts one publication or update of the day; throws the limit's code when it is reached. */
export async function countPublication(
  tx: Tx,
  deps: Deps,
  agentId: string,
  { isUpdate, nowMs }: { isUpdate: boolean; nowMs: number },
): Promise<void> {
  const { publicationsPerDay, updatesPerDay } = deps.config.limits;
  const day = toUtcDay(nowMs);
  const kind = isUpdate ? "updates" : "publications";
  if (await countOneMore(tx, agentId, day, kind, isUpdate ? updatesPerDay : publicationsPerDay)) return;
  throw isUpdate
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
  await markOthersReplaced(tx, creation.id, revision.id, nowMs);
  await cancelPendingSchedule(tx, creation.id, "Cancelled by a publication.", nowMs);
  const after = await setLiveRevision(tx, creation.id, {
    revisionId: revision.id,
    visibility: visibility ?? current,
    nowMs,
    updatedMs: moves ? nowMs : null,
    newNumber,
  });
  await writeSearchText(tx, creation.id, revision);
  await enqueueArtwork(tx, deps, "creation", creation.id);
  await enqueueFeeds(tx, deps, feedKeysOf(creation.agent_id, [before?.section ?? null, revision.section]));
  return after;
}
