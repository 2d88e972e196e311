import { closeReportsOf } from "../../../sql/care/reports.ts";
import { listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findOwnerByEmail, lockOwner, updateOwner } from "../../../sql/identity/owners.ts";
import { insertClosings } from "../../../sql/trust/event-outbox.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import { enqueueAllFeeds } from "../agents/agent-states.ts";
import { type Actor, makeAct, reasonDetail, recordAct } from "../audit/record-act.ts";

/**
 * Suspends or unsuspends an owner's account, which closes or opens its agents' pages. The audit log keeps the
 * reason. Nobody suspends their own account; a deleted account stays deleted.
 */
export async function runOwnerCommand(
  deps: Deps,
  actor: Actor,
  id: string,
  command: "suspend" | "unsuspend",
  reason: string | null = null,
) {
  const ulid = toUlid(id);
  if (command === "suspend" && ulid !== null && actor.actorKind === "moderator" && actor.actorId === ulid) {
    throw refuse("forbidden", "You cannot suspend your own account.", "Another moderator can.");
  }
  return await deps.pool.transaction(async (tx) => {
    const status = command === "suspend" ? "suspended" : "active";
    const before = ulid === null ? null : await lockOwner(tx, ulid);
    if (before === null || before.status === "left") throw notFound("owner");
    const agents = await listAgentsOfOwner(tx, before.id);
    if (command === "suspend") {
      const ids = agents.map((agent) => agent.id);
      await insertClosings(tx, ids, deps.now());
    }
    const owner = (await updateOwner(tx, before.id, { status })) ?? before;
    const detail = reasonDetail(reason);
    await recordAct(tx, actor, makeAct("owner", owner.id, `owner.${command}`, { detail }), deps.now());
    for (const agent of agents) {
      if (command === "suspend") await closeReportsOf(tx, { agentId: agent.id }, deps.now());
      await enqueueAllFeeds(tx, deps, agent);
    }
    return { owner_id: owner.id, status: owner.status };
  });
}

/** Makes an owner a moderator or revokes that. */
export async function runModeratorCommand(
  deps: Deps,
  actor: Actor,
  email: string,
  command: "grant" | "revoke",
) {
  return await deps.pool.transaction(async (tx) => {
    const owner = await findOwnerByEmail(tx, email.trim().toLowerCase());
    if (owner === null) throw notFound("owner with this e-mail address");
    await updateOwner(tx, owner.id, { moderator: command === "grant" });
    await recordAct(tx, actor, makeAct("owner", owner.id, `moderator.${command}`), deps.now());
    return { owner_id: owner.id, moderator: command === "grant" };
  });
}
