import type { AgentRow } from "../sql/agents.ts";
import { type CreationRow, countOwnCreations, findCreationById, listOwnCreations } from "../sql/creations.ts";
import { findShownDomain } from "../sql/domains.ts";
import { findProfileById } from "../sql/profiles.ts";
import { listCards, type OpenAgentRow, type OpenCreationRow } from "../sql/public-reads.ts";
import { findRevisionById, findRevisionOf, listFilesOfRevision, listRevisionsOf } from "../sql/revisions.ts";
import { findLatestSchedule, type ScheduleRow } from "../sql/schedules.ts";
import { addressesOf } from "./addresses.ts";
import { getOwnersAgent } from "./console.ts";
import type { Deps } from "./deps.ts";
import { notFound } from "./errors.ts";
import { toUlid } from "./ids.ts";
import type { SignedIn } from "./sessions.ts";
import { toIso, toIsoOrNull } from "./times.ts";

const EVERY = { visibility: null, state: null };
const REVISIONS = 1000;

/** A creation of one of the owner's agents, with that agent. */
export interface OwnersWork {
  agent: AgentRow;
  creation: CreationRow;
}

/** One page of everything an agent has, drafts and schedules included, newest first. */
export async function listOwnersWorks(deps: Deps, agent: AgentRow, part: { limit: number; offset: number }) {
  const rows = await listOwnCreations(deps.pool, agent.id, { ...EVERY, ...part });
  const items = rows.map((row) => ({
    id: row.id,
    type: row.type,
    title: row.latest_title,
    state: row.latest_state,
    visibility: row.visibility,
    hidden: row.hidden_at !== null,
    revision_number: row.latest_revision_number,
    live_number: row.live_number,
    saved_at: toIso(row.latest_saved_at),
    scheduled_for: row.schedule?.status === "pending" ? toIso(Number(row.schedule.publish_at)) : null,
  }));
  return { items, total: rows[0]?.total ?? (await countOwnCreations(deps.pool, agent.id, EVERY)) };
}

/** A creation of one of the owner's agents; throws `not_found` for another owner's, as for none. */
export async function getOwnersWork(
  deps: Deps,
  ownerId: string,
  id: string | undefined,
): Promise<OwnersWork> {
  const ulid = toUlid(id);
  const creation = ulid === null ? null : await findCreationById(deps.pool, ulid);
  if (creation === null) throw notFound("creation");
  return { agent: await getOwnersAgent(deps, ownerId, creation.agent_id), creation };
}

/** Everything that an owner is shown of one creation: its state, its schedule and every revision. */
export async function presentOwnersWork(deps: Deps, { agent, creation }: OwnersWork) {
  const [revisions, schedule, latest] = await Promise.all([
    listRevisionsOf(deps.pool, creation.id, { limit: REVISIONS, offset: 0 }),
    findLatestSchedule(deps.pool, creation.id),
    findRevisionById(deps.pool, creation.latest_revision_id),
  ]);
  const isOpen = creation.visibility !== "private" && creation.hidden_at === null;
  return {
    id: creation.id,
    type: creation.type,
    title: latest?.title ?? creation.slug,
    handle: agent.handle,
    visibility: creation.visibility,
    hidden: creation.hidden_at !== null,
    url: isOpen ? addressesOf(deps.config.siteUrl).creation(agent.handle, creation.slug) : null,
    first_published_at: toIsoOrNull(creation.first_published_at),
    schedule: schedule && presentSchedule(schedule),
    revisions: revisions.map((row) => ({
      id: row.id,
      number: row.revision_number,
      title: row.title,
      state: row.state,
      live: row.id === creation.live_revision_id,
      change_summary: row.change_summary,
      saved_at: toIso(row.created_at),
      published_at: toIsoOrNull(row.published_at),
      content_removed_at: toIsoOrNull(row.content_removed_at),
      content_removed_by: row.content_removed_by,
      files_deleted_at: toIsoOrNull(row.files_deleted_at),
      removable:
        row.state === "published" && row.content_removed_at === null && row.id !== creation.live_revision_id,
    })),
  };
}

/** The id of a numbered revision of a creation; throws `not_found` for any other number. */
export async function getRevisionId(deps: Deps, creation: CreationRow, number: string | undefined) {
  return (await findNumbered(deps, creation, number)).id;
}

/**
 * A revision as readers would open it if it were live: drafts too, shown to the agent's owner alone. Throws
 * `not_found` for an unknown number and for one whose content was removed.
 */
export async function previewRevision(
  deps: Deps,
  { owner }: Pick<SignedIn, "owner">,
  { agent, creation }: OwnersWork,
  number: string | undefined,
): Promise<OpenCreationRow> {
  const revision = await findNumbered(deps, creation, number);
  if (revision.payload === null) throw notFound("revision with its content; it was removed");
  const savedMs = revision.published_at ?? revision.created_at;
  return {
    id: creation.id,
    agent_id: agent.id,
    type: creation.type,
    slug: creation.slug,
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    first_published_at: creation.first_published_at ?? savedMs,
    updated_at: savedMs,
    handle: agent.handle,
    profile: await findProfile(deps, agent),
    last_seen_at: agent.last_seen_at,
    owner_alias: owner.show_alias ? owner.alias : null,
    owner_domain: await findShownDomain(deps.pool, owner.id),
    revision: { ...revision, payload: revision.payload },
  };
}

/**
 * The agent's latest front page, published or not, or the live one, open or hidden; throws `not_found` for an agent
 * that has none.
 */
export async function previewFrontPage(
  deps: Deps,
  { owner }: Pick<SignedIn, "owner">,
  agent: AgentRow,
  which: "latest" | "live" = "latest",
): Promise<{ row: OpenAgentRow; live: boolean }> {
  const id = which === "latest" ? agent.latest_profile_id : agent.live_profile_id;
  const latest = id === null ? null : await findProfileById(deps.pool, id);
  if (latest === null) throw notFound("saved front page");
  const cards = await listCards(deps.pool, { agentId: agent.id, limit: REVISIONS });
  const row = {
    id: agent.id,
    handle: agent.handle,
    created_at: agent.created_at,
    profile: latest.profile,
    profile_published_at: latest.published_at ?? latest.created_at,
    last_seen_at: agent.last_seen_at,
    owner_alias: owner.show_alias ? owner.alias : null,
    owner_domain: await findShownDomain(deps.pool, owner.id),
    creation_count: cards.length,
    publishing_since: cards.map((card) => card.first_published_at).sort((a, b) => a - b)[0] ?? null,
  };
  return { row, live: latest.id === agent.live_profile_id };
}

/** A file that a revision of this creation uses; throws `not_found` for every other one. */
export async function getOwnersFile(
  deps: Deps,
  { creation }: OwnersWork,
  number: string | undefined,
  assetId: string | undefined,
) {
  const revision = await findNumbered(deps, creation, number);
  const files = await listFilesOfRevision(deps.pool, revision.id);
  const file = files.find((entry) => entry.asset_id === toUlid(assetId) && entry.file_deleted_at === null);
  if (file === undefined || file.readiness !== "ready") throw notFound("file of this revision");
  return file;
}

async function findNumbered(deps: Deps, creation: CreationRow, number: string | undefined) {
  const wellFormed = number !== undefined && /^[1-9]\d{0,5}$/.test(number);
  const revision = wellFormed ? await findRevisionOf(deps.pool, creation.id, Number(number)) : null;
  if (revision === null) throw notFound("revision");
  return revision;
}

/** The agent's live profile, else its draft, else a blank one with its name. */
async function findProfile(deps: Deps, agent: AgentRow): Promise<Record<string, unknown>> {
  const id = agent.live_profile_id ?? agent.latest_profile_id;
  const row = id === null ? null : await findProfileById(deps.pool, id);
  return row?.profile ?? { display_name: agent.enrolled_name ?? agent.handle };
}

function presentSchedule(schedule: ScheduleRow) {
  return {
    status: schedule.status,
    publish_at: toIso(schedule.publish_at),
    outcome_detail: schedule.outcome_detail,
  };
}
