import type { Tx } from "../../../sql/connection/pool.ts";
import { findOwnerById, lockOwner, type OwnerRow } from "../../../sql/identity/owners.ts";
import {
  endSignIns,
  findOpenSession,
  insertSession,
  listOpenSessions,
  revokeSessionOf,
  type SessionRow,
  touchSession,
} from "../../../sql/identity/sign-ins.ts";
import { notFound } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { DAY_MS, MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";

const SESSION_DAYS = 30;
const TOUCH_MS = 5 * MINUTE_MS;

/** The device that a person signs in from, as the request describes it. */
export interface Device {
  requestId: string;
  address: string;
  userAgent: string | null;
}

/** A new session; its secret goes into the cookie and is not stored. */
export type OpenedSession = Awaited<ReturnType<typeof openSession>>;

/** A signed-in owner with the session. */
export interface SignedIn {
  owner: OwnerRow;
  sessionId: string;
}

/** Opens a session of thirty days in the transaction that proved who signs in. */
export async function openSession(
  tx: Tx,
  deps: Deps,
  ownerId: string,
  method: SessionRow["method"],
  device: Device,
) {
  const sessionSecret = makeLinkSecret();
  const nowMs = deps.now();
  const expiresMs = nowMs + SESSION_DAYS * DAY_MS;
  const id = deps.newId();
  await insertSession(tx, {
    ...{ id, owner_id: ownerId, secret_hash: hashSecret(sessionSecret), method },
    ...{ user_agent: device.userAgent, address: device.address, created_at: nowMs, expires_at: expiresMs },
  });
  const act = makeAct("session", id, "owner.sign_in", { detail: { method } });
  await recordAct(tx, ownerActor(ownerId, device.requestId), act, nowMs);
  return { sessionSecret, expiresMs };
}

/** The owner behind a session cookie's secret, or null. */
export async function findSignedIn(deps: Deps, sessionSecret: string | undefined): Promise<SignedIn | null> {
  if (sessionSecret === undefined || !/^[\w-]{43}$/.test(sessionSecret)) return null;
  const nowMs = deps.now();
  const session = await findOpenSession(deps.pool, hashSecret(sessionSecret), nowMs);
  const owner = session && (await findOwnerById(deps.pool, session.owner_id));
  if (!session || !owner || owner.status === "left") return null;
  if (nowMs - (session.last_used_at ?? session.created_at) > TOUCH_MS) {
    await touchSession(deps.pool, session.id, nowMs);
  }
  return { owner, sessionId: session.id };
}

/** The owner's open sessions for the account page. */
export async function listSessions(deps: Deps, { owner, sessionId }: SignedIn) {
  const rows = await listOpenSessions(deps.pool, owner.id, deps.now());
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    ...presentSession(row),
  }));
}

/** Where and when a session was opened, as its owner sees it. */
export function presentSession(row: SessionRow) {
  return presentMembers(row, "method", "user_agent", "address", "created_at", "last_used_at", "expires_at");
}

/** Ends one session of the owner at once; throws `not_found` for another owner's. */
export async function endSession(deps: Deps, who: SignedIn, id: string, requestId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    if (!(await revokeSessionOf(tx, who.owner.id, id, nowMs))) throw notFound("session");
    await recordAct(tx, ownerActor(who.owner.id, requestId), makeAct("session", id, "owner.sign_out"), nowMs);
  });
}

/** Signs the owner out everywhere, here too, and voids every pending sign-in link. */
export async function endAllSessions(deps: Deps, who: SignedIn, requestId: string): Promise<void> {
  const nowMs = deps.now();
  const { id } = who.owner;
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, id);
    await endSignIns(tx, id, null, nowMs);
    await recordAct(tx, ownerActor(id, requestId), makeAct("owner", id, "owner.sign_out_everywhere"), nowMs);
  });
}
