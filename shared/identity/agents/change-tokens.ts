import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import {
  countActiveTokens,
  insertToken,
  limitTokenLife,
  revokeToken,
  setTokenExpiry,
} from "../../../sql/identity/tokens.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { DAY_MS, MINUTE_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { type Actor, type Change, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeAccessToken } from "../credentials/tokens.ts";
import { actorOf, type Caller, checkClaimed, checkSuspensions, lockCaller } from "../writes/authenticate.ts";

/** Ends one token of an agent at once; throws `not_found` for another agent's token or an ended one. */
export async function endToken(deps: Deps, actor: Actor, agentId: string, tokenId: string): Promise<void> {
  const nowMs = deps.now();
  await changeToken(deps, actor, { agentId, tokenId, action: "token.revoke", detail: {} }, async (tx) => {
    const prefix = await revokeToken(tx, agentId, tokenId, nowMs);
    return prefix === null ? null : [{ of: "token", agentId, type: "token.revoked", prefix }];
  });
}

/**
 * Makes a token expire in the given number of days, or never for null; throws `not_found` as `endToken` does.
 */
export async function limitToken(
  deps: Deps,
  actor: Actor,
  agentId: string,
  tokenId: string,
  days: number | null,
): Promise<void> {
  const nowMs = deps.now();
  const expiresMs = days === null ? null : nowMs + days * DAY_MS;
  const detail = { expires_at: toIsoOrNull(expiresMs) };
  await changeToken(deps, actor, { agentId, tokenId, action: "token.limit", detail }, async (tx) =>
    (await setTokenExpiry(tx, { agentId, id: tokenId, expiresMs, nowMs })) ? [] : null,
  );
}

async function changeToken(
  deps: Deps,
  actor: Actor,
  token: { agentId: string; tokenId: string; action: string; detail: Record<string, string | null> },
  change: (tx: Tx) => Promise<readonly Change[] | null>,
): Promise<void> {
  const { agentId, tokenId, action, detail } = token;
  await deps.pool.transaction(async (tx) => {
    const changes = (await lockAgent(tx, agentId)) === null ? null : await change(tx);
    if (changes === null) throw notFound("token");
    const act = { action, subjectKind: "token", subjectId: tokenId, agentId, detail, changes };
    await recordAct(tx, actor, act, deps.now());
  });
}

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
    // The token of a connection lasts an hour, and its client has another way to the next one.
    if (caller.grant_id !== null) {
      throw refuse(
        "forbidden",
        "This token belongs to a connection that your owner allowed by OAuth.",
        "The client renews it at the token endpoint with its refresh token.",
      );
    }
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
