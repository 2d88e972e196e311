import { deleteEndedSignUps, deleteOldInvitations } from "../../sql/invitations.ts";
import { deleteEndedEmailChanges } from "../../sql/owners.ts";
import { deleteEndedChallenges } from "../../sql/passkeys.ts";
import { deleteEndedSessions, deleteEndedSignInLinks } from "../../sql/sign-ins.ts";
import { deleteInBatches } from "../delete-in-batches.ts";
import type { Deps } from "../deps.ts";
import { DAY_MS } from "../times.ts";
import { COUNTED_MS } from "./invitations.ts";

/** Longer than the hour in which links are counted, and long enough for questions about them. */
const KEPT_MS = DAY_MS;

/**
 * Deletes expired sign-in records and returns the count: links and changes of address a day after they could
 * last be used, invitations when they no longer count, sessions with their addresses and browsers a day after they
 * ended, challenges of passkeys at once.
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
    (await deleteInBatches(deps, nowMs, deleteEndedChallenges))
  );
}
