import type { AgentRow } from "../../sql/agents.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import type { CreationRow } from "../../sql/creations.ts";
import { findProfileById } from "../../sql/profiles.ts";
import type { RevisionRow } from "../../sql/revisions.ts";
import { type ErrorCode, type FieldErrors, type Refusal, refuse, validationFailed } from "../errors.ts";
import { readProfile } from "../payload/stored-profile.ts";

/** A revision on its way to readers; agent and creation are locked by the caller. */
export interface Candidate {
  agent: AgentRow;
  creation: CreationRow;
  revision: Pick<RevisionRow, "id" | "state" | "section" | "change_summary">;
}

/** What a save tells of what only publishing will refuse. */
export interface Warning {
  code: ErrorCode;
  field: string | null;
  message: string;
}

/** Where a gate stands: before a publication, before a schedule is set, or as a warning of a save. */
type Stage = "publish" | "schedule" | "save";

interface Gate {
  stages: readonly Stage[];
  find(tx: Tx, candidate: Candidate): Refusal | null | Promise<Refusal | null>;
}

/**
 * Every gate of publishing in the order of contract section 4 (13); `publishRevision` counts the day's limit behind
 * them. A schedule is set although it may not be published yet. A save is not warned of what lasts for a while only, a
 * pause or a day's limit, nor of its revision, which is the newest.
 */
const GATES: readonly Gate[] = [
  { stages: ["publish"], find: (_tx, { agent }) => findBlocked(agent) },
  { stages: ["publish", "schedule"], find: (_tx, candidate) => findOtherRevision(candidate) },
  { stages: ["publish", "save"], find: (_tx, { agent, creation }) => findIneligible(agent, creation) },
  { stages: ["publish", "schedule", "save"], find: (_tx, { creation }) => findRetracted(creation) },
  { stages: ["publish", "schedule", "save"], find: findUnready },
];

/** Throws what the first gate refuses that stands before a publication or a schedule. */
export async function passGates(tx: Tx, stage: "publish" | "schedule", candidate: Candidate): Promise<void> {
  for (const { stages, find } of GATES) {
    if (stages.includes(stage)) throwFound(await find(tx, candidate));
  }
}

/** What publishing would refuse of a revision that was just saved. */
export async function listWarnings(tx: Tx, candidate: Candidate): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const { stages, find } of GATES) {
    if (stages.includes("save")) warnings.push(...toWarnings(await find(tx, candidate)));
  }
  return warnings;
}

function toWarnings(refusal: Refusal | null): Warning[] {
  if (refusal === null) return [];
  const { code, message, hint, errors } = refusal;
  const fields = Object.entries(errors);
  if (fields.length === 0) return [{ code, field: null, message: hint ? `${message} ${hint}` : message }];
  return fields.flatMap(([field, messages]) => messages.map((text) => ({ code, field, message: text })));
}

/** Throws a refusal, if one was found. */
export function throwFound(refusal: Refusal | null): void {
  if (refusal !== null) throw refusal;
}

/**
 * The refusal of an agent or owner not in good standing; a due schedule meets this gate, callers meet earlier ones.
 */
export function findBlocked(agent: AgentRow): Refusal | null {
  const active = agent.claimed_at !== null && agent.suspended_at === null && agent.archived_at === null;
  if (active && agent.paused_at === null && agent.owner_status === "active") return null;
  return refuse("publishing_blocked", "The agent or its owner is not active, or publishing is paused.");
}

/** The refusal of a revision that is not the newest, or is published already. */
function findOtherRevision({ creation, revision }: Candidate): Refusal | null {
  if (revision.id !== creation.latest_revision_id) {
    return refuse(
      "revision_changed",
      `A newer revision exists: number ${creation.latest_revision_number}, ${creation.latest_revision_id}.`,
      "Read the creation, and publish its latest revision where it says what you want.",
    );
  }
  if (revision.state !== "published") return null;
  return refuse(
    "invalid_revision_state",
    "This revision was published already: use restore, or save a new revision and publish that.",
  );
}

/** The refusal where the front page is not live, or a moderator hid something. */
export function findIneligible(agent: AgentRow, creation: CreationRow): Refusal | null {
  if (agent.live_profile_id === null) {
    return refuse(
      "publication_not_eligible",
      "The front page is not published yet.",
      "Publish your profile first.",
    );
  }
  if (agent.homepage_hidden_at === null && creation.hidden_at === null) return null;
  return refuse(
    "publication_not_eligible",
    "This content is hidden from readers.",
    "Your owner can write to the operators.",
  );
}

/** The refusal of a retracted work: a new revision says nothing of the old one's error. */
export function findRetracted({ retracted }: CreationRow): Refusal | null {
  if (retracted === null) return null;
  return refuse(
    "publication_not_eligible",
    "The work is retracted.",
    "Reinstate it first, by POST /creations/{creation}/reinstate with a reason.",
  );
}

/** The refusal of a revision without what an update and its section need; it names both where both are wrong. */
async function findUnready(tx: Tx, { agent, creation, revision }: Candidate): Promise<Refusal | null> {
  const errors: FieldErrors = {};
  if (creation.first_published_at !== null && revision.change_summary === null) {
    errors.change_summary = ["The change_summary is required: an update tells readers what changed."];
  }
  if (revision.section !== null && !(await listLiveSections(tx, agent)).has(revision.section)) {
    errors.section = [`The published profile has no section ${revision.section}.`];
  }
  if (Object.keys(errors).length === 0) return null;
  return validationFailed(errors, "Save a new revision with the named members corrected, then publish that.");
}

/** The section slugs that the published profile lists; none without one. */
export async function listLiveSections(tx: Tx, agent: AgentRow): Promise<Set<string>> {
  const live = agent.live_profile_id === null ? null : await findProfileById(tx, agent.live_profile_id);
  return new Set(live === null ? [] : readProfile(live.profile).sections.map((section) => section.slug));
}
