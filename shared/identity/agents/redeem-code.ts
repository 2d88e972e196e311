import type { Tx } from "../../../sql/connection/pool.ts";
import { findAgentById, lockAgent, saveClaim } from "../../../sql/identity/agents.ts";
import {
  consumeEnrollment,
  type EnrollmentRow,
  findEnrollmentByCodeHash,
  lockEnrollment,
} from "../../../sql/identity/enrollments.ts";
import type { OwnerRow } from "../../../sql/identity/owners.ts";
import { insertToken, revokeTokens } from "../../../sql/identity/tokens.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { refuse, refuseField } from "../../ground/errors.ts";
import { DAY_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseRedemptionRequest } from "../../requests/parse-redemption.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import {
  hashSecret,
  makeAccessToken,
  makeLinkSecret,
  normalizeEnrollmentCode,
} from "../credentials/tokens.ts";
import { addAgent } from "./add-agent.ts";
import { CLAIM_DAYS } from "./claims.ts";
import { actOnEnrollment, checkOwnerMayConnect } from "./enrolment-codes.ts";
import { presentIdentity } from "./present-agent.ts";

/**
 * Redeems a code: creates a pending agent with one token and a claim link, each shown once (contract section
 * 5 F).
 */
export async function redeemCode(
  deps: Deps,
  from: { authorization: string | undefined; body: unknown; address: string; requestId: string },
) {
  const redemption = readRedemption(from.authorization, from.body);
  await refuseLeakedCredentials(deps, { display_name: redemption.displayName });
  const known = await findEnrollmentByCodeHash(deps.pool, hashSecret(redemption.code));
  if (known === null) throw enrollmentInvalid();
  return await deps.pool.transaction((tx) => redeemUnderLock(tx, deps, known.id, redemption, from));
}

async function redeemUnderLock(
  tx: Tx,
  deps: Deps,
  enrollmentId: string,
  redemption: Redemption,
  from: { address: string; requestId: string },
) {
  const enrollment = await lockEnrollment(tx, enrollmentId);
  if (enrollment === null) throw enrollmentInvalid();
  checkRedeemable(enrollment, deps.now());
  const owner = await checkOwnerMayConnect(tx, enrollment.owner_id);
  const { agentId, ended } = await takeAgent(tx, deps, { enrollment, redemption, owner });
  const secrets = await issueSecrets(tx, deps, agentId, enrollment.abilities, from.address);
  await consumeEnrollment(tx, enrollment.id, agentId, deps.now());
  const actor: Actor = { actorKind: "agent", actorId: agentId, tokenId: null, requestId: from.requestId };
  const changes = [
    ...ended.map((prefix) => ({ of: "token", agentId, type: "token.revoked", prefix }) as const),
    { of: "token", agentId, type: "token.issued", prefix: prefixOf(secrets.token) } as const,
  ];
  const act = { ...actOnEnrollment(enrollment.id, "enrollment.redeem", agentId), changes };
  await recordAct(tx, actor, act, deps.now());
  const agent = await findAgentById(tx, agentId);
  if (agent === null) throw new Error("the agent that was just made is missing");
  return {
    agent: presentIdentity(agent, agent.enrolled_name),
    ...secrets,
    next: "Store the token now; it is never shown again. Give claim_url to your owner.",
  };
}

function checkRedeemable(enrollment: EnrollmentRow, nowMs: number): void {
  const mend = "Ask your owner for a new code.";
  if (enrollment.consumed_at !== null) {
    throw refuse("enrollment_consumed", "This enrolment code was used already.", mend);
  }
  if (enrollment.revoked_at !== null) {
    throw refuse("enrollment_revoked", "The owner cancelled this enrolment code.", mend);
  }
  if (enrollment.expires_at <= nowMs)
    throw refuse("enrollment_expired", "This enrolment code has expired.", mend);
}

/** The pending agent that the code was issued for, with the prefixes of its ended tokens, or a new one. */
async function takeAgent(
  tx: Tx,
  deps: Deps,
  { enrollment, redemption, owner }: { enrollment: EnrollmentRow; redemption: Redemption; owner: OwnerRow },
): Promise<{ agentId: string; ended: readonly string[] }> {
  if (enrollment.agent_id !== null) {
    const agent = await lockAgent(tx, enrollment.agent_id);
    if (agent === null || agent.archived_at !== null) throw enrollmentInvalid();
    if (redemption.handle !== null && redemption.handle !== agent.handle) throw handleFixed(agent.handle);
    return { agentId: agent.id, ended: await revokeTokens(tx, agent.id, "enrolled", deps.now()) };
  }
  const handle = redemption.handle ?? enrollment.handle;
  if (handle === null) throw refuseField("handle", "The handle is required.");
  if (enrollment.handle !== null && enrollment.handle !== handle) throw handleFixed(enrollment.handle);
  const agentId = await addAgent(tx, deps, owner, { handle, displayName: redemption.displayName });
  return { agentId, ended: [] };
}

async function issueSecrets(
  tx: Tx,
  deps: Deps,
  agentId: string,
  abilities: readonly string[],
  address: string,
) {
  const token = makeAccessToken();
  const claimSecret = makeLinkSecret();
  const nowMs = deps.now();
  const expiresMs = nowMs + CLAIM_DAYS * DAY_MS;
  await insertToken(tx, {
    id: deps.newId(),
    agentId,
    secretHash: hashSecret(token),
    prefix: prefixOf(token),
    abilities,
    ownerExpiresMs: null,
    nowMs,
  });
  await saveClaim(tx, {
    agentId,
    secretHash: hashSecret(claimSecret),
    redeemedFrom: address,
    nowMs,
    expiresMs,
  });
  return {
    token,
    token_type: "Bearer",
    abilities,
    expires_at: null,
    claim_url: addressesOf(deps.config.siteUrl).claim(claimSecret),
    claim_expires_at: toIso(expiresMs),
  };
}

/** The start of a token, by which its owner tells it from others. */
function prefixOf(token: string): string {
  return token.slice(0, 8);
}

function handleFixed(handle: string) {
  return refuseField(
    "handle",
    `The owner fixed the handle ${handle} for this code; send it or leave it out.`,
  );
}

/** A request to redeem a code, read and checked; the code is in its stored form. */
export type Redemption = ReturnType<typeof readRedemption>;

/**
 * Reads POST /agents. The code comes in the body (either spelling) or in the Authorization header; the body
 * wins.
 */
export function readRedemption(authorization: string | undefined, body: unknown) {
  const sent = requireValue(
    parseRedemptionRequest(body, /^Bearer +(bse_.+)$/i.exec(authorization ?? "")?.[1]),
  );
  const code = normalizeEnrollmentCode(sent.code);
  if (code === null) throw enrollmentInvalid();
  return { ...sent, code };
}

/** 422: no code of this kind was ever issued. */
export function enrollmentInvalid() {
  return refuse(
    "enrollment_invalid",
    "The enrolment code is not valid.",
    "Check the code, or ask your owner for a new one.",
  );
}
