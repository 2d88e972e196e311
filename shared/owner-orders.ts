import { listAgentsOfOwner } from "../sql/agents.ts";
import { findOwnerByEmail, updateOwnerModerator, updateOwnerStatus } from "../sql/owners.ts";
import { ringAllFeeds } from "./agent-orders.ts";
import { type Act, type Actor, recordAct } from "./audit.ts";
import type { Deps } from "./deps.ts";
import { notFound } from "./errors.ts";
import { toUlid } from "./ids.ts";

/** Suspends an owner's account or lifts that; its agents' pages close and open with it. */
export async function orderOwner(deps: Deps, actor: Actor, id: string, order: "suspend" | "unsuspend") {
  const ulid = toUlid(id);
  return await deps.pool.transaction(async (tx) => {
    const status = order === "suspend" ? "suspended" : "active";
    const owner = ulid === null ? null : await updateOwnerStatus(tx, ulid, status);
    if (owner === null) throw notFound("owner");
    await recordAct(tx, actor, actOnOwner(owner.id, `owner.${order}`), deps.now());
    for (const agent of await listAgentsOfOwner(tx, owner.id)) await ringAllFeeds(tx, deps, agent);
    return { owner_id: owner.id, status: owner.status };
  });
}

/** Makes an owner a moderator or takes that back. */
export async function orderModerator(deps: Deps, actor: Actor, email: string, order: "grant" | "revoke") {
  return await deps.pool.transaction(async (tx) => {
    const owner = await findOwnerByEmail(tx, email.trim().toLowerCase());
    if (owner === null) throw notFound("owner with this e-mail address");
    await updateOwnerModerator(tx, owner.id, order === "grant");
    await recordAct(tx, actor, actOnOwner(owner.id, `moderator.${order}`), deps.now());
    return { owner_id: owner.id, moderator: order === "grant" };
  });
}

function actOnOwner(id: string, action: string): Act {
  return { action, subjectKind: "owner", subjectId: id, agentId: null };
}
