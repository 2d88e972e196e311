import { countActiveTokens, insertToken, limitTokenLife } from "../../../sql/identity/tokens.ts";
import { refuse } from "../../ground/errors.ts";
import { MINUTE_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { recordAct } from "../audit/record-act.ts";
import { hashSecret, makeAccessToken } from "../credentials/tokens.ts";
import { actorOf, type Caller, checkClaimed, checkSuspensions, lockCaller } from "../writes/authenticate.ts";

/**
 * POST /agent/token/rotate: issues a token with the old one's abilities and the end that its owner gave it; the old
 * one works for another hour.
 */
export async function rotateToken(deps: Deps, { agent: caller, ...request }: Caller) {
  const token = makeAccessToken();
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const { agent, token: old } = await lockCaller(tx, deps, { agent: caller, ...request });
    checkSuspensions(agent);
    checkClaimed(agent);
    if (caller.grant_id !== null) throw refuseConnection();
    const { tokensPerAgent, oldTokenMinutes } = limitsOfAgent(deps, agent);
    if ((await countActiveTokens(tx, agent.id, nowMs)) >= tokensPerAgent) {
      throw refuse(
        "token_quota",
        `You have ${tokensPerAgent} active tokens, the most at one time.`,
        "Wait until an old one has run out, or ask your owner to revoke one.",
      );
    }
    const id = deps.newId();
    const { abilities } = caller;
    const secret = { secretHash: hashSecret(token), prefix: token.slice(0, 8) };
    const ownerExpiresMs = old.owner_expires_at;
    await insertToken(tx, { id, agentId: agent.id, ...secret, abilities, ownerExpiresMs, nowMs });
    const oldExpiresMs = await limitTokenLife(tx, caller.token_id, nowMs + oldTokenMinutes * MINUTE_MS);
    const act = { action: "token.rotate", subjectKind: "token", subjectId: id, agentId: agent.id };
    const changes = [
      { of: "token", agentId: agent.id, type: "token.issued", prefix: secret.prefix },
    ] as const;
    await recordAct(tx, actorOf({ agent: caller, ...request }), { ...act, changes }, nowMs);
    return {
      token,
      token_type: "Bearer",
      abilities,
      expires_at: toIsoOrNull(ownerExpiresMs),
      previous_token_expires_at: toIso(oldExpiresMs),
    };
  });
}

/** 403: the token of a connection lasts an hour, and its client has another way to the next one. */
function refuseConnection() {
  return refuse(
    "forbidden",
    "This token belongs to a connection that your owner allowed by OAuth.",
    "The client renews it at the token endpoint with its refresh token.",
  );
}
