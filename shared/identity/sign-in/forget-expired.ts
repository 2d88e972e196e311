import { deleteEndedSignUps, deleteOldInvitations } from "../../../sql/identity/invitations.ts";
import { deleteStaleClients, deleteUnusedClients } from "../../../sql/identity/oauth-clients.ts";
import {
  deleteOldCodes,
  deleteOldGrants,
  deleteOldTokens,
  deleteReplacedRefreshTokens,
} from "../../../sql/identity/oauth-secrets.ts";
import { deleteEndedEmailChanges } from "../../../sql/identity/owners.ts";
import { deleteEndedChallenges } from "../../../sql/identity/passkeys.ts";
import { deleteEndedSessions, deleteEndedSignInLinks } from "../../../sql/identity/sign-ins.ts";
import { DAY_MS } from "../../ground/times.ts";
import { deleteInBatches } from "../../platform/delete-in-batches.ts";
import type { Deps } from "../../platform/deps.ts";
import { COUNTED_MS } from "./counted-invitations.ts";

/** Longer than the hour in which links are counted, and long enough for questions about them. */
const KEPT_MS = DAY_MS;
/** How long the use of a replaced refresh token is still known as one, and ends its connection. */
const REPLACED_MS = 30 * DAY_MS;

/**
 * Deletes expired sign-in records and returns the count: links and changes of address a day after they could
 * last be used, invitations when they no longer count, sessions with their addresses and browsers a day after they
 * ended, challenges of passkeys at once; with them what connections by OAuth leave.
 */
export async function sweepSignIns(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const endedMs = nowMs - KEPT_MS;
  return (
    (await deleteInBatches(deps, endedMs, deleteEndedSignInLinks)) +
    (await deleteInBatches(deps, endedMs, deleteEndedEmailChanges)) +
    (await deleteInBatches(deps, endedMs, deleteEndedSignUps)) +
    (await deleteInBatches(deps, nowMs - COUNTED_MS, deleteOldInvitations)) +
    (await deleteInBatches(deps, endedMs, deleteEndedSessions)) +
    (await deleteInBatches(deps, nowMs, deleteEndedChallenges)) +
    (await sweepConnections(deps, nowMs))
  );
}

/** Tokens go before their connections; clients that nobody connected are forgotten after a day. */
async function sweepConnections(deps: Deps, nowMs: number): Promise<number> {
  const endedMs = nowMs - KEPT_MS;
  return (
    (await deleteInBatches(deps, endedMs, deleteOldCodes)) +
    (await deleteInBatches(deps, endedMs, deleteOldTokens)) +
    (await deleteInBatches(deps, nowMs - REPLACED_MS, deleteReplacedRefreshTokens)) +
    (await deleteInBatches(deps, endedMs, deleteOldGrants)) +
    (await deleteInBatches(deps, endedMs, deleteUnusedClients)) +
    (await deleteInBatches(deps, endedMs, deleteStaleClients))
  );
}
