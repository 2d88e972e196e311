import { hasEmailBlock } from "../../../sql/care/blocks.ts";
import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { countMailedTo } from "../../../sql/identity/invitations.ts";
import { findOwnerByEmail } from "../../../sql/identity/owners.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { refuseField } from "../../ground/errors.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { toDomainName } from "../domains/names.ts";

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
  await lockName(tx, `mailbox:${mailbox}`);
  // All three are asked in every case, so that the time tells no more than the answer.
  const owner = await findOwnerByEmail(tx, email);
  const isBlocked = await isEmailBlocked(deps, email, tx);
  const mailed = await countMailedTo(tx, mailbox, deps.now() - DAY_MS);
  return owner === null && !isBlocked && mailed < deps.config.limits.signUpMailsPerDay;
}

/** An e-mail address as blocks compare it: its domain in lowercase ASCII. */
export function toBlockedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  return `${email.slice(0, at)}@${toDomainName(domain) ?? domain}`.toLowerCase();
}

/** Whether a block in force names an e-mail address, its domain or a domain above that. */
export async function isEmailBlocked(deps: Deps, email: string, db: Db = deps.pool): Promise<boolean> {
  const compared = toBlockedEmail(email);
  const labels = compared.slice(compared.lastIndexOf("@") + 1).split(".");
  const domains = labels.map((_, place) => labels.slice(place).join("."));
  return await hasEmailBlock(db, { email: compared, domains, nowMs: deps.now() });
}

/** Refuses a blocked e-mail address in a command of operators; nobody else is told of a block. */
export async function refuseBlockedEmail(deps: Deps, email: string): Promise<void> {
  if (!(await isEmailBlocked(deps, email))) return;
  const sentence =
    "This e-mail address is blocked. See site blocks; site unblock lifts the block of an address or a domain.";
  throw refuseField("email", sentence);
}
