import type { KeptFile } from "../../../sql/care/erasures.ts";
import { closeReportsOf, type ReportSubject } from "../../../sql/care/reports.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { refuse, refuseField } from "../../ground/errors.ts";
import { runAgentCommand } from "../../identity/agents/agent-states.ts";
import { type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import { runOwnerCommand } from "../../identity/owners/suspension.ts";
import { readReason } from "../../identity/sign-in/owner-fields.ts";
import type { Deps } from "../../platform/deps.ts";
import { runCreationCommand } from "../../works/creations/take-down.ts";
import { eraseAgent, eraseOwner } from "../erasure/erase-agent.ts";
import { eraseCreation } from "../erasure/erase-creation.ts";

/** Hides or unhides a creation, or dismisses its reports. Throws 422 on `act` and `reason`. */
export async function ruleOnCreation(
  deps: Deps,
  actor: Actor,
  creation: CreationRow,
  given: { act: string | undefined; reason: string | undefined },
): Promise<void> {
  const reason = readReason(given.reason);
  const subject = { agentId: creation.agent_id, creationId: creation.id };
  if (given.act === "dismiss") await dismissReports(deps, actor, subject, reason);
  else if (given.act === "hide" || given.act === "unhide") {
    await runCreationCommand(deps, actor, creation.id, given.act, reason);
  } else throw unknownAct();
}

/** Decides about an agent, its front page or its owner. Throws 422 on `act` and `reason`. */
export async function ruleOnAgent(
  deps: Deps,
  actor: Actor,
  agent: AgentRow,
  given: { act: string | undefined; reason: string | undefined },
): Promise<void> {
  const reason = readReason(given.reason);
  const { act } = given;
  const isOwn = agent.owner_id === actor.actorId;
  if (act === "dismiss") {
    await dismissReports(deps, actor, { agentId: agent.id, creationId: null }, reason);
  } else if (act === "suspend" && isOwn) {
    throw refuse("forbidden", "This is your own agent.", "Pause it on your page of agents instead.");
  } else if (act === "hide" || act === "unhide" || act === "suspend" || act === "unsuspend") {
    await runAgentCommand(deps, actor, agent.id, act, reason);
  } else if (act === "suspend_owner") await runOwnerCommand(deps, actor, agent.owner_id, "suspend", reason);
  else if (act === "unsuspend_owner") await runOwnerCommand(deps, actor, agent.owner_id, "unsuspend", reason);
  else throw unknownAct();
}

/**
 * Erases a creation, an agent or its owner for a moderator, who cannot erase what is their own. Gives the files of the
 * creation that stay with other works. Throws 422 on `reason` and `act`.
 */
export async function eraseForModerator(
  deps: Deps,
  actor: Actor,
  subject: { agent: AgentRow; creation: CreationRow | null },
  given: { act: string | undefined; reason: string | undefined },
): Promise<KeptFile[]> {
  const reason = readReason(given.reason);
  const { agent, creation } = subject;
  if (agent.owner_id === actor.actorId) {
    throw refuse("forbidden", "This is your own.", "Another moderator or an operator can erase it.");
  }
  if (creation !== null) return (await eraseCreation(deps, actor, creation.id, reason)).files_of_other_works;
  if (given.act === "agent") await eraseAgent(deps, actor, agent.id, reason);
  else if (given.act === "owner") await eraseOwner(deps, actor, agent.owner_id, reason);
  else throw unknownAct();
  return [];
}

function unknownAct() {
  return refuseField("act", "Choose what to do.");
}

/** Closes the open reports of a page and changes nothing else; the owner gets no notice. */
async function dismissReports(deps: Deps, actor: Actor, subject: ReportSubject, reason: string) {
  await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, subject.agentId);
    const count = await closeReportsOf(tx, subject, deps.now());
    const { agentId, creationId } = subject;
    const kind = creationId === null ? "agent" : "creation";
    const act = makeAct(kind, creationId ?? agentId, "report.dismiss", { detail: { reason, count } });
    await recordAct(tx, actor, act, deps.now());
  });
}
