import { hash } from "node:crypto";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { findLiveGrant, type GrantRow, markGrantConnected } from "../../../sql/identity/oauth-grants.ts";
import {
  type CodeRow,
  findCode,
  findGrantOfCode,
  markCodeUsed,
} from "../../../sql/identity/oauth-secrets.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnGrant } from "../agents/end-leaked.ts";
import { type Actor, recordAct, SERVICE } from "../audit/record-act.ts";
import { hashSecret, makeAccessToken, makeRefreshToken } from "../credentials/tokens.ts";
import { mayConnect } from "./connected-agent.ts";
import { OAuthError } from "./errors.ts";
import { endGrant } from "./grants.ts";
import { saveTokens, type TokenAnswer } from "./issue-tokens.ts";

/** A code as a client sends it. */
export interface CodeExchange {
  code: string;
  clientId: string;
  /** Null where the client sends none, as OAuth 2.1 has it. */
  redirectUri: string | null;
  verifier: string;
  requestId: string;
}

/** The connection that a code was made for; null for a code that is none of ours. */
export async function findExchanged(deps: Deps, code: string) {
  return await findGrantOfCode(deps.pool, hashSecret(code));
}

/**
 * Exchanges a code for the first tokens of its connection, once. A second use ends what came of the first: one of the
 * two was not the client's.
 */
export async function exchangeCode(
  deps: Deps,
  found: { grant_id: string; agent_id: string },
  sent: CodeExchange,
): Promise<TokenAnswer> {
  const secretHash = hashSecret(sent.code);
  const outcome = await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, found.agent_id);
    const code = await findCode(tx, secretHash);
    const grant = await findLiveGrant(tx, found.grant_id, deps.now());
    if (code === null || grant === null) return invalidGrant();
    if (code.used_at !== null) {
      await endGrant(
        tx,
        deps,
        { ...SERVICE, requestId: sent.requestId },
        { grantId: grant.id, by: "service" },
      );
      return invalidGrant();
    }
    if (!isFor(sent, code, grant, deps.now()) || !mayConnect(agent)) return invalidGrant();
    await markCodeUsed(tx, secretHash, deps.now());
    await markGrantConnected(tx, grant.id, deps.now());
    const pair = { access: makeAccessToken(), refresh: makeRefreshToken() };
    const { tokenId, answer } = await saveTokens(tx, deps, grant, pair, grant.abilities);
    const actor: Actor = { actorKind: "agent", actorId: grant.agent_id, tokenId, requestId: sent.requestId };
    const prefix = pair.access.slice(0, 8);
    const changes = [{ of: "token", agentId: grant.agent_id, type: "token.issued", prefix }] as const;
    await recordAct(tx, actor, { ...actOnGrant(grant, "grant.connect"), changes }, deps.now());
    return answer;
  });
  const isRefused = outcome instanceof OAuthError;
  deps.metrics.oauthTokens.inc({ grant: "authorization_code", outcome: isRefused ? "refused" : "issued" });
  if (isRefused) throw outcome;
  return outcome;
}

function isFor(sent: CodeExchange, code: CodeRow, grant: GrantRow, nowMs: number): boolean {
  return (
    code.expires_at > nowMs &&
    grant.client_id === sent.clientId &&
    (sent.redirectUri === null || sent.redirectUri === code.redirect_uri) &&
    hash("sha256", sent.verifier, "base64url") === code.challenge
  );
}

/** One sentence for every reason: whoever tries codes learns nothing. */
export function invalidGrant(): OAuthError {
  return new OAuthError(
    "invalid_grant",
    "This code or refresh token is not valid, was used, or belongs to another client. Ask the owner again.",
  );
}
