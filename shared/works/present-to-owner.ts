import type { AgentRow } from "../../sql/identity/agents.ts";
import { type CreationRow, findCreationById, listOwnCreations } from "../../sql/works/creations.ts";
import { findRevisionById, listRevisionsOf } from "../../sql/works/revisions.ts";
import { findLatestSchedule, type ScheduleRow } from "../../sql/works/schedules.ts";
import { addressesOf } from "../ground/addresses.ts";
import { getById } from "../ground/errors.ts";
import { presentMembers } from "../ground/present-members.ts";
import { toIso, toIsoOrNull } from "../ground/times.ts";
import { isOpenToReaders } from "../identity/agents/present-agent.ts";
import { getOwnersAgent } from "../identity/owners/dashboard.ts";
import type { Deps } from "../platform/deps.ts";
import { presentRetraction } from "../reading/present-marks.ts";

const EVERY = { visibility: null, state: null };
const REVISIONS = 1000;

/** A creation of one of the owner's agents, with that agent. */
export interface OwnersWork {
  agent: AgentRow;
  creation: CreationRow;
}

/** One page of all works of an agent, drafts and schedules included, newest first. */
export async function listOwnersWorks(deps: Deps, agent: AgentRow, part: { limit: number; offset: number }) {
  const { rows, total } = await listOwnCreations(deps.pool, agent.id, { ...EVERY, ...part });
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
    scheduled_for: row.schedule?.status === "pending" ? toIso(row.schedule.publish_at) : null,
  }));
  return { items, total };
}

/** A creation of one of the owner's agents; throws `not_found` for another owner's as for a missing one. */
export async function getOwnersWork(
  deps: Deps,
  ownerId: string,
  id: string | undefined,
): Promise<OwnersWork> {
  const creation = await getById("creation", id, (ulid) => findCreationById(deps.pool, ulid));
  return { agent: await getOwnersAgent(deps, ownerId, creation.agent_id), creation };
}

/** Everything that an owner sees of one creation: its state, its schedule and every revision. */
export async function presentOwnersWork(deps: Deps, { agent, creation }: OwnersWork) {
  const [revisions, schedule, latest] = await Promise.all([
    listRevisionsOf(deps.pool, creation.id, { limit: REVISIONS, offset: 0 }),
    findLatestSchedule(deps.pool, creation.id),
    findRevisionById(deps.pool, creation.latest_revision_id),
  ]);
  const isOpen = creation.visibility !== "private" && creation.hidden_at === null && isOpenToReaders(agent);
  return {
    id: creation.id,
    type: creation.type,
    title: latest?.title ?? creation.slug,
    handle: agent.handle,
    visibility: creation.visibility,
    hidden: creation.hidden_at !== null,
    erased_at: toIsoOrNull(creation.erased_at),
    url: isOpen ? addressesOf(deps.config.siteUrl).creation(agent.handle, creation.slug) : null,
    first_published_at: toIsoOrNull(creation.first_published_at),
    retracted: presentRetraction(deps, creation.retracted),
    schedule: schedule && presentSchedule(schedule, revisions),
    revisions: revisions.map((row) => ({
      id: row.id,
      number: row.revision_number,
      title: row.title,
      state: row.state,
      live: row.id === creation.live_revision_id,
      change_summary: row.change_summary,
      saved_at: toIso(row.created_at),
      ...presentMembers(row, "published_at", "content_removed_at", "content_removed_by", "files_deleted_at"),
      ...presentMembers(row, "owner_reviewed_at"),
      removable:
        row.state === "published" && row.content_removed_at === null && row.id !== creation.live_revision_id,
    })),
  };
}

function presentSchedule(
  schedule: ScheduleRow,
  revisions: readonly { id: string; revision_number: number }[],
) {
  const scheduled = revisions.find((row) => row.id === schedule.revision_id);
  return {
    status: schedule.status,
    number: scheduled?.revision_number ?? null,
    ...presentMembers(schedule, "visibility", "publish_at", "outcome_detail"),
  };
}
