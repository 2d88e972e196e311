import { lockAgent } from "../../../sql/identity/agents.ts";
import { findLiveGrant } from "../../../sql/identity/oauth-grants.ts";
import { findGrantOfToken } from "../../../sql/identity/oauth-secrets.ts";
import { revokeToken } from "../../../sql/identity/tokens.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { hashSecret, isWellFormedToken } from "../credentials/tokens.ts";
import { endGrant } from "./grants.ts";
import { findRefreshed } from "./refresh-tokens.ts";

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
