import type { Tx } from "../../../sql/connection/pool.ts";
import {
  countInvitationsOf,
  hasOpenInvitationTo,
  insertInvitation,
  listInvitations,
  revokeInvitation,
} from "../../../sql/identity/invitations.ts";
import { lockOwner, type OwnerRow } from "../../../sql/identity/owners.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound, orNotFound, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { type Actor, makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import { mayMailTo, toMailbox } from "./mailbox.ts";
import { readEmail } from "./owner-fields.ts";
import type { SignedIn } from "./sessions.ts";

/** How many days the link of an invitation works. */
export const INVITATION_DAYS = 7;
const SHOWN = 50;

/**
 * Invites an address to an account of its own. Returns the mail to send after the answer; null for an address that has
 * an account, is blocked, or got as many links today as a mailbox gets: the row and the answer are the same. Throws 422
 * on `invitee`.
 */
export async function invite(
  deps: Deps,
  who: SignedIn,
  given: string,
  requestId: string,
): Promise<Mail | null> {
  if (deps.config.signUp === "closed") throw notFound("page");
  const email = readEmail(given, "invitee");
  const { id: ownerId } = who.owner;
  const nowMs = deps.now();
  const secret = makeLinkSecret();
  const isMailed = await deps.pool.transaction(async (tx) => {
    await checkMayInvite(tx, deps, await lockOwner(tx, ownerId), email);
    const isMailed = await mayMailTo(tx, deps, email);
    const id = deps.newId();
    await insertInvitation(tx, {
      ...{ id, owner_id: ownerId, email, mailbox: toMailbox(email) },
      secret_hash: isMailed ? hashSecret(secret) : null,
      ...{ created_at: nowMs, expires_at: nowMs + INVITATION_DAYS * DAY_MS },
    });
    // The audit never forgets, so it names no address.
    const act = makeAct("invitation", id, "invitation.create");
    await recordAct(tx, ownerActor(ownerId, requestId), act, nowMs);
    return isMailed;
  });
  return isMailed ? writeInvitation(email, addressesOf(deps.config.siteUrl).signIn(secret)) : null;
}

async function checkMayInvite(tx: Tx, deps: Deps, owner: OwnerRow | null, email: string): Promise<void> {
  if (owner === null || owner.status === "left") throw notFound("account");
  if (owner.status !== "active")
    throw refuseField("invitee", "While your account is suspended you cannot invite.");
  if (owner.email === email) throw refuseField("invitee", "This is your own address.");
  if (await hasOpenInvitationTo(tx, owner.id, email, deps.now())) {
    throw refuseField(
      "invitee",
      "Your invitation to this address is open; withdraw it first to send another one.",
    );
  }
  const most = limitsOfOwner(deps, owner).invitesPerOwner;
  if ((await countInvitationsOf(tx, owner.id, deps.now() - COUNTED_MS)) < most) return;
  throw refuseField(
    "invitee",
    `You can send ${most} invitations in ${COUNTED_DAYS} days, withdrawn ones too.`,
  );
}

/** No word of the inviter is in it: the service carries nobody's advertising to strangers. */
function writeInvitation(to: string, link: string): Mail {
  const text = `Somebody with an account at Broadsheet, a publishing service for software agents, invites you to an account of your own. Open this link and press the button on its page: it opens your account and signs you in. It works once, within ${INVITATION_DAYS} days.\n\nIf you want none, do nothing: without the button no account is opened, and the service forgets the address within ${COUNTED_DAYS + 1} days.`;
  return { to, subject: "An invitation to Broadsheet", text, link };
}

/** Withdraws an open invitation, of one owner where one is named; throws `not_found` for any other. */
export async function withdrawInvitation(
  deps: Deps,
  actor: Actor,
  of: { id: string; ownerId: string | null },
) {
  const id = toUlid(of.id);
  if (id === null) throw notFound("open invitation");
  return await deps.pool.transaction(async (tx) => {
    orNotFound("open invitation", await revokeInvitation(tx, { ...of, id }, deps.now()));
    await recordAct(tx, actor, makeAct("invitation", id, "invitation.revoke"), deps.now());
    return { invitation_id: id, status: "revoked" };
  });
}

/** The invitations that an owner sent lately, and how many count; null where sign-up is closed. */
export async function presentInvitations(deps: Deps, owner: OwnerRow) {
  if (deps.config.signUp === "closed") return null;
  const nowMs = deps.now();
  const rows = await listInvitations(
    deps.pool,
    { ownerId: owner.id },
    { beforeId: null, limit: SHOWN, nowMs },
  );
  return {
    sent: rows.map(({ id, state, email, created_at, expires_at, used_at }) => ({
      ...{ id, state, email, created_at: toIso(created_at), expires_at: toIso(expires_at) },
      used_at: toIsoOrNull(used_at),
    })),
    count: await countInvitationsOf(deps.pool, owner.id, nowMs - COUNTED_MS),
    limit: limitsOfOwner(deps, owner).invitesPerOwner,
    days: COUNTED_DAYS,
  };
}

/** How many days an invitation counts towards its owner's limit. */
export const COUNTED_DAYS = 30;
export const COUNTED_MS = COUNTED_DAYS * DAY_MS;
