import { findOwnerErasure, markOwnerErased } from "../../../sql/care/erasures.ts";
import { listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findOwnerById, lockOwner } from "../../../sql/identity/owners.ts";
import { notFound, Refusal } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, reasonDetail, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { endAccount } from "../owners/leave.ts";
import { eraseAgent } from "./erase-agent.ts";
import { wasErased } from "./erase-creation.ts";

/**
 * Erases an owner: deletes the account with its personal data, as when the owner leaves, and erases every agent at once,
 * those of an owner who left before too. Where it ends in the midst it may be run again.
 */
export async function eraseOwner(deps: Deps, actor: Actor, id: string, reason: string | null = null) {
  const ulid = toUlid(id);
  const owner = ulid === null ? null : await findOwnerById(deps.pool, ulid);
  if (owner === null) throw notFound("owner");
  const erasedMs = await findOwnerErasure(deps.pool, owner.id);
  if (erasedMs !== null) throw wasErased("owner", erasedMs);
  if (owner.status !== "left") await endAccount(deps, actor, owner.id);
  let agents = 0;
  for (const agent of await listAgentsOfOwner(deps.pool, owner.id)) {
    if (await eraseUnlessErased(deps, agent.id)) agents++;
  }
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, owner.id);
    await markOwnerErased(tx, owner.id, nowMs);
    const act = { action: "owner.erase", subjectKind: "owner", subjectId: owner.id, agentId: null };
    await recordAct(tx, actor, { ...act, detail: reasonDetail(reason) }, nowMs);
  });
  return { owner_id: owner.id, erased_at: toIso(nowMs), agents };
}

async function eraseUnlessErased(deps: Deps, agentId: string): Promise<boolean> {
  try {
    await eraseAgent(deps, SERVICE, agentId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "revision_content_removed") return false;
    throw error;
  }
}
