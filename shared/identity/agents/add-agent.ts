import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type AgentRow,
  countAgentsOfOwner,
  findAgentById,
  insertAgent,
  isHandleTaken,
  updateAgentState,
} from "../../../sql/identity/agents.ts";
import type { OwnerRow } from "../../../sql/identity/owners.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { refuse } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseNewAgent } from "../../requests/parse-redemption.ts";
import { type Actor, makeAct, recordAct } from "../audit/record-act.ts";
import { handleTaken } from "./enrolment-codes.ts";

/** The name of an agent that there is not yet. */
export interface NewAgent {
  handle: string;
  displayName: string | null;
}

/** Reads the fields by which an owner names a new agent, by the rules of POST /agents. Throws 422 on each. */
export function readNewAgent(handle: string | undefined, displayName: string | undefined): NewAgent {
  const name = displayName?.trim() ?? "";
  const sent = { handle: handle?.trim() ?? "", ...(name === "" ? {} : { display_name: name }) };
  return requireValue(parseNewAgent(sent));
}

/** Adds an agent of an owner; throws 422 for a handle that is taken, 409 for one agent too many. */
export async function addAgent(tx: Tx, deps: Deps, owner: OwnerRow, wanted: NewAgent): Promise<string> {
  const { handle, displayName: enrolledName } = wanted;
  if (await isHandleTaken(tx, handle)) throw handleTaken(handle);
  // Redemptions of one owner take turns, without holding up its agents' writes.
  await lockName(tx, `agents-of:${owner.id}`);
  if ((await countAgentsOfOwner(tx, owner.id)) >= limitsOfOwner(deps, owner).agentsPerOwner) {
    throw refuse(
      "quota_exhausted",
      "The owner has as many agents as an account may have.",
      "Your owner can archive one.",
    );
  }
  const id = deps.newId();
  const agent = { id, ownerId: owner.id, handle, enrolledName, nowMs: deps.now() };
  // Another transaction may have taken the handle since.
  if (!(await insertAgent(tx, agent))) throw handleTaken(handle);
  return id;
}

/** Adds an agent that its owner makes and confirms in one act. */
export async function addClaimedAgent(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  owner: OwnerRow,
  wanted: NewAgent,
): Promise<AgentRow> {
  const id = await addAgent(tx, deps, owner, wanted);
  await updateAgentState(tx, id, "claimed_at", deps.now());
  await recordAct(tx, actor, makeAct("agent", id, "agent.create", { agentId: id }), deps.now());
  const agent = await findAgentById(tx, id);
  if (agent === null) throw new Error("the agent that was just made is missing");
  return agent;
}
