import { listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { findShownDomain } from "../../../sql/identity/domains.ts";
import { cardsOf } from "../../../sql/reading/cards.ts";
import type { OpenAgentRow } from "../../../sql/reading/open-agents.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { findRevisionById, findRevisionOf } from "../../../sql/works/revisions.ts";
import { notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso } from "../../ground/times.ts";
import { presentDecisions } from "../../identity/audit/decisions.ts";
import type { SignedIn } from "../../identity/sign-in/sessions.ts";
import type { Deps } from "../../platform/deps.ts";
import type { OwnersWork } from "../present-to-owner.ts";

const CARDS = 1000;

/** Whether readers can open any page of an agent now. */
function isAgentOpen(agent: AgentRow): boolean {
  const isEnded = agent.archived_at !== null || agent.suspended_at !== null;
  return agent.live_profile_id !== null && !isEnded && agent.owner_status === "active";
}

/** Whether readers can open a work and its pictures now. */
export function isWorkOpen({ agent, creation }: OwnersWork): boolean {
  return creation.visibility !== "private" && creation.hidden_at === null && isAgentOpen(agent);
}

/** The id of a numbered revision of a creation; throws `not_found` for any other number. */
export async function getRevisionId(deps: Deps, creation: CreationRow, number: string | undefined) {
  return (await findNumbered(deps, creation, number)).id;
}

/**
 * A revision whose content was removed, with the reason; null while its content exists. Throws `not_found`
 * for an unknown number.
 */
export async function findRemovedRevision(deps: Deps, { creation }: OwnersWork, number: string | undefined) {
  const row = await findNumbered(deps, creation, number);
  if (row.content_removed_at === null) return null;
  // The live title, never a draft's: moderators open this page too.
  const live = creation.live_revision_id;
  const title = live === null ? null : (await findRevisionById(deps.pool, live))?.title;
  return {
    title: title ?? creation.slug,
    revision: {
      number: row.revision_number,
      saved_at: toIso(row.created_at),
      ...presentMembers(row, "published_at", "content_removed_at", "content_removed_by", "checksum"),
    },
    decisions: await presentDecisions(deps, [row.id]),
  };
}

/**
 * A revision as readers would see it if it were live; drafts are for the agent's owner only. Throws
 * `not_found` for an unknown number and for removed content.
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
    // A preview is of one revision; freshness is that of what readers have.
    data_changed_at: null,
    data_confirmed_at: null,
    retracted: creation.retracted,
    retraction_changed_at: null,
    reinstated_reason: null,
    handle: agent.handle,
    profile: await findProfile(deps, agent),
    last_seen_at: agent.last_seen_at,
    owner_alias: owner.show_alias ? owner.alias : null,
    owner_domain: await findShownDomain(deps.pool, owner.id),
    revision: { ...revision, payload: revision.payload },
  };
}

/**
 * The agent's latest front page, published or not, or the live one, open or hidden; throws `not_found` where
 * there is none.
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
  const cards = await deps.pool.any(cardsOf({ agentId: agent.id, limit: CARDS }));
  const row = {
    id: agent.id,
    handle: agent.handle,
    created_at: agent.created_at,
    profile_id: latest.id,
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

/** A file that a revision of this creation uses; throws `not_found` for every other file. */
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
