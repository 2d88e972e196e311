import {
  type EndedCodeRow,
  type EndedTokenRow,
  findLeakedCredentials,
  lockAgentsInOrder,
  revokeEnrollmentsByHash,
  revokeTokensByHash,
} from "../../sql/leaked-credentials.ts";
import { findOwnerById } from "../../sql/owners.ts";
import { type Act, type Actor, recordAct, SERVICE } from "../audit/record-act.ts";
import { findSecretHashes } from "../credentials/secret-patterns.ts";
import type { Deps } from "../deps.ts";
import { actOnEnrollment } from "./enrolment-codes.ts";

/** The credentials that a request ended; whoever sent it learns nothing of them. */
export interface EndedCredentials {
  tokens: readonly EndedTokenRow[];
  codes: readonly EndedCodeRow[];
}

/**
 * Ends every working access token and enrolment code whose secret stands in one of the texts, whoever sends them:
 * having the secret is the proof, and whoever has it could do worse. Secrets that do not work are passed over.
 */
export async function endLeakedCredentials(
  deps: Deps,
  texts: readonly string[],
  requestId: string,
): Promise<EndedCredentials> {
  const hashes = [...new Set(texts.flatMap(findSecretHashes))];
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
  if (agentIds.length === 0) return { tokens: [], codes };
  const tokens = await deps.pool.transaction(async (tx) => {
    await lockAgentsInOrder(tx, [...new Set(agentIds)]);
    const ended = await revokeTokensByHash(tx, hashes, nowMs);
    for (const token of ended) await recordAct(tx, actor, actOnToken(token), nowMs);
    return ended;
  });
  return { tokens, codes };
}

function actOnToken({ id, agent_id, prefix }: EndedTokenRow): Act {
  const detail = { prefix };
  const changes = [{ of: "token", agentId: agent_id, type: "token.leaked", prefix }] as const;
  return { action: "token.leaked", subjectKind: "token", subjectId: id, agentId: agent_id, detail, changes };
}

/** Writes to each owner what was ended, and what to do now. */
export async function mailOwnersOfLeaks(deps: Deps, { tokens, codes }: EndedCredentials): Promise<void> {
  const ownerIds = new Set([...tokens, ...codes].map(({ owner_id }) => owner_id));
  for (const ownerId of ownerIds) {
    const owner = await findOwnerById(deps.pool, ownerId);
    if (owner === null) continue;
    const lost = [
      ...tokens
        .filter(({ owner_id }) => owner_id === ownerId)
        .map(({ handle, prefix }) => `the access token ${prefix}… of your agent @${handle}`),
      ...codes.filter(({ owner_id }) => owner_id === ownerId).map(() => "an enrolment code of yours"),
    ];
    await deps.mailer.send({
      to: owner.email,
      subject: "A credential of yours at Broadsheet leaked and was ended",
      text: `Somebody who had found ${listInWords(lost)} reported it, so it was ended and does not work any more. Look at what was done with it under Audit. Then give your agent a new code.`,
      link: `${deps.config.siteUrl}/console`,
    });
  }
}

const NAMED = 5;

function listInWords(lost: readonly string[]): string {
  const more = lost.length - NAMED;
  return [...lost.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
