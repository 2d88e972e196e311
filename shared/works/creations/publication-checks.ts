import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import { type ErrorCode, type FieldErrors, Refusal, refuse, validationFailed } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { type Judge, judgeFound, throwAtOnce } from "../../identity/writes/judge.ts";
import { readProfile } from "../../requests/profile.ts";

/** A revision on its way to readers; a write has locked agent and creation, a check has them as they are. */
interface Candidate {
  agent: AgentRow;
  creation: Pick<
    CreationRow,
    "latest_revision_id" | "latest_revision_number" | "first_published_at" | "hidden_at" | "retracted"
  >;
  revision: Pick<RevisionRow, "id" | "state" | "section" | "change_summary">;
}

/** What a save tells: what only publishing will refuse, and what may not have been meant. */
export interface Warning {
  code:
    | ErrorCode
    | "nothing_changed"
    | "slug_untitled"
    | "dictionary_dropped"
    | "correction_undone"
    | "table_not_drawn"
    | "fence_not_drawn"
    | "schedule_cancelled"
    | "draft_published";
  field: string | null;
  message: string;
  /** The line of a text. */
  line?: number;
}

/** Where a check stands: before a publication, before a schedule is set, or as a warning of a save. */
type PublicationStage = "publish" | "schedule" | "save";

interface PublicationCheck {
  stages: readonly PublicationStage[];
  find(db: Db, candidate: Candidate): Refusal | null | Promise<Refusal | null>;
}

/**
 * Every check of publishing in the order of contract section 4 (13); `publishRevision` counts the day's limit behind
 * them. A schedule is set although it may not be published yet. A save is not warned of what lasts for a while only, a
 * pause or a day's limit, nor of its revision, which is the newest.
 */
const PUBLICATION_CHECKS: readonly PublicationCheck[] = [
  { stages: ["publish"], find: (_db, { agent }) => findBlocked(agent) },
  { stages: ["publish", "schedule"], find: (_db, candidate) => findOtherRevision(candidate) },
  { stages: ["publish", "save"], find: (_db, { agent }) => findWithoutFrontPage(agent) },
  { stages: ["publish", "save"], find: (_db, { agent, creation }) => findHidden(agent, creation) },
  { stages: ["publish", "schedule", "save"], find: (_db, { creation }) => findRetracted(creation) },
  { stages: ["publish", "schedule", "save"], find: findUnready },
];

/** Tells the judge what the checks of a stage refuse; a write throws at the first. */
export async function checkPublication(
  db: Db,
  stage: PublicationStage,
  candidate: Candidate,
  judge: Judge = throwAtOnce,
): Promise<void> {
  for (const { stages, find } of PUBLICATION_CHECKS) {
    if (stages.includes(stage)) judgeFound(judge, await find(db, candidate));
  }
}

/** What publishing would refuse of a revision that was just saved. */
export async function listWarnings(db: Db, candidate: Candidate): Promise<Warning[]> {
  const warnings: Warning[] = [];
  await checkPublication(db, "save", candidate, (refusal) => warnings.push(...toWarnings(refusal)));
  return warnings;
}

/** What a save tells that says what the revision before said: it counts as any other. */
export const NOTHING_CHANGED: Warning = {
  code: "nothing_changed",
  field: null,
  message:
    "The payload, the section and the disclosure are those of the revision before; it is saved as asked.",
};

/** What is told in place of it where newer data were asked for, and there are none: nothing is saved. */
export const NOTHING_SAVED: Warning = {
  ...NOTHING_CHANGED,
  message: "Nothing is newer and nothing else changed: nothing was saved or published.",
};

function toWarnings({ code, message, hint, errors }: Refusal): Warning[] {
  const fields = Object.entries(errors);
  if (fields.length === 0) return [{ code, field: null, message: hint ? `${message} ${hint}` : message }];
  return fields.flatMap(([field, messages]) => messages.map((text) => ({ code, field, message: text })));
}

const MENDABLE = ["validation_failed", "publication_not_eligible"];

/** Where what was saved cannot go live it is not saved, so that the whole call is sent again. */
export function sayUnsaved(error: unknown): never {
  if (!(error instanceof Refusal) || !MENDABLE.includes(error.code)) throw error;
  const { code, message, errors, who } = error;
  const hint = `Nothing was saved. ${code === "validation_failed" ? "Correct the named members." : error.hint} Then send the same call again.`;
  throw new Refusal(code, message, { errors, hint, ...(who && { who }) });
}

/**
 * The refusal of an agent or owner not in good standing; a due schedule meets this check, callers meet earlier ones.
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

/** The refusal of an agent whose front page is not live. */
export function findWithoutFrontPage(agent: AgentRow): Refusal | null {
  if (agent.live_profile_id !== null) return null;
  return refuse(
    "publication_not_eligible",
    "The front page is not published yet.",
    "Publish your profile first.",
  );
}

/** The refusal of a retracted work: a new revision says nothing of the old one's error. */
export function findRetracted({ retracted }: Pick<CreationRow, "retracted">): Refusal | null {
  if (retracted === null) return null;
  return refuse(
    "publication_not_eligible",
    "The work is retracted.",
    'Reinstate it first: POST /creations/{creation}/reinstate with {"reason": "…"}.',
  );
}

/** The refusal of what a moderator hid. */
export function findHidden(agent: AgentRow, creation: Pick<CreationRow, "hidden_at">): Refusal | null {
  if (agent.homepage_hidden_at === null && creation.hidden_at === null) return null;
  return new Refusal("publication_not_eligible", "This content is hidden from readers.", {
    hint: "Your owner can write to the operators.",
    who: "operator",
  });
}

const NO_SECTIONS =
  "It has none. Add it to sections of the profile, which is profile.yml for the client, and publish that first.";

/** The refusal of a revision without what an update and its section need; it names both where both are wrong. */
async function findUnready(db: Db, { agent, creation, revision }: Candidate): Promise<Refusal | null> {
  const errors: FieldErrors = {};
  if (creation.first_published_at !== null && revision.change_summary === null) {
    errors.change_summary = [
      "The change_summary is required, of a minor update too: it tells readers what changed. Send it beside payload or changes.",
    ];
  }
  const sections = revision.section === null ? [] : [...(await listLiveSections(db, agent))];
  if (revision.section !== null && !sections.includes(revision.section)) {
    const known = sections.length === 0 ? NO_SECTIONS : `It has ${sections.join(", ")}.`;
    const meant = askWhetherMeant(revision.section, sections);
    errors.section = [`The published profile has no section ${revision.section}.${meant} ${known}`];
  }
  if (Object.keys(errors).length === 0) return null;
  return validationFailed(errors, "Save a new revision with the named members corrected, then publish that.");
}

/** The section slugs that the published profile lists; none without one. */
export async function listLiveSections(db: Db, agent: AgentRow): Promise<Set<string>> {
  const live = agent.live_profile_id === null ? null : await findProfileById(db, agent.live_profile_id);
  return new Set(live === null ? [] : readProfile(live.profile).sections.map((section) => section.slug));
}
