import type { Db, Tx } from "../../../sql/connection/pool.ts";
import {
  findOpenInvitation,
  type InvitationRow,
  insertInvitation,
  takeInvitation,
  voidLinksTo,
} from "../../../sql/identity/invitations.ts";
import {
  findOwnerByEmail,
  findOwnerById,
  insertOwner,
  lockOwnerForShare,
} from "../../../sql/identity/owners.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import { isEmailBlocked, mayMailTo, toMailbox } from "./mailbox.ts";

/** The address of a link that leads on to a path of ours. */
export function withNext(url: string, next: string | null): string {
  return next === null ? url : `${url}?next=${encodeURIComponent(next)}`;
}

/**
 * Mails an address without an account a link that opens one, where anybody may sign up. Nothing happens for a blocked
 * address, over the mails that its mailbox gets a day, and where `mayAsk` says that the caller asked too often.
 */
export async function mailSignUpLink(
  deps: Deps,
  to: string,
  next: string | null,
  mayAsk: () => Promise<boolean>,
): Promise<void> {
  if (deps.config.signUp !== "open" || !(await mayAsk())) return;
  const secret = makeLinkSecret();
  const nowMs = deps.now();
  const isMailed = await deps.pool.transaction(async (tx) => {
    if (!(await mayMailTo(tx, deps, to))) return false;
    await insertInvitation(tx, {
      ...{ id: deps.newId(), owner_id: null, email: to, mailbox: toMailbox(to) },
      ...{ secret_hash: hashSecret(secret), created_at: nowMs, expires_at: nowMs + HOUR_MS },
    });
    return true;
  });
  if (!isMailed) return;
  const text =
    "Somebody asked to sign in to Broadsheet with this address, which has no account yet. If it was you, open this link and press the button on its page: it opens your account and signs you in. It works once, within an hour.\n\nIf it was not you, do nothing. Without the button no account is opened, and the service forgets the address.";
  const link = withNext(addressesOf(deps.config.siteUrl).signIn(secret), next);
  await deps.mailer.send({ to, subject: "Open your account at Broadsheet", text, link });
}

/**
 * The invitation that a link leads to, where it may open an account now: sign-up is not closed, or open where nobody
 * invited, who invited is no suspended owner, and the address is not blocked.
 */
export async function findSignUp(deps: Deps, db: Db, secretHash: string): Promise<InvitationRow | null> {
  const found = await findOpenInvitation(db, secretHash, deps.now());
  if (found === null || (await isEmailBlocked(deps, found.email, db))) return null;
  if (found.owner_id === null) return deps.config.signUp === "open" ? found : null;
  if (deps.config.signUp === "closed") return null;
  return (await findOwnerById(db, found.owner_id))?.status === "active" ? found : null;
}

/**
 * Uses an invitation up and returns the id of the owner of its address, whose account it opens where there is none.
 * Null for a link that leads to none.
 */
export async function signUp(
  tx: Tx,
  deps: Deps,
  secretHash: string,
  requestId: string,
): Promise<string | null> {
  const nowMs = deps.now();
  const known = await findOpenInvitation(tx, secretHash, nowMs);
  if (known === null) return null;
  // The inviter stays as it is until the account is open; then one account a mailbox is opened at a time.
  if (known.owner_id !== null) await lockOwnerForShare(tx, known.owner_id);
  await lockName(tx, `mailbox:${known.mailbox}`);
  const invitation = await findSignUp(deps, tx, secretHash);
  if (invitation === null || !(await takeInvitation(tx, secretHash, nowMs))) return null;
  const { id, email, owner_id: invitedBy } = invitation;
  await voidLinksTo(tx, email);
  const opened = await insertOwner(tx, { id: deps.newId(), email, alias: null, nowMs });
  if (opened === null) return (await findOwnerByEmail(tx, email))?.id ?? null;
  const detail: Record<string, string> = invitedBy === null ? { sign_up: "open" } : { invitation: id };
  const act = makeAct("owner", opened.id, "owner.create", { detail });
  await recordAct(tx, ownerActor(opened.id, requestId), act, nowMs);
  return opened.id;
}
