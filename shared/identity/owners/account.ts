import { UniqueIntegrityConstraintViolationError } from "../../../sql/connection/pool.ts";
import {
  countEmailChanges,
  findOpenEmailChange,
  findOwnerByEmail,
  insertEmailChange,
  lockOwner,
  takeEmailChange,
  updateOwner,
} from "../../../sql/identity/owners.ts";
import { endSignIns } from "../../../sql/identity/sign-ins.ts";
import { notFound, Refusal, refuseField } from "../../ground/errors.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import { isEmailBlocked } from "../sign-in/mailbox.ts";
import { readEmail } from "../sign-in/owner-fields.ts";
import type { SignedIn } from "../sign-in/sessions.ts";

const CHANGES_PER_HOUR = 5;

/**
 * Mails a link to the owner's new address and a notice to the current one. An address that has an account
 * or is blocked gets no link, and the answer is the same, so that nobody learns who has an account.
 */
export async function askEmailChange(deps: Deps, who: SignedIn, given: string, requestId: string) {
  const email = readEmail(given);
  const { id, email: current } = who.owner;
  if (email === current) throw refuseField("email", "This is your address already.");
  const nowMs = deps.now();
  if ((await countEmailChanges(deps.pool, id, nowMs - HOUR_MS)) >= CHANGES_PER_HOUR) {
    throw new Refusal("rate_limited", "You asked for several changes within the hour.", {
      hint: "Try again in an hour.",
      retryAfterSeconds: HOUR_MS / 1000,
    });
  }
  const secret = makeLinkSecret();
  await deps.pool.transaction(async (tx) => {
    const change = { secretHash: hashSecret(secret), ownerId: id, email, nowMs, expiresMs: nowMs + HOUR_MS };
    await insertEmailChange(tx, change);
    await recordAct(tx, ownerActor(id, requestId), makeAct("owner", id, "owner.ask_email"), nowMs);
  });
  const site = deps.config.siteUrl;
  if ((await findOwnerByEmail(deps.pool, email)) === null && !(await isEmailBlocked(deps, email))) {
    const text =
      "Open this link where you are signed in to Broadsheet to use this address from now on. It works once, within an hour. If you did not ask for it, leave it.";
    const subject = "Confirm your new address for Broadsheet";
    await deps.mailer.send({ to: email, subject, text, link: `${site}/console/email/${secret}` });
  }
  const text =
    "Somebody who is signed in to your account at Broadsheet asked to change its address. If it was not you, open this page, sign out everywhere, and look at your passkeys.";
  const subject = "Your address at Broadsheet is about to change";
  await deps.mailer.send({ to: current, subject, text, link: `${site}/console/account` });
}

/**
 * The address that a link would set; throws `not_found` unless the owner who requested it opens it in time.
 */
export async function findEmailChange(deps: Deps, who: SignedIn, secret: string): Promise<string> {
  const change = await findOpenEmailChange(deps.pool, hashSecret(secret), deps.now());
  if (change === null || change.owner_id !== who.owner.id) throw notFound("open change of address");
  return change.email;
}

/** Sets the new address; ends every other session and every pending sign-in link. */
export async function confirmEmailChange(deps: Deps, who: SignedIn, secret: string, requestId: string) {
  const { id } = who.owner;
  const nowMs = deps.now();
  try {
    await deps.pool.transaction(async (tx) => {
      await lockOwner(tx, id);
      const change = await findOpenEmailChange(tx, hashSecret(secret), nowMs);
      if (change === null || change.owner_id !== id) throw notFound("open change of address");
      if (await isEmailBlocked(deps, change.email, tx)) throw refuseAddress();
      await takeEmailChange(tx, hashSecret(secret), nowMs);
      await updateOwner(tx, id, { email: change.email });
      await endSignIns(tx, id, who.sessionId, nowMs);
      await recordAct(tx, ownerActor(id, requestId), makeAct("owner", id, "owner.change_email"), nowMs);
    });
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw refuseAddress();
  }
}

/** The same for an address of another account and for a blocked one. */
function refuseAddress() {
  return refuseField("email", "This address cannot be used; choose another one.");
}
