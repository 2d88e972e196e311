import { z } from "zod";
import { at, command, type Db, Moment, sql, type Tx } from "./pool.ts";

const OwnerId = z.strictObject({ owner_id: z.string() });

export const SessionRow = z.strictObject({ id: z.string(), owner_id: z.string(), expires_at: Moment });
export type SessionRow = z.infer<typeof SessionRow>;

export async function insertSignInLink(
  tx: Tx,
  link: { secretHash: string; ownerId: string; nowMs: number; expiresMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO sign_in_links (secret_hash, owner_id, created_at, expires_at)
    VALUES (${link.secretHash}, ${link.ownerId}, ${at(link.nowMs)}, ${at(link.expiresMs)})`);
}

/** Whether a link can still sign in; looking uses nothing up. */
export async function isSignInLinkOpen(db: Db, secretHash: string, nowMs: number): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM sign_in_links
    WHERE secret_hash = ${secretHash} AND used_at IS NULL AND expires_at > ${at(nowMs)}`);
}

/** Uses an open link up and tells whose it was; null when it was used or has expired. */
export async function takeSignInLink(tx: Tx, secretHash: string, nowMs: number): Promise<string | null> {
  const row = await tx.maybeOne(sql.type(OwnerId)`
    UPDATE sign_in_links SET used_at = ${at(nowMs)}
    WHERE secret_hash = ${secretHash} AND used_at IS NULL AND expires_at > ${at(nowMs)}
    RETURNING owner_id`);
  return row?.owner_id ?? null;
}

export async function insertSession(
  tx: Tx,
  session: { id: string; ownerId: string; secretHash: string; nowMs: number; expiresMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO sessions (id, owner_id, secret_hash, created_at, expires_at)
    VALUES (${session.id}, ${session.ownerId}, ${session.secretHash}, ${at(session.nowMs)}, ${at(session.expiresMs)})`);
}

export async function findOpenSession(db: Db, secretHash: string, nowMs: number): Promise<SessionRow | null> {
  return await db.maybeOne(sql.type(SessionRow)`
    SELECT s.id, s.owner_id, s.expires_at FROM sessions s JOIN owners o ON o.id = s.owner_id
    WHERE s.secret_hash = ${secretHash} AND s.revoked_at IS NULL AND s.expires_at > ${at(nowMs)}
      AND o.status <> 'left'`);
}

export async function revokeSession(tx: Tx, id: string, nowMs: number): Promise<void> {
  await tx.query(
    command`UPDATE sessions SET revoked_at = ${at(nowMs)} WHERE id = ${id} AND revoked_at IS NULL`,
  );
}
