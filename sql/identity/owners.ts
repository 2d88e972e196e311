import { z } from "zod";
import { at, command, type Db, type Pool, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { OwnLimits } from "./own-limits.ts";

export const OwnerRow = z.strictObject({
  id: z.string(),
  email: z.string(),
  alias: z.string().nullable(),
  show_alias: z.boolean(),
  moderator: z.boolean(),
  status: z.enum(["active", "suspended", "left"]),
  created_at: Timestamp,
  own_limits: OwnLimits,
});
export type OwnerRow = z.infer<typeof OwnerRow>;

const columns = sql.fragment`id, email, alias, show_alias, moderator, status, created_at, own_limits`;

/** Adds an owner. */
export async function insertOwner(
  tx: Tx,
  owner: { id: string; email: string; alias: string | null; nowMs: number },
): Promise<OwnerRow> {
  return await tx.one(sql.type(OwnerRow)`
    INSERT INTO owners (id, email, alias, created_at)
    VALUES (${owner.id}, ${owner.email}, ${owner.alias}, ${at(owner.nowMs)})
    RETURNING ${columns}`);
}

/** Adds an owner unless the address has one; null where it has. */
export async function insertOwnerOnce(
  tx: Tx,
  owner: { id: string; email: string; nowMs: number },
): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    INSERT INTO owners (id, email, created_at) VALUES (${owner.id}, ${owner.email}, ${at(owner.nowMs)})
    ON CONFLICT (email) DO NOTHING RETURNING ${columns}`);
}

/** An owner by id. */
export async function findOwnerById(db: Db, id: string): Promise<OwnerRow | null> {
  return await db.maybeOne(sql.type(OwnerRow)`SELECT ${columns} FROM owners WHERE id = ${id}`);
}

/** An owner by e-mail address. */
export async function findOwnerByEmail(db: Db, email: string): Promise<OwnerRow | null> {
  return await db.maybeOne(sql.type(OwnerRow)`SELECT ${columns} FROM owners WHERE email = ${email}`);
}

/** Whether there is any owner. */
export async function hasAnyOwner(db: Db): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`SELECT 1 FROM owners`);
}

/** Runs work in one process at a time; the lock of a killed process ends with its connection. */
export async function withFirstStartLock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return await pool.connect(async (connection) => {
    const key = sql.fragment`hashtextextended('first-start', 0)`;
    await connection.query(sql.type(z.unknown())`SELECT pg_advisory_lock(${key})`);
    try {
      return await work();
    } finally {
      await connection.query(sql.type(z.unknown())`SELECT pg_advisory_unlock(${key})`);
    }
  });
}

/** Locks the owner's row against changes of its status until the transaction ends. */
export async function lockOwnerForShare(tx: Tx, id: string): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`SELECT ${columns} FROM owners WHERE id = ${id} FOR SHARE`);
}

/** Sets an owner's status. */
export async function updateOwnerStatus(
  tx: Tx,
  id: string,
  status: OwnerRow["status"],
): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    UPDATE owners SET status = ${status} WHERE id = ${id} RETURNING ${columns}`);
}

/** Makes an owner a moderator or revokes that. */
export async function updateOwnerModerator(tx: Tx, id: string, moderator: boolean): Promise<void> {
  await tx.query(command`UPDATE owners SET moderator = ${moderator} WHERE id = ${id}`);
}

/** Shows or hides an owner's alias. */
export async function updateOwnerShowAlias(tx: Tx, id: string, show: boolean): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    UPDATE owners SET show_alias = ${show} WHERE id = ${id} RETURNING ${columns}`);
}

/** Locks the owner's row against other changes until the transaction ends. */
export async function lockOwner(tx: Tx, id: string): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    SELECT ${columns} FROM owners WHERE id = ${id} FOR NO KEY UPDATE`);
}

/** Changes the name that readers may see, and whether they do. */
export async function updateOwnerAlias(
  tx: Tx,
  id: string,
  alias: string | null,
  shown: boolean,
): Promise<void> {
  await tx.query(command`UPDATE owners SET alias = ${alias}, show_alias = ${shown} WHERE id = ${id}`);
}

/** Sets an owner's e-mail address. */
export async function updateOwnerEmail(tx: Tx, id: string, email: string): Promise<void> {
  await tx.query(command`UPDATE owners SET email = ${email} WHERE id = ${id}`);
}

const EmailChangeRow = z.strictObject({ owner_id: z.string(), email: z.string() });
export type EmailChangeRow = z.infer<typeof EmailChangeRow>;

/** Adds a request for another address; an earlier one of the same owner ends. */
export async function insertEmailChange(
  tx: Tx,
  change: { secretHash: string; ownerId: string; email: string; nowMs: number; expiresMs: number },
): Promise<void> {
  await tx.query(command`
    WITH earlier AS (
      UPDATE email_changes SET used_at = ${at(change.nowMs)} WHERE owner_id = ${change.ownerId} AND used_at IS NULL
    )
    INSERT INTO email_changes (secret_hash, owner_id, email, created_at, expires_at)
    VALUES (${change.secretHash}, ${change.ownerId}, ${change.email}, ${at(change.nowMs)}, ${at(change.expiresMs)})`);
}

/** A change of address that can still be confirmed; the read does not use it up. */
export async function findOpenEmailChange(
  db: Db,
  secretHash: string,
  nowMs: number,
): Promise<EmailChangeRow | null> {
  return await db.maybeOne(sql.type(EmailChangeRow)`
    SELECT owner_id, email FROM email_changes
    WHERE secret_hash = ${secretHash} AND used_at IS NULL AND expires_at > ${at(nowMs)}`);
}

/** Marks a change of address as used. */
export async function takeEmailChange(tx: Tx, secretHash: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE email_changes SET used_at = ${at(nowMs)} WHERE secret_hash = ${secretHash} AND used_at IS NULL`);
}

/** How many changes of address an owner requested since a timestamp. */
export async function countEmailChanges(db: Db, ownerId: string, sinceMs: number): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ count: z.number() }))`
    SELECT count(*) FROM email_changes WHERE owner_id = ${ownerId} AND created_at > ${at(sinceMs)}`);
}
