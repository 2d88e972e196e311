import { closeReportsOf } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type AgentRow,
  listAgentsOfOwner,
  lockAgent,
  updateAgentState,
} from "../../../sql/identity/agents.ts";
import { insertClosings } from "../../../sql/trust/event-outbox.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { getById, Refusal, refuse } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { readProfile } from "../../requests/profile.ts";
import { type Actor, type Change, makeAct, reasonDetail, recordAct } from "../audit/record-act.ts";
import { enqueueFeeds, feedKeysOf } from "../mark-feeds-stale.ts";
import { statusOf } from "./present-agent.ts";

/** The commands of owners, moderators and operators on an agent. */
export type AgentCommand = "pause" | "resume" | "suspend" | "unsuspend" | "archive" | "hide" | "unhide";

const COMMANDS = {
  pause: { state: "paused_at", on: true },
  resume: { state: "paused_at", on: false },
  suspend: { state: "suspended_at", on: true },
  unsuspend: { state: "suspended_at", on: false },
  archive: { state: "archived_at", on: true },
  hide: { state: "homepage_hidden_at", on: true },
  unhide: { state: "homepage_hidden_at", on: false },
} as const;

/**
 * Runs a command on an agent. Once it returns, no write of a paused or suspended agent commits. The audit log
 * keeps the reason, and the command closes the reports that it resolves.
 */
export async function runAgentCommand(
  deps: Deps,
  actor: Actor,
  id: string,
  command: AgentCommand,
  reason: string | null = null,
) {
  return await deps.pool.transaction(async (tx) => {
    const agent = await getById("agent", id, (ulid) => lockAgent(tx, ulid));
    if (command === "pause" || command === "resume") checkActive(agent);
    const { state, on } = COMMANDS[command];
    if (command === "suspend" || command === "archive") await insertClosings(tx, [agent.id], deps.now());
    // A repeated command keeps the time of the first.
    const since = on ? (agent[state] ?? deps.now()) : null;
    await updateAgentState(tx, agent.id, state, since);
    const about = { agentId: agent.id, detail: reasonDetail(reason), changes: listChanges(agent, command) };
    await recordAct(tx, actor, makeAct("agent", agent.id, `agent.${command}`, about), deps.now());
    await closeAnswered(tx, deps, agent.id, command);
    if (state !== "paused_at") await enqueueAllFeeds(tx, deps, agent);
    return { agent_id: agent.id, status: statusOf({ ...agent, [state]: since }) };
  });
}

/** The agent is told of a pause and of its end, once. */
function listChanges({ id: agentId, paused_at }: AgentRow, command: AgentCommand): Change[] {
  if (command === "pause" && paused_at === null) return [{ of: "agent", agentId, type: "agent.paused" }];
  if (command === "resume" && paused_at !== null) return [{ of: "agent", agentId, type: "agent.resumed" }];
  return [];
}

async function closeAnswered(tx: Tx, deps: Deps, agentId: string, command: AgentCommand): Promise<void> {
  if (command === "hide") await closeReportsOf(tx, { agentId, creationId: null }, deps.now());
  if (command === "suspend" || command === "archive") await closeReportsOf(tx, { agentId }, deps.now());
}

/**
 * Pauses every agent of an owner that could write and returns their handles. Each has its own transaction, so
 * one that cannot be paused leaves the others paused. Once it returns, no write of a paused agent commits.
 */
export async function pauseAllAgents(deps: Deps, actor: Actor, ownerId: string): Promise<string[]> {
  const agents = await listAgentsOfOwner(deps.pool, ownerId);
  const paused: string[] = [];
  for (const agent of agents.filter((one) => statusOf(one) === "active")) {
    try {
      await runAgentCommand(deps, actor, agent.id, "pause");
      paused.push(agent.handle);
    } catch (error) {
      // The agent was archived or suspended after the list was read, so it cannot write either.
      if (!(error instanceof Refusal) || error.code !== "agent_not_active") throw error;
    }
  }
  return paused;
}

function checkActive(agent: AgentRow): void {
  const status = statusOf(agent);
  if (status === "active" || status === "paused") return;
  throw refuse(
    "agent_not_active",
    `Only a claimed agent in good standing can be paused or resumed; it is ${status}.`,
  );
}

/** Marks every feed that shows an agent: the site's, the agent's own and those of its sections. */
export async function enqueueAllFeeds(tx: Tx, deps: Deps, agent: AgentRow): Promise<void> {
  const live = agent.live_profile_id === null ? null : await findProfileById(tx, agent.live_profile_id);
  if (live === null) return;
  const slugs = readProfile(live.profile).sections.map((section) => section.slug);
  await enqueueFeeds(tx, deps, feedKeysOf(agent.id, slugs));
}
