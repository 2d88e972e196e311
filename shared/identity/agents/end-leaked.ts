import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type EndedCodeRow,
  type EndedTokenRow,
  findLeakedCredentials,
  type LeakedGrantRow,
  listLeakedGrants,
  lockAgentsInOrder,
  revokeEnrollmentsByHash,
  revokeTokensByHash,
} from "../../../sql/identity/leaked-credentials.ts";
import { type EndedGrant, endGrantRow, type GrantRow } from "../../../sql/identity/oauth-grants.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Act, type Actor, recordAct, SERVICE } from "../audit/record-act.ts";
import { findBrokenSecretHashes } from "../credentials/secret-patterns.ts";
import { actOnEnrollment } from "./enrolment-codes.ts";

/** The credentials that a request ended; whoever sent it learns nothing of them. */
export interface EndedCredentials {
  tokens: readonly EndedTokenRow[];
  codes: readonly EndedCodeRow[];
  connections: readonly LeakedGrantRow[];
}

/**
 * Ends every working access token, refresh token with its whole connection, and enrolment code whose secret stands in one of the texts, whoever sends them:
 * having the secret is the proof, and whoever has it could do worse. Secrets that do not work are passed over.
 */
export async function endLeakedCredentials(
  deps: Deps,
  texts: readonly string[],
  requestId: string,
): Promise<EndedCredentials> {
  const hashes = [...new Set(texts.flatMap(findBrokenSecretHashes))];
  const nowMs = deps.now();
  const found = await findLeakedCredentials(deps.pool, hashes, nowMs);
  const agentIds = found.map(({ agent_id }) => agent_id).filter((id) => id !== null);
  const actor: Actor = { ...SERVICE, requestId };
  // Codes and tokens apart: a redemption locks its code before its agent.
  const codes = found.some(({ kind }) => kind === "code")
    ? await deps.pool.transaction(async (tx) => {
        const ended = await revokeEnrollmentsByHash(tx, hashes, nowMs);
        const acts = ended.map(({ id, agent_id }) => actOnEnrollment(id, "enrollment.leaked", agent_id));
        for (const act of acts) await recordAct(tx, actor, act, nowMs);
        return ended;
      })
    : [];
  if (agentIds.length === 0) return { tokens: [], codes, connections: [] };
  const ended = await deps.pool.transaction(async (tx) => {
    await lockAgentsInOrder(tx, [...new Set(agentIds)]);
    const tokens = await revokeTokensByHash(tx, hashes, nowMs);
    for (const token of tokens) await recordAct(tx, actor, actOnToken(token), nowMs);
    return { tokens, connections: await endLeakedGrants(tx, actor, hashes, nowMs) };
  });
  return { ...ended, codes };
}

async function endLeakedGrants(
  tx: Tx,
  actor: Actor,
  hashes: readonly string[],
  nowMs: number,
): Promise<readonly LeakedGrantRow[]> {
  const leaked = await listLeakedGrants(tx, hashes, nowMs);
  for (const { grant_id, token_id: id, prefix } of leaked) {
    const grant = await endGrantRow(tx, grant_id, "service", nowMs);
    // Two refresh tokens of one connection may be reported at once.
    if (grant === null) continue;
    await recordAct(tx, actor, actOnEndedGrant(grant), nowMs);
    await recordAct(tx, actor, actOnToken({ id, agent_id: grant.agent_id, prefix }), nowMs);
  }
  return leaked;
}

/** An audit act on a connection. */
export function actOnGrant(grant: Pick<GrantRow, "id" | "agent_id" | "client_name">, action: string) {
  const detail = { client: grant.client_name };
  return { action, subjectKind: "grant", subjectId: grant.id, agentId: grant.agent_id, detail };
}

/** The audit act of the end of a connection, with whose tokens its agent is told of that. */
export function actOnEndedGrant(grant: EndedGrant): Act {
  const changes = grant.prefixes.map(
    (prefix) => ({ of: "token", agentId: grant.agent_id, type: "token.revoked", prefix }) as const,
  );
  return { ...actOnGrant(grant, "grant.end"), changes };
}

/** An audit act on a token that leaked, which its agent is told of. */
export function actOnToken({ id, agent_id, prefix }: Pick<EndedTokenRow, "id" | "agent_id" | "prefix">): Act {
  const detail = { prefix };
  const changes = [{ of: "token", agentId: agent_id, type: "token.leaked", prefix }] as const;
  return { action: "token.leaked", subjectKind: "token", subjectId: id, agentId: agent_id, detail, changes };
}

/** Writes to each owner what was ended, and what to do now. */
export async function mailOwnersOfLeaks(
  deps: Deps,
  { tokens, codes, connections }: EndedCredentials,
): Promise<void> {
  const lost = [
    ...tokens.map(({ handle, prefix, owner_id }) => {
      return { owner_id, words: `the access token ${prefix}… of your agent @${handle}` };
    }),
    ...connections.map(({ handle, prefix, owner_id }) => {
      const words = `the refresh token ${prefix}… and with it a connection of your agent @${handle}`;
      return { owner_id, words };
    }),
    ...codes.map(({ owner_id }) => ({ owner_id, words: "an enrolment code of yours" })),
  ];
  for (const [ownerId, ofOwner] of Map.groupBy(lost, ({ owner_id }) => owner_id)) {
    const owner = await findOwnerById(deps.pool, ownerId);
    if (owner === null) continue;
    const named = listInWords(ofOwner.map(({ words }) => words));
    await deps.mailer.send({
      to: owner.email,
      subject: "A credential of yours at Broadsheet leaked and was ended",
      text: `Somebody found and reported what follows, so it was ended and does not work any more: ${named}. Look at what was done with it under What was done. Then give your agent a new code.`,
      link: `${deps.config.siteUrl}/console`,
    });
  }
}

const NAMED = 5;

function listInWords(lost: readonly string[]): string {
  const more = lost.length - NAMED;
  return [...lost.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
