import { hash } from "node:crypto";
import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { findLiveGrant, type GrantRow, markGrant } from "../../../sql/identity/oauth-grants.ts";
import {
  type CodeRow,
  findCode,
  findGrantOfSecret,
  insertRefreshToken,
  markCodeUsed,
} from "../../../sql/identity/oauth-secrets.ts";
import { insertToken } from "../../../sql/identity/tokens.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnGrant } from "../agents/end-leaked.ts";
import { type Actor, recordAct, SERVICE } from "../audit/record-act.ts";
import {
  type deriveTokens,
  hashSecret,
  makeAccessToken,
  makeLinkSecret,
  makeRefreshToken,
} from "../credentials/tokens.ts";
import { endGrant, mayConnect } from "./grants.ts";
import { OAuthError } from "./parameters.ts";

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
  return await findGrantOfSecret(deps.pool, "oauth_codes", hashSecret(code));
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
      const actor = { ...SERVICE, requestId: sent.requestId };
      await endGrant(tx, deps, actor, { grantId: grant.id, by: "service" });
      return invalidGrant();
    }
    if (!isFor(sent, code, grant, deps.now()) || !mayConnect(agent)) return invalidGrant();
    await markCodeUsed(tx, secretHash, deps.now());
    await markGrant(tx, grant.id, "connected_at", deps.now());
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

const ACCESS_MINUTES = 60;

/** The pair of secrets that a client gets. */
type TokenPair = ReturnType<typeof deriveTokens>;

/** The answer of the token endpoint. */
export type TokenAnswer = ReturnType<typeof answerWithTokens>;

/** Saves the hashes of a new pair of tokens of a connection; both end with it at the latest. Tells the token's id. */
export async function saveTokens(
  tx: Tx,
  deps: Deps,
  grant: GrantRow,
  { access, refresh }: TokenPair,
  abilities: readonly string[],
): Promise<{ tokenId: string; answer: TokenAnswer }> {
  const nowMs = deps.now();
  const tokenId = deps.newId();
  const expiresMs = Math.min(
    nowMs + ACCESS_MINUTES * MINUTE_MS,
    grant.expires_at ?? Number.POSITIVE_INFINITY,
  );
  await insertToken(tx, {
    id: tokenId,
    agentId: grant.agent_id,
    secretHash: hashSecret(access),
    prefix: access.slice(0, 8),
    abilities,
    ownerExpiresMs: expiresMs,
    grantId: grant.id,
    nowMs,
  });
  await insertRefreshToken(tx, {
    id: deps.newId(),
    secretHash: hashSecret(refresh),
    grantId: grant.id,
    prefix: refresh.slice(0, 8),
    salt: makeLinkSecret(),
    nowMs,
  });
  return {
    tokenId,
    answer: answerWithTokens(deps, { access, refresh }, { abilities, expires_at: expiresMs }),
  };
}

/** The answer that tells a client its tokens. */
export function answerWithTokens(
  deps: Deps,
  { access, refresh }: TokenPair,
  token: { abilities: readonly string[]; expires_at: number },
) {
  return {
    access_token: access,
    token_type: "Bearer" as const,
    expires_in: Math.max(1, Math.floor((token.expires_at - deps.now()) / 1000)),
    refresh_token: refresh,
    scope: token.abilities.join(" "),
  };
}
