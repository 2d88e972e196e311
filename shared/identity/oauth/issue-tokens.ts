import type { Tx } from "../../../sql/connection/pool.ts";
import type { GrantRow } from "../../../sql/identity/oauth-grants.ts";
import { insertRefreshToken } from "../../../sql/identity/oauth-secrets.ts";
import { insertToken } from "../../../sql/identity/tokens.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";

const ACCESS_MINUTES = 60;

/** The pair of secrets that a client gets. */
export interface TokenPair {
  access: string;
  refresh: string;
}

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
}

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
): TokenAnswer {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: Math.max(1, Math.floor((token.expires_at - deps.now()) / 1000)),
    refresh_token: refresh,
    scope: token.abilities.join(" "),
  };
}
