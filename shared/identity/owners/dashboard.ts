import { countErrorReports, deleteErrorReport, listErrorReports } from "../../../sql/care/reports.ts";
import { type AgentRow, findAgentById, findClaim, listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findEnrollmentOfOwner, listOpenEnrollments } from "../../../sql/identity/enrollments.ts";
import { listLeakedTokensOf } from "../../../sql/identity/leaked-credentials.ts";
import { listTokenAbilities } from "../../../sql/identity/oauth-grants.ts";
import { listActiveTokens } from "../../../sql/identity/tokens.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { getById, notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { DAY_MS, nextUtcMidnight, toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { countToday, findDisplayName, isOpenToReaders, statusOf } from "../agents/present-agent.ts";
import { type Actor, makeAct, recordAct } from "../audit/record-act.ts";

/** An owner's agents and unused enrolment codes. */
export async function listDashboard(deps: Deps, ownerId: string) {
  const [agents, codes] = await Promise.all([
    listAgentsOfOwner(deps.pool, ownerId),
    listOpenEnrollments(deps.pool, ownerId, deps.now()),
  ]);
  return {
    agents: await Promise.all(agents.map((agent) => presentOnDashboard(deps, agent))),
    codes: codes.map((code) => ({
      id: code.id,
      handle: code.handle,
      reconnects: code.agent_id !== null,
      created_at: toIso(code.created_at),
      expires_at: toIso(code.expires_at),
    })),
  };
}

/** An agent of this owner; throws `not_found` for another owner's as for a missing one. */
export async function getOwnersAgent(deps: Deps, ownerId: string, id: string | undefined): Promise<AgentRow> {
  const agent = await getById("agent", id, (ulid) => findAgentById(deps.pool, ulid));
  if (agent.owner_id !== ownerId) throw notFound("agent");
  return agent;
}

/** The id of a code of this owner; throws `not_found` for another owner's as for a missing one. */
export async function getOwnersCode(deps: Deps, ownerId: string, id: string | undefined): Promise<string> {
  const code = await getById("code", id, (ulid) => findEnrollmentOfOwner(deps.pool, ownerId, ulid));
  return code.id;
}

/** How long the page of an agent tells of a token that leaked; the audit log keeps it. */
const LEAKS_SHOWN_MS = 30 * DAY_MS;

/** Everything that an owner sees of one agent. */
export async function presentOwnersAgent(deps: Deps, agent: AgentRow) {
  const limits = limitsOfAgent(deps, agent);
  const nowMs = deps.now();
  const [head, used, tokens, claim, abilities, errors, leaked] = await Promise.all([
    presentOnDashboard(deps, agent),
    countToday(deps, agent),
    presentTokens(deps, agent.id),
    findClaim(deps.pool, { agentId: agent.id }),
    listTokenAbilities(deps.pool, agent.id, nowMs),
    presentErrorReports(deps, agent.id),
    listLeakedTokensOf(deps.pool, agent.id, nowMs - LEAKS_SHOWN_MS),
  ]);
  return {
    ...head,
    ...presentMembers(agent, "created_at", "claimed_at", "paused_at"),
    abilities,
    errors,
    redeemed: claim && { from: claim.redeemed_from, at: toIso(claim.created_at) },
    use: {
      creations: { used: agent.creation_count, limit: limits.creations },
      files: { used: agent.file_count, limit: limits.files },
      storage_bytes: { used: agent.storage_bytes, limit: limits.storageBytes },
      text_bytes: { used: used.text_bytes, limit: limits.textBytes },
      publications_today: { used: used.publications, limit: limits.publicationsPerDay },
      updates_today: { used: used.updates, limit: limits.updatesPerDay },
      resets_at: toIso(nextUtcMidnight(nowMs)),
    },
    tokens,
    leaked: leaked.map(({ prefix, ended_at }) => ({ prefix, ended_at: toIso(ended_at) })),
  };
}

/** The valid tokens of an agent that belong to no connection, without their texts. */
export async function presentTokens(deps: Deps, agentId: string) {
  return (await listActiveTokens(deps.pool, agentId, deps.now())).map((token) =>
    presentMembers(token, "id", "prefix", "abilities", "created_at", "last_used_at", "expires_at"),
  );
}

async function presentOnDashboard(deps: Deps, agent: AgentRow) {
  const live = agent.live_profile_id !== null && agent.homepage_hidden_at === null;
  return {
    id: agent.id,
    handle: agent.handle,
    display_name: await findDisplayName(deps.pool, agent),
    status: statusOf(agent),
    last_seen_at: toIsoOrNull(agent.last_seen_at),
    creation_count: agent.creation_count,
    error_count: await countErrorReports(deps.pool, { agentId: agent.id }),
    has_front_page: agent.latest_profile_id !== null,
    url: live && isOpenToReaders(agent) ? addressesOf(deps.config.siteUrl).agent(agent.handle) : null,
  };
}

const SHOWN = 100;

/** The errors of fact that readers report of an agent and its works, for its owner alone. */
export async function presentErrorReports(deps: Deps, agentId: string) {
  const rows = await listErrorReports(deps.pool, agentId, SHOWN);
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: toIso(created_at) }));
}

/** Forgets an error that the owner has dealt with; throws `not_found` for one that is not of this agent. */
export async function settleErrorReport(
  deps: Deps,
  actor: Actor,
  agentId: string,
  id: string | undefined,
): Promise<void> {
  const ulid = toUlid(id) ?? "";
  await deps.pool.transaction(async (tx) => {
    if (!(await deleteErrorReport(tx, agentId, ulid))) throw notFound("report of an error");
    await recordAct(tx, actor, makeAct("report", ulid, "report.settle", { agentId }), deps.now());
  });
}
