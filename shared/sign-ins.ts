import { findOwnerByEmail, findOwnerById, insertOwner, type OwnerRow } from "../sql/owners.ts";
import { UniqueIntegrityConstraintViolationError } from "../sql/pool.ts";
import {
  findOpenSession,
  insertSession,
  insertSignInLink,
  isSignInLinkOpen,
  revokeSession,
  takeSignInLink,
} from "../sql/sign-ins.ts";
import { addressesOf } from "./addresses.ts";
import { type Actor, ownerActor, recordAct } from "./audit.ts";
import { countCodePoints, findSingleLineFault } from "./core/text.ts";
import type { Deps } from "./deps.ts";
import { notFound, validationFailed } from "./errors.ts";
import { sendMail } from "./mail.ts";
import { DAY_MS, HOUR_MS, toIso } from "./times.ts";
import { hashSecret, makeLinkSecret } from "./tokens.ts";

const LINK_HOURS = 1;
const SESSION_DAYS = 30;
const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\]]+$/;

/** Makes an owner's account; the e-mail address is its name for signing in. */
export async function createOwner(deps: Deps, actor: Actor, wanted: { email: string; alias: string | null }) {
  const email = readEmail(wanted.email);
  const alias = wanted.alias === null ? null : readAlias(wanted.alias);
  const nowMs = deps.now();
  try {
    const owner = await deps.pool.transaction(async (tx) => {
      const row = await insertOwner(tx, { id: deps.newId(), email, alias, nowMs });
      const act = { action: "owner.create", subjectKind: "owner", subjectId: row.id, agentId: null };
      await recordAct(tx, actor, act, nowMs);
      return row;
    });
    return { owner_id: owner.id, email: owner.email, alias: owner.alias };
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw validationFailed(
      error.constraint === "owners_alias_key"
        ? { alias: ["This alias is taken; choose another one."] }
        : { email: ["There is an owner with this e-mail address already."] },
    );
  }
}

/** Makes a link that signs an owner in once within an hour. */
export async function makeSignInLink(deps: Deps, actor: Actor, email: string) {
  const owner = await findOwnerByEmail(deps.pool, readEmail(email));
  if (owner === null || owner.status === "left") throw notFound("owner with this e-mail address");
  const secret = makeLinkSecret();
  const nowMs = deps.now();
  const expiresMs = nowMs + LINK_HOURS * HOUR_MS;
  await deps.pool.transaction(async (tx) => {
    await insertSignInLink(tx, { secretHash: hashSecret(secret), ownerId: owner.id, nowMs, expiresMs });
    const act = { action: "owner.sign_in_link", subjectKind: "owner", subjectId: owner.id, agentId: null };
    await recordAct(tx, actor, act, nowMs);
  });
  return { url: addressesOf(deps.config.siteUrl).signIn(secret), expires_at: toIso(expiresMs) };
}

/** Sends a sign-in link to an owner's address; for an address without an account nothing happens, unseen. */
export async function mailSignInLink(deps: Deps, email: string): Promise<void> {
  const to = readEmail(email);
  const owner = await findOwnerByEmail(deps.pool, to);
  if (owner === null || owner.status === "left") return;
  const { url } = await makeSignInLink(deps, ownerActor(owner.id, null), to);
  const text = "Open this link to sign in to Broadsheet. It works once, within an hour.";
  await sendMail(deps, { to, subject: "Sign in to Broadsheet", text, link: url });
}

/** Whether a link can still sign somebody in; looking at it uses nothing up. */
export async function isLinkOpen(deps: Deps, secret: string): Promise<boolean> {
  return await isSignInLinkOpen(deps.pool, hashSecret(secret), deps.now());
}

/** Uses a link up and opens a session; throws `not_found` for a used, expired or unknown link. */
export async function signIn(
  deps: Deps,
  secret: string,
  requestId: string,
): Promise<{ sessionSecret: string; expiresMs: number }> {
  const sessionSecret = makeLinkSecret();
  const nowMs = deps.now();
  const expiresMs = nowMs + SESSION_DAYS * DAY_MS;
  await deps.pool.transaction(async (tx) => {
    const ownerId = await takeSignInLink(tx, hashSecret(secret), nowMs);
    const owner = ownerId === null ? null : await findOwnerById(tx, ownerId);
    if (ownerId === null || owner?.status === "left") throw notFound("open sign-in link");
    const id = deps.newId();
    await insertSession(tx, { id, ownerId, secretHash: hashSecret(sessionSecret), nowMs, expiresMs });
    const act = { action: "owner.sign_in", subjectKind: "session", subjectId: id, agentId: null };
    await recordAct(tx, ownerActor(ownerId, requestId), act, nowMs);
  });
  return { sessionSecret, expiresMs };
}

/** A signed-in owner, with the session that says so. */
export interface SignedIn {
  owner: OwnerRow;
  sessionId: string;
}

/** The owner behind a session cookie's secret, or null. */
export async function findSignedIn(deps: Deps, sessionSecret: string | undefined): Promise<SignedIn | null> {
  if (sessionSecret === undefined || !/^[\w-]{43}$/.test(sessionSecret)) return null;
  const session = await findOpenSession(deps.pool, hashSecret(sessionSecret), deps.now());
  const owner = session && (await findOwnerById(deps.pool, session.owner_id));
  if (!session || !owner || owner.status === "left") return null;
  return { owner, sessionId: session.id };
}

/** Ends a session at once. */
export async function signOut(deps: Deps, signedIn: SignedIn, requestId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await revokeSession(tx, signedIn.sessionId, deps.now());
    const subject = { subjectKind: "session", subjectId: signedIn.sessionId, agentId: null };
    const actor = ownerActor(signedIn.owner.id, requestId);
    await recordAct(tx, actor, { action: "owner.sign_out", ...subject }, deps.now());
  });
}

function readEmail(given: string): string {
  const email = given.trim().toLowerCase();
  if (!EMAIL.test(email) || countCodePoints(email) > 254) {
    throw validationFailed({ email: ["The email must be an address such as nora@example.org."] });
  }
  return email;
}

function readAlias(given: string): string {
  const alias = given.trim();
  const fault = findSingleLineFault(alias);
  if (fault !== null) throw validationFailed({ alias: [`The alias ${fault}.`] });
  const length = countCodePoints(alias);
  if (length < 1 || length > 40)
    throw validationFailed({ alias: ["The alias must have 1 to 40 characters."] });
  return alias;
}
