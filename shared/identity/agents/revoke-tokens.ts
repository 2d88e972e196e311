import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { revokeToken, setTokenExpiry } from "../../../sql/identity/tokens.ts";
import { notFound } from "../../ground/errors.ts";
import { DAY_MS, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Change } from "../audit/changes.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";

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
