import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import { findLiveGrant, type GrantRow, markGrant } from "../../../sql/identity/oauth-grants.ts";
import {
  findGrantOfSecret,
  findGrantOfToken,
  findRefreshToken,
  findTokenOfGrant,
  markRefreshToken,
  type RefreshTokenRow,
} from "../../../sql/identity/oauth-secrets.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import { revokeToken } from "../../../sql/identity/tokens.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnToken } from "../agents/end-leaked.ts";
import { type Actor, recordAct, SERVICE } from "../audit/record-act.ts";
import {
  deriveTokens,
  hashSecret,
  isWellFormedRefreshToken,
  isWellFormedToken,
} from "../credentials/tokens.ts";
import { answerWithTokens, invalidGrant, saveTokens, type TokenAnswer } from "./exchange-code.ts";
import { endGrant, mayConnect } from "./grants.ts";
import { narrowScope, OAuthError } from "./parameters.ts";

/** How long a replaced token is taken once more, for a client that lost the answer. */
const GRACE_MS = MINUTE_MS;

/** A refresh token as a client sends it. */
export interface Refresh {
  refreshToken: string;
  clientId: string;
  scope: string | null;
  requestId: string;
}

/** The connection of a refresh token; null for one that is none of ours, without a query where its form tells that. */
export async function findRefreshed(deps: Deps, refreshToken: string) {
  if (!isWellFormedRefreshToken(refreshToken)) return null;
  return await findGrantOfSecret(deps.pool, "oauth_refresh_tokens", hashSecret(refreshToken));
}

/**
 * Replaces a refresh token. The old one is taken once more within a minute as long as its successor was not used, and
 * then gives the same tokens again, so a lost answer, a killed process and two requests at once all end with one
 * successor. Any other use of an old one ends the connection, and the owner is told by mail.
 */
export async function refreshTokens(
  deps: Deps,
  found: { grant_id: string; agent_id: string },
  sent: Refresh,
): Promise<TokenAnswer> {
  const refreshed = deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, found.agent_id);
    const token = await findRefreshToken(tx, hashSecret(sent.refreshToken));
    const grant = await findLiveGrant(tx, found.grant_id, deps.now());
    if (token === null || grant === null || grant.client_id !== sent.clientId) return invalidGrant();
    if (!mayConnect(agent)) return invalidGrant();
    if (token.replaced_at === null) return await replace(tx, deps, grant, token, sent);
    const again = await retake(tx, deps, grant, token, sent);
    if (again !== null) return again;
    await endLeaked(tx, deps, grant, token, sent.requestId);
    return { leaked: grant, agent };
  });
  const outcome = await refreshed.catch((error) => {
    if (error instanceof OAuthError) return error;
    throw error;
  });
  const count = (word: string) => deps.metrics.oauthTokens.inc({ grant: "refresh_token", outcome: word });
  if (outcome instanceof OAuthError) {
    count("refused");
    throw outcome;
  }
  count("leaked" in outcome ? "ended" : "issued");
  if (!("leaked" in outcome)) return outcome;
  await mailOwner(deps, outcome);
  throw invalidGrant();
}

async function replace(
  tx: Tx,
  deps: Deps,
  grant: GrantRow,
  token: RefreshTokenRow,
  { refreshToken, scope }: Refresh,
): Promise<TokenAnswer> {
  const abilities = narrowScope(grant.abilities, scope);
  await markRefreshToken(tx, token.id, "replaced_at", deps.now());
  await markGrant(tx, grant.id, "refreshed_at", deps.now());
  return (await saveTokens(tx, deps, grant, deriveTokens(refreshToken, token.salt), abilities)).answer;
}

/** The tokens that took this one's place, told once more; null where it is too late for that. */
async function retake(
  tx: Tx,
  deps: Deps,
  grant: GrantRow,
  token: RefreshTokenRow,
  { refreshToken }: Refresh,
): Promise<TokenAnswer | null> {
  const { replaced_at, retaken_at } = token;
  if (retaken_at !== null || replaced_at === null || deps.now() - replaced_at >= GRACE_MS) return null;
  const pair = deriveTokens(refreshToken, token.salt);
  const successor = await findRefreshToken(tx, hashSecret(pair.refresh));
  const access = await findTokenOfGrant(tx, grant.id, hashSecret(pair.access), deps.now());
  if (successor === null || successor.replaced_at !== null || access === null) return null;
  await markRefreshToken(tx, token.id, "retaken_at", deps.now());
  return answerWithTokens(deps, pair, access);
}

async function endLeaked(
  tx: Tx,
  deps: Deps,
  grant: GrantRow,
  { id, prefix }: RefreshTokenRow,
  requestId: string,
): Promise<void> {
  const actor: Actor = { ...SERVICE, requestId };
  await endGrant(tx, deps, actor, { grantId: grant.id, by: "service" });
  await recordAct(tx, actor, actOnToken({ id, agent_id: grant.agent_id, prefix }), deps.now());
}

async function mailOwner(
  deps: Deps,
  { leaked, agent }: { leaked: GrantRow; agent: AgentRow },
): Promise<void> {
  const owner = await findOwnerById(deps.pool, agent.owner_id);
  if (owner === null) return;
  await deps.mailer.send({
    to: owner.email,
    subject: "A connection to your agent at Broadsheet was ended",
    text: `A secret of the connection of ${leaked.client_host ?? leaked.redirect_host} to your agent @${agent.handle} was used twice, so somebody else may have it. The connection was ended and does not work any more. Look at what was done with it under What was done. If it was yours, connect it again.`,
    link: `${deps.config.siteUrl}/console/agents/${leaked.agent_id}`,
  });
}

/**
 * RFC 7009: a client gives a token back. A refresh token ends its whole connection, an access token itself alone. What
 * is no token of a connection, or of another client, is passed over without a word.
 */
export async function revokeByClient(
  deps: Deps,
  { token, clientId, requestId }: { token: string; clientId: string | null; requestId: string },
): Promise<void> {
  const refreshed = await findRefreshed(deps, token);
  const access = isWellFormedToken(token) ? await findGrantOfToken(deps.pool, hashSecret(token)) : null;
  const found = refreshed ?? access;
  if (found === null) return;
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, found.agent_id);
    const grant = await findLiveGrant(tx, found.grant_id, nowMs);
    if (grant === null || (clientId !== null && clientId !== grant.client_id)) return;
    const actor: Actor = { actorKind: "agent", actorId: grant.agent_id, tokenId: null, requestId };
    if (access === null) {
      await endGrant(tx, deps, actor, { grantId: grant.id, by: "client" });
      return;
    }
    const prefix = await revokeToken(tx, grant.agent_id, access.token_id, nowMs);
    if (prefix === null) return;
    const changes = [{ of: "token", agentId: grant.agent_id, type: "token.revoked", prefix }] as const;
    const act = { action: "token.revoke", subjectKind: "token", subjectId: access.token_id, changes };
    await recordAct(tx, actor, { ...act, agentId: grant.agent_id }, nowMs);
  });
}
