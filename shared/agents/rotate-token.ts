import { lockAgent } from "../../sql/agents.ts";
import { countActiveTokens, insertToken, limitTokenLife } from "../../sql/tokens.ts";
import { recordAct } from "../audit/record-act.ts";
import { hashSecret, makeAccessToken } from "../credentials/tokens.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../errors.ts";
import { MINUTE_MS, toIso } from "../times.ts";
import { actorOf, type Caller, checkClaimed, checkExists, checkSuspensions } from "../writes/authenticate.ts";

/**
 * POST /agent/token/rotate: issues a token with the old one's abilities; the old one works for another hour.
 */
export async function rotateToken(deps: Deps, { agent: caller, ...request }: Caller) {
  const token = makeAccessToken();
  const { tokensPerAgent, oldTokenMinutes } = deps.config.limits;
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, caller.id);
    checkExists(agent);
    checkSuspensions(agent);
    checkClaimed(agent);
    if ((await countActiveTokens(tx, agent.id, nowMs)) >= tokensPerAgent) {
      throw refuse(
        "token_quota",
        `You have ${tokensPerAgent} active tokens, the most at one time.`,
        "Wait until an old one has run out, or ask your owner to revoke one.",
      );
    }
    const id = deps.newId();
    const { abilities } = caller;
    const secretHash = hashSecret(token);
    await insertToken(tx, { id, agentId: agent.id, secretHash, prefix: token.slice(0, 8), abilities, nowMs });
    const oldExpiresMs = await limitTokenLife(tx, caller.token_id, nowMs + oldTokenMinutes * MINUTE_MS);
    const act = { action: "token.rotate", subjectKind: "token", subjectId: id, agentId: agent.id };
    await recordAct(tx, actorOf({ agent: caller, ...request }), act, nowMs);
    return {
      token,
      token_type: "Bearer",
      abilities,
      expires_at: null,
      previous_token_expires_at: toIso(oldExpiresMs),
    };
  });
}
