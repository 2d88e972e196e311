import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Db } from "../../../sql/connection/pool.ts";
import { findOwnerById, lockOwner } from "../../../sql/identity/owners.ts";
import {
  deletePasskey,
  findPasskeyByCredential,
  insertChallenge,
  insertPasskey,
  listPasskeysOfOwner,
  markPasskeyUsed,
  type PasskeyRow,
  renamePasskey,
  takeChallenge,
} from "../../../sql/identity/passkeys.ts";
import { notFound, refuse, refuseField } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Config } from "../../platform/config.ts";
import type { Deps } from "../../platform/deps.ts";
import { makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { makeLinkSecret } from "../credentials/tokens.ts";
import { readName } from "./owner-fields.ts";
import { type Device, type OpenedSession, openSession, type SignedIn } from "./sessions.ts";

const CHALLENGE_MINUTES = 5;
const MOST_PASSKEYS = 20;

/** Loads the library with the first passkey: it takes 137 ms of a start. */
const loadLibrary = () => import("@simplewebauthn/server");

/**
 * The relying party of passkeys, from SITE_URL; null where its host is an IP address, which cannot be one.
 */
export function relyingPartyOf(config: Config): { id: string; origin: string } | null {
  const { hostname, origin } = new URL(config.siteUrl);
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return isAddress ? null : { id: hostname, origin };
}

/**
 * The options with which the owner's browser creates a passkey; the challenge is valid once, for five
 * minutes.
 */
export async function startPasskey(deps: Deps, { owner }: SignedIn) {
  const party = getParty(deps);
  const known = await listPasskeysWithRoom(deps.pool, owner.id);
  const { generateRegistrationOptions } = await loadLibrary();
  return await generateRegistrationOptions({
    rpName: "Broadsheet",
    rpID: party.id,
    userName: owner.email,
    userDisplayName: owner.alias ?? owner.email,
    userID: new TextEncoder().encode(owner.id),
    challenge: await makeChallenge(deps, owner.id),
    attestationType: "none",
    excludeCredentials: known.map((passkey) => ({
      id: passkey.credential_id,
      transports: passkey.transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The passkeys of an account that may have one more; throws 422 for one that may not. */
async function listPasskeysWithRoom(db: Db, ownerId: string): Promise<readonly PasskeyRow[]> {
  const known = await listPasskeysOfOwner(db, ownerId);
  if (known.length < MOST_PASSKEYS) return known;
  throw refuseField("passkey", `An account has at most ${MOST_PASSKEYS} passkeys; remove one.`);
}

/** Stores the passkey that a browser created; throws 422 for a response that does not fit its challenge. */
export async function addPasskey(
  deps: Deps,
  { owner }: SignedIn,
  given: { response: string; name: string },
  requestId: string,
): Promise<void> {
  const party = getParty(deps);
  const name = readName("name", given.name, 80);
  const response = readResponse<RegistrationResponseJSON>(given.response);
  const { verifyRegistrationResponse } = await loadLibrary();
  const credential = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(deps.pool, unwrap(challenge), owner.id, deps.now()),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
  }).then(
    ({ registrationInfo }) => registrationInfo?.credential,
    () => undefined,
  );
  if (credential === undefined) throw notVerified();
  const id = deps.newId();
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, owner.id);
    await listPasskeysWithRoom(tx, owner.id);
    const isNew = await insertPasskey(tx, {
      ...{ id, name, owner_id: owner.id, created_at: deps.now() },
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports ?? [],
    });
    if (!isNew) throw refuseField("passkey", "This passkey is registered already.");
    await recordAct(tx, ownerActor(owner.id, requestId), makeAct("passkey", id, "passkey.add"), deps.now());
  });
  const text = `A passkey named “${name}” can sign in to your account at Broadsheet from now on. If you did not add it, open this page, remove it, and sign out everywhere.`;
  const link = `${deps.config.siteUrl}/console/account`;
  const subject = "A new passkey for your account at Broadsheet";
  await deps.mailer.send({ to: owner.email, subject, text, link });
}

/** The options with which a browser signs in by passkey; they do not reveal who has one. */
export async function startPasskeySignIn(deps: Deps) {
  const party = getParty(deps);
  const challenge = await makeChallenge(deps, null);
  const { generateAuthenticationOptions } = await loadLibrary();
  return await generateAuthenticationOptions({ rpID: party.id, challenge, userVerification: "required" });
}

/**
 * Opens a session for the owner of the passkey that responded; throws 422 for any response that does not fit.
 */
export async function signInByPasskey(deps: Deps, given: string, device: Device): Promise<OpenedSession> {
  const party = getParty(deps);
  const response = readResponse<AuthenticationResponseJSON>(given);
  const passkey = await findPasskeyByCredential(deps.pool, response.id);
  const counter = passkey && (await verify(deps, party, passkey, response));
  if (passkey === null || counter === null) throw notVerified();
  return await deps.pool.transaction(async (tx) => {
    const owner = await findOwnerById(tx, passkey.owner_id);
    if (owner === null || owner.status === "left") throw notVerified();
    await markPasskeyUsed(tx, passkey.id, counter, deps.now());
    return await openSession(tx, deps, owner.id, "passkey", device);
  });
}

/** The new counter of a response that fits its challenge and key, or null. */
async function verify(
  deps: Deps,
  party: { id: string; origin: string },
  passkey: PasskeyRow,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(deps.pool, unwrap(challenge), null, deps.now()),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** The owner's passkeys for the account page. */
export async function listPasskeys(deps: Deps, ownerId: string) {
  const rows = await listPasskeysOfOwner(deps.pool, ownerId);
  return rows.map((row) => presentMembers(row, "id", "name", "created_at", "last_used_at"));
}

/** Gives a passkey another name; throws `not_found` for another owner's. */
export async function namePasskey(
  deps: Deps,
  { owner }: SignedIn,
  id: string,
  given: string,
  requestId: string,
) {
  const name = readName("name", given, 80);
  await deps.pool.transaction(async (tx) => {
    if (!(await renamePasskey(tx, owner.id, id, name))) throw notFound("passkey");
    const act = makeAct("passkey", id, "passkey.rename");
    await recordAct(tx, ownerActor(owner.id, requestId), act, deps.now());
  });
}

/** Removes a passkey, which signs nobody in any more; throws `not_found` for another owner's. */
export async function removePasskey(deps: Deps, { owner }: SignedIn, id: string, requestId: string) {
  await deps.pool.transaction(async (tx) => {
    if (!(await deletePasskey(tx, owner.id, id))) throw notFound("passkey");
    const act = makeAct("passkey", id, "passkey.remove");
    await recordAct(tx, ownerActor(owner.id, requestId), act, deps.now());
  });
}

function getParty(deps: Deps) {
  const party = relyingPartyOf(deps.config);
  if (party === null) throw notFound("passkey sign-in: the site's address is an IP address");
  return party;
}

/** The library encodes a challenge given as text, so the response holds our text encoded once more. */
async function makeChallenge(deps: Deps, ownerId: string | null): Promise<string> {
  const challenge = makeLinkSecret();
  const expiresMs = deps.now() + CHALLENGE_MINUTES * MINUTE_MS;
  await insertChallenge(deps.pool, { challenge, ownerId, expiresMs });
  return challenge;
}

function unwrap(challenge: string): string {
  return Buffer.from(challenge, "base64url").toString("utf8");
}

function readResponse<Response extends { id: string }>(text: string): Response {
  try {
    const value = JSON.parse(text) as Response | null;
    if (typeof value === "object" && value !== null && typeof value.id === "string") return value;
  } catch {
    // Not JSON: refused like every other response that does not fit.
  }
  throw notVerified();
}

function notVerified() {
  return refuse(
    "validation_failed",
    "The passkey could not be verified.",
    "Try again, or ask for a link by mail instead.",
  );
}
