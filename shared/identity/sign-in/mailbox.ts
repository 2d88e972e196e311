import type { Tx } from "../../../sql/connection/pool.ts";
import { countMailedTo, lockMailbox } from "../../../sql/identity/invitations.ts";
import { findOwnerByEmail } from "../../../sql/identity/owners.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { isEmailBlocked, toBlockedEmail } from "./blocked-emails.ts";

/** The mailbox behind an address: many servers deliver `nora+news@` to `nora@`. */
export function toMailbox(email: string): string {
  const compared = toBlockedEmail(email);
  const at = compared.lastIndexOf("@");
  const plus = compared.indexOf("+", 1);
  return plus > 0 && plus < at ? compared.slice(0, plus) + compared.slice(at) : compared;
}

/**
 * Whether a link that opens an account may be mailed to an address now: it has no account, is not blocked, and its
 * mailbox got fewer links than a day allows. Locks the mailbox until the transaction ends.
 */
export async function mayMailTo(tx: Tx, deps: Deps, email: string): Promise<boolean> {
  const mailbox = toMailbox(email);
  await lockMailbox(tx, mailbox);
  // All three are asked in every case, so that the time tells no more than the answer.
  const owner = await findOwnerByEmail(tx, email);
  const isBlocked = await isEmailBlocked(deps, email, tx);
  const mailed = await countMailedTo(tx, mailbox, deps.now() - DAY_MS);
  return owner === null && !isBlocked && mailed < deps.config.limits.signUpMailsPerDay;
}
