import { closeWorksOf, deletePerson } from "../../../sql/care/delete-account.ts";
import { deleteExportsOf } from "../../../sql/care/owner-exports.ts";
import { closeReportsOf } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type AgentRow,
  listAgentsOfOwner,
  lockAgent,
  updateAgentState,
} from "../../../sql/identity/agents.ts";
import { lockOwner } from "../../../sql/identity/owners.ts";
import { endSignIns } from "../../../sql/identity/sign-ins.ts";
import { revokeTokens } from "../../../sql/identity/tokens.ts";
import { insertUnpublishings } from "../../../sql/trust/event-outbox.ts";
import { discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import { notFound, refuseField } from "../../ground/errors.ts";
import { enqueueAllFeeds } from "../../identity/agents/agent-states.ts";
import { type Actor, byOf, makeAct, ownerActor, recordAct } from "../../identity/audit/record-act.ts";
import type { SignedIn } from "../../identity/sign-in/sessions.ts";
import type { Deps } from "../../platform/deps.ts";
import { deleteMailsWith } from "../../platform/mail/folder.ts";

/** Deletes the account of an owner who typed its address; throws 422 on `confirm` otherwise. */
export async function deleteAccount(deps: Deps, who: SignedIn, typed: string, requestId: string) {
  const { id, email } = who.owner;
  if (typed.trim().toLowerCase() !== email) {
    throw refuseField("confirm", "Type your e-mail address as it stands above.");
  }
  await endAccount(deps, ownerActor(id, requestId), id);
}

/**
 * Deletes an owner's account for good, in one transaction: archives agents, takes their publications off the
 * site, retains files and texts as long as replaced files, deletes archives of the account, and frees alias and
 * address. Throws `not_found` where there is no such account.
 */
export async function endAccount(deps: Deps, actor: Actor, id: string): Promise<void> {
  const nowMs = deps.now();
  const { archives, email } = await deps.pool.transaction(async (tx) => {
    const early = await listAgentsOfOwner(tx, id);
    await endAgents(tx, deps, actor, early);
    // From here on no agent can be enrolled; one enrolled before this lock ends too.
    const owner = await lockOwner(tx, id);
    if (owner === null || owner.status === "left") throw notFound("account");
    const all = await listAgentsOfOwner(tx, id);
    await endAgents(
      tx,
      deps,
      actor,
      all.filter((agent) => !early.some((known) => known.id === agent.id)),
    );
    await closeWorksOf(
      tx,
      all.map((agent) => agent.id),
      nowMs,
    );
    await endSignIns(tx, id, null, nowMs);
    await deletePerson(tx, id, nowMs);
    await recordAct(tx, actor, makeAct("owner", id, "owner.leave"), nowMs);
    return { archives: await deleteExportsOf(tx, id), email: owner.email };
  });
  await discardFilesSoon(deps, archives);
  // The account is gone by then, and a sweep deletes what this process may not.
  await deleteMailsWith(deps.config, email).catch((err: unknown) =>
    deps.log.error({ err }, "mails in files cannot be deleted"),
  );
}

/** Archives an agent whose works the caller closes next, and ends its credentials; false where it was archived. */
export async function archiveForGood(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  agent: AgentRow,
  nowMs: number,
): Promise<boolean> {
  await enqueueAllFeeds(tx, deps, agent);
  await revokeTokens(tx, agent.id, "all", nowMs);
  await closeReportsOf(tx, { agentId: agent.id }, nowMs);
  await insertUnpublishings(tx, [agent.id], { by: byOf(actor), nowMs });
  if (agent.archived_at !== null) return false;
  await updateAgentState(tx, agent.id, "archived_at", nowMs);
  return true;
}

/** Archives agents and locks each, in the order of their ids. */
async function endAgents(tx: Tx, deps: Deps, actor: Actor, agents: readonly AgentRow[]): Promise<void> {
  const nowMs = deps.now();
  for (const known of [...agents].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const agent = (await lockAgent(tx, known.id)) ?? known;
    if (!(await archiveForGood(tx, deps, actor, agent, nowMs))) continue;
    await recordAct(tx, actor, makeAct("agent", agent.id, "agent.archive", { agentId: agent.id }), nowMs);
  }
}
