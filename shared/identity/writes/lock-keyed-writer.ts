import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, findAgentById, lockAgentWithKey } from "../../../sql/identity/agents.ts";
import { findKeyAndToken } from "../../../sql/identity/idempotency-keys.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Caller, checkWriter, unauthenticated } from "./authenticate.ts";
import { type Answer, inProgress, type KeyedRequest, readStored } from "./idempotency.ts";

/**
 * Locks the key and the agent of a write, then reads key and token by a statement of its own, which sees what
 * committed while the locks were waited for. A stored answer comes before the checks, which it passed already.
 */
export async function lockKeyedWriter(
  tx: Tx,
  deps: Deps,
  { agent: caller }: Caller,
  keyed: KeyedRequest,
): Promise<{ replayed: Answer } | { replayed: null; agent: AgentRow }> {
  const agent = await lockAgentWithKey(tx, caller.id, keyed.key);
  if (agent === null) throw (await findAgentById(tx, caller.id)) === null ? unauthenticated() : inProgress();
  const nowMs = deps.now();
  const sinceMs = nowMs - deps.config.limits.idempotencyHours * HOUR_MS;
  const ids = { agentId: caller.id, key: keyed.key, tokenId: caller.token_id };
  const { key, isTokenValid } = await findKeyAndToken(tx, ids, { sinceMs, nowMs });
  const replayed = key && readStored(key, keyed).answer;
  if (replayed) return { replayed };
  if (agent.archived_at !== null || !isTokenValid) throw unauthenticated();
  checkWriter(agent);
  return { replayed: null, agent };
}
