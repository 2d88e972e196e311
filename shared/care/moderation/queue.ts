import { findErasure } from "../../../sql/care/erasures.ts";
import {
  type ClosedRow,
  findSubject,
  findSubjectOfReport,
  listClosedToReaders,
  listReported,
  listReportsOf,
  type ReportReason,
  type ReportSubject,
} from "../../../sql/care/reports.ts";
import { type AgentRow, findAgentById, listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findOwnerByEmail, findOwnerById, type OwnerRow } from "../../../sql/identity/owners.ts";
import { findCreationById } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { getById, notFound, orNotFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import { findDisplayName, isOpenToReaders, statusOf } from "../../identity/agents/present-agent.ts";
import { presentDecisions } from "../../identity/audit/decisions.ts";
import type { Deps } from "../../platform/deps.ts";
import { type OwnersWork, presentOwnersWork } from "../../works/present-to-owner.ts";
import { previewFrontPage, previewRevision } from "../../works/previews/owners-view.ts";
import { readPageAddress } from "../administration/resolve.ts";
import { REPORT_REASONS } from "./reports.ts";

const REPORTS = 100;
const CLOSED = 100;

/** Whether an owner is a moderator and not suspended. */
export function isModerator(owner: Pick<OwnerRow, "moderator" | "status">): boolean {
  return owner.moderator && owner.status === "active";
}

/** One page of the reported subjects, the longest waiting first. */
export async function listQueue(deps: Deps, part: { limit: number; offset: number }) {
  const rows = await listReported(deps.pool, part);
  const items = rows.map((row) => ({
    ...presentMembers(row, "agent_id", "creation_id", "handle", "title", "count"),
    reasons: row.reasons.map((reason: ReportReason) => REPORT_REASONS[reason]),
    first_at: toIso(row.first_at),
    last_at: toIso(row.last_at),
  }));
  return { items, total: rows[0]?.total ?? 0 };
}

/** The subjects that are hidden or suspended now. */
export async function listClosed(deps: Deps) {
  const rows = await listClosedToReaders(deps.pool, CLOSED);
  return rows.map((row: ClosedRow) => ({ ...row, closed_at: toIsoOrNull(row.closed_at) }));
}

/** A published creation for moderators; drafts are for their agent and owner only. Throws `not_found`. */
export async function getModeratedWork(deps: Deps, id: string | undefined): Promise<OwnersWork> {
  const creation = await getById("published creation", id, (ulid) => findCreationById(deps.pool, ulid));
  // A work that was never published is for its agent and owner only.
  if (creation.first_published_at === null) throw notFound("published creation");
  return { agent: await getModeratedAgent(deps, creation.agent_id), creation };
}

/** An agent for moderators; throws `not_found`. */
export async function getModeratedAgent(deps: Deps, id: string | undefined): Promise<AgentRow> {
  return await getById("agent", id, (ulid) => findAgentById(deps.pool, ulid));
}

/**
 * Everything that a moderator sees of one creation: its publications, its reports and the decisions about it.
 */
export async function presentModeratedWork(deps: Deps, found: OwnersWork) {
  const { creation, agent } = found;
  const work = await presentOwnersWork(deps, found);
  const revisions = work.revisions.filter((revision) => revision.state === "published");
  const removed = revisions.filter((revision) => revision.content_removed_at !== null);
  const title = (revisions.find((revision) => revision.live) ?? revisions[0])?.title ?? creation.slug;
  const subjects = [creation.id, ...removed.map((revision) => revision.id)];
  const [reports, decisions] = await Promise.all([
    presentReports(deps, { agentId: agent.id, creationId: creation.id }),
    presentDecisions(deps, subjects, { dismissals: true }),
  ]);
  return { ...work, schedule: null, title, revisions, agent_id: agent.id, reports, decisions };
}

/** Everything that a moderator sees of one agent, its front page and its owner. */
export async function presentModeratedAgent(deps: Deps, agent: AgentRow) {
  const [owner, reports, decisions, name, erasedMs] = await Promise.all([
    findOwnerById(deps.pool, agent.owner_id),
    presentReports(deps, { agentId: agent.id, creationId: null }),
    presentDecisions(deps, [agent.id, agent.owner_id], { dismissals: true }),
    findDisplayName(deps.pool, agent),
    findErasure(deps.pool, "agents", agent.id),
  ]);
  const isLive = agent.live_profile_id !== null && agent.homepage_hidden_at === null;
  return {
    id: agent.id,
    handle: agent.handle,
    display_name: name,
    status: statusOf(agent),
    erased_at: toIsoOrNull(erasedMs),
    front_page: agent.live_profile_id === null ? "none" : agent.homepage_hidden_at ? "hidden" : "open",
    owner: { id: agent.owner_id, alias: owner?.alias ?? null, status: owner?.status ?? "left" },
    url: isLive && isOpenToReaders(agent) ? addressesOf(deps.config.siteUrl).agent(agent.handle) : null,
    reports,
    decisions,
  } as const;
}

async function presentReports(deps: Deps, subject: ReportSubject) {
  const rows = await listReportsOf(deps.pool, subject, REPORTS);
  return rows.map((row) => ({
    id: row.id,
    reason: REPORT_REASONS[row.reason],
    note: row.note,
    at: toIso(row.created_at),
    closed_at: toIsoOrNull(row.closed_at),
  }));
}

/** A published revision as readers see or saw it, hidden or not; throws `not_found` for a draft. */
export async function readPublished(deps: Deps, found: OwnersWork, number: string | undefined) {
  const owner = await getOwner(deps, found.agent);
  const shown = await previewRevision(deps, { owner }, found, number);
  if (shown.revision.state !== "published") throw notFound("published revision");
  return shown;
}

/** The agent's live front page, hidden or not; throws `not_found` where none was published. */
export async function readFrontPage(deps: Deps, agent: AgentRow) {
  const owner = await getOwner(deps, agent);
  return (await previewFrontPage(deps, { owner }, agent, "live")).row;
}

async function getOwner(deps: Deps, agent: AgentRow): Promise<OwnerRow> {
  return orNotFound("owner", await findOwnerById(deps.pool, agent.owner_id));
}

/**
 * What moderators look for: the agent or the published work of an address, a handle or an id (of a revision or a report
 * too), or the agents of an owner's e-mail address or id. Works that were never published are not found.
 */
export async function findSubjects(deps: Deps, given: string): Promise<ReportSubject[]> {
  const text = given.trim();
  const id = toUlid(text);
  if (id !== null) {
    const found = await findByIds(deps, id);
    if (found.length > 0) return found;
  }
  const address = readPageAddress(text);
  if (address !== null) {
    const subject = await findSubject(deps.pool, address.handle, address.slug);
    return subject === null ? [] : [subject];
  }
  const owner = await findOwnerByEmail(deps.pool, text.toLowerCase());
  return owner === null ? [] : await listOfOwner(deps, owner.id);
}

/** The ids and handles of the agents among subjects, for a list of what was found. */
export async function nameAgents(deps: Deps, subjects: readonly ReportSubject[]) {
  const agents = await Promise.all(subjects.map(({ agentId }) => findAgentById(deps.pool, agentId)));
  return agents.flatMap((agent) => (agent === null ? [] : [{ id: agent.id, handle: agent.handle }]));
}

async function findByIds(deps: Deps, id: string): Promise<ReportSubject[]> {
  const { pool } = deps;
  if ((await findAgentById(pool, id)) !== null) return [{ agentId: id, creationId: null }];
  const creationId = (await findRevisionById(pool, id))?.creation_id ?? id;
  const creation = await findCreationById(pool, creationId);
  if (creation !== null)
    return creation.first_published_at === null
      ? []
      : [{ agentId: creation.agent_id, creationId: creation.id }];
  const reported = await findSubjectOfReport(pool, id);
  if (reported !== null) return [reported];
  return (await findOwnerById(pool, id)) === null ? [] : await listOfOwner(deps, id);
}

async function listOfOwner({ pool }: Deps, ownerId: string): Promise<ReportSubject[]> {
  return (await listAgentsOfOwner(pool, ownerId)).map(({ id }) => ({ agentId: id, creationId: null }));
}
