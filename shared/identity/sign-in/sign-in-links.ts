import type { Tx } from "../../../sql/connection/pool.ts";
import { findOwnerByEmail, findOwnerById, insertOwner, lockOwner } from "../../../sql/identity/owners.ts";
import {
  countSignInLinks,
  insertSignInLink,
  isSignInLinkOpen,
  takeSignInLink,
} from "../../../sql/identity/sign-ins.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound, refuseField } from "../../ground/errors.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import { isEmailBlocked, refuseBlockedEmail } from "./mailbox.ts";
import { readAlias, readEmail } from "./owner-fields.ts";
import { type Device, type OpenedSession, openSession } from "./sessions.ts";
import { findSignUp, signUp, withNext } from "./sign-up.ts";

const LINK_HOURS = 1;
/** The most mails to one address in an hour: more would only bury the one that the owner looks for. */
const LINKS_PER_HOUR = 10;

/** Creates an owner's account, which signs in by its e-mail address. */
export async function createOwner(deps: Deps, actor: Actor, wanted: { email: string; alias: string | null }) {
  const email = readEmail(wanted.email);
  const alias = wanted.alias === null ? null : readAlias(wanted.alias);
  await refuseBlockedEmail(deps, email);
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const owner = await insertOwner(tx, { id: deps.newId(), email, alias, nowMs });
    if (owner === null) {
      throw refuseField("email", "There is an owner with this e-mail address already.");
    }
    await recordAct(tx, actor, makeAct("owner", owner.id, "owner.create"), nowMs);
    return { owner_id: owner.id, email: owner.email, alias: owner.alias };
  });
}

/** Creates a link that signs an owner in once within an hour. */
export async function makeSignInLink(deps: Deps, actor: Actor, email: string) {
  const owner = await findOwnerByEmail(deps.pool, readEmail(email));
  if (owner === null || owner.status === "left") throw notFound("owner with this e-mail address");
  await refuseBlockedEmail(deps, owner.email);
  return await deps.pool.transaction((tx) => storeLink(tx, deps, actor, owner.id));
}

async function storeLink(tx: Tx, deps: Deps, actor: Actor, ownerId: string) {
  const secret = makeLinkSecret();
  const nowMs = deps.now();
  const expiresMs = nowMs + LINK_HOURS * HOUR_MS;
  await insertSignInLink(tx, { secretHash: hashSecret(secret), ownerId, nowMs, expiresMs });
  await recordAct(tx, actor, makeAct("owner", ownerId, "owner.sign_in_link"), nowMs);
  return { url: addressesOf(deps.config.siteUrl).signIn(secret), expires_at: toIso(expiresMs) };
}

/**
 * Mails a sign-in link to an address that was read; returns false for one without an account, to which nothing is
 * mailed, as to a blocked one. `next` is the requested path.
 */
export async function mailSignInLink(deps: Deps, to: string, next: string | null): Promise<boolean> {
  const owner = await findOwnerByEmail(deps.pool, to);
  if (owner === null) return false;
  if (owner.status === "left" || (await isEmailBlocked(deps, to))) return true;
  const link = await deps.pool.transaction(async (tx) => {
    // Requests for one address are counted one after the other.
    await lockOwner(tx, owner.id);
    // The answer stays the same: a limit must not reveal whether there is an account.
    if ((await countSignInLinks(tx, owner.id, deps.now() - HOUR_MS)) >= LINKS_PER_HOUR) return null;
    return await storeLink(tx, deps, ownerActor(owner.id, null), owner.id);
  });
  if (link === null) return true;
  const url = withNext(link.url, next);
  const text = "Open this link to sign in to Broadsheet. It works once, within an hour.";
  await deps.mailer.send({ to, subject: "Sign in to Broadsheet", text, link: url, signsIn: true });
  return true;
}

/**
 * What a link still does; the look does not use it up. `invited` is the address that it opens an account for, null
 * where it signs an owner in. Null for a used, expired or unknown link.
 */
export async function findLink(deps: Deps, secret: string): Promise<{ invited: string | null } | null> {
  const secretHash = hashSecret(secret);
  if (await isSignInLinkOpen(deps.pool, secretHash, deps.now())) return { invited: null };
  const found = await findSignUp(deps, deps.pool, secretHash);
  return found && { invited: found.email };
}

/**
 * Uses a link up, opens the account of an invitation, and opens a session; throws `not_found` for a used, expired or
 * unknown link.
 */
export async function signIn(deps: Deps, secret: string, device: Device): Promise<OpenedSession> {
  return await deps.pool.transaction(async (tx) => {
    const secretHash = hashSecret(secret);
    const known = await takeSignInLink(tx, secretHash, deps.now());
    const ownerId = known ?? (await signUp(tx, deps, secretHash, device.requestId));
    const owner = ownerId === null ? null : await findOwnerById(tx, ownerId);
    if (owner === null || owner.status === "left") throw notFound("open sign-in link");
    return await openSession(tx, deps, owner.id, "link", device);
  });
}
