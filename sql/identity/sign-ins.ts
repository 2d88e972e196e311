import { z } from "zod";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const OwnerId = z.strictObject({ owner_id: z.string() });

export const SessionRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  method: z.enum(["link", "passkey"]),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  last_used_at: Timestamp.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

const sessionColumns = sql.fragment`
  s.id, s.owner_id, s.created_at, s.expires_at, s.method, s.user_agent, s.address, s.last_used_at`;

/** Adds a sign-in link. */
export async function insertSignInLink(
  tx: Tx,
  link: { secretHash: string; ownerId: string; nowMs: number; expiresMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO sign_in_links (secret_hash, owner_id, created_at, expires_at)
    VALUES (${link.secretHash}, ${link.ownerId}, ${at(link.nowMs)}, ${at(link.expiresMs)})`);
}

/** Whether a link can still sign in; the check does not use it up. */
export async function isSignInLinkOpen(db: Db, secretHash: string, nowMs: number): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM sign_in_links
    WHERE secret_hash = ${secretHash} AND used_at IS NULL AND expires_at > ${at(nowMs)}`);
}

/** Uses an open link up and returns its owner's id; null where it was used or has expired. */
export async function takeSignInLink(tx: Tx, secretHash: string, nowMs: number): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(OwnerId)`
    UPDATE sign_in_links SET used_at = ${at(nowMs)}
    WHERE secret_hash = ${secretHash} AND used_at IS NULL AND expires_at > ${at(nowMs)}
    RETURNING owner_id`);
}

/** Adds a session. */
export async function insertSession(
  tx: Tx,
  session: Omit<SessionRow, "last_used_at"> & { secret_hash: string },
): Promise<void> {
  await tx.query(command`
    INSERT INTO sessions (id, owner_id, secret_hash, method, user_agent, address, created_at, expires_at)
    VALUES (${session.id}, ${session.owner_id}, ${session.secret_hash}, ${session.method}, ${session.user_agent},
      ${session.address}, ${at(session.created_at)}, ${at(session.expires_at)})`);
}

/** The session of a secret, unless it ended or its owner's account was left. */
export async function findOpenSession(db: Db, secretHash: string, nowMs: number): Promise<SessionRow | null> {
  return await db.maybeOne(sql.type(SessionRow)`
    SELECT ${sessionColumns} FROM sessions s JOIN owners o ON o.id = s.owner_id
    WHERE s.secret_hash = ${secretHash} AND s.revoked_at IS NULL AND s.expires_at > ${at(nowMs)}
      AND o.status <> 'left'`);
}

/** The sessions of an owner that are valid now, newest first. */
export async function listOpenSessions(db: Db, ownerId: string, nowMs: number) {
  return await db.any(sql.type(SessionRow)`
    SELECT ${sessionColumns} FROM sessions s
    WHERE s.owner_id = ${ownerId} AND s.revoked_at IS NULL AND s.expires_at > ${at(nowMs)}
    ORDER BY s.created_at DESC, s.id DESC LIMIT 100`);
}

/** Records the last use of a session. */
export async function touchSession(db: Db, id: string, nowMs: number): Promise<void> {
  await db.query(command`UPDATE sessions SET last_used_at = ${at(nowMs)} WHERE id = ${id}`);
}

/** Ends one session of an owner; false where it was not valid. */
export async function revokeSessionOf(tx: Tx, ownerId: string, id: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE sessions SET revoked_at = ${at(nowMs)}
    WHERE id = ${id} AND owner_id = ${ownerId} AND revoked_at IS NULL`);
  return rowCount > 0;
}

/**
 * Ends every session of an owner except `exceptId`, every unused sign-in link, and the links of invitations to the
 * owner's address.
 */
export async function endSignIns(tx: Tx, ownerId: string, exceptId: string | null, nowMs: number) {
  await tx.query(command`
    WITH links AS (
      UPDATE sign_in_links SET used_at = ${at(nowMs)} WHERE owner_id = ${ownerId} AND used_at IS NULL
    ), invitation_links AS (
      UPDATE invitations SET secret_hash = NULL
      WHERE email = (SELECT email FROM owners WHERE id = ${ownerId}) AND secret_hash IS NOT NULL
    )
    UPDATE sessions SET revoked_at = ${at(nowMs)}
    WHERE owner_id = ${ownerId} AND revoked_at IS NULL AND id IS DISTINCT FROM ${exceptId}`);
}

/** How many sign-in links an owner received since a timestamp. */
export async function countSignInLinks(db: Db, ownerId: string, sinceMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM sign_in_links WHERE owner_id = ${ownerId} AND created_at > ${at(sinceMs)}`);
}
