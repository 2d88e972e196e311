import { z } from "zod";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

/** Limits of one agent or owner by name, in place of the service's; null where there are none. */
export const OwnLimits = z.record(z.string(), z.number()).nullable();
export type OwnLimits = z.infer<typeof OwnLimits>;

/** Replaces the limits of one agent or owner. */
export async function updateOwnLimits(tx: Tx, table: "agents" | "owners", id: string, limits: OwnLimits) {
  const value = limits === null ? sql.fragment`NULL` : sql.fragment`${sql.jsonb(limits)}`;
  await tx.query(command`UPDATE ${sql.identifier([table])} SET own_limits = ${value} WHERE id = ${id}`);
}

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

/** Adds an owner unless the address has one; null where it has. */
export async function insertOwner(
  tx: Tx,
  owner: { id: string; email: string; alias: string | null; nowMs: number },
): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    INSERT INTO owners (id, email, alias, created_at)
    VALUES (${owner.id}, ${owner.email}, ${owner.alias}, ${at(owner.nowMs)})
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

/** When the first of the owners came; null where there is none. */
export async function findFirstOwnerAt(db: Db): Promise<number | null> {
  return await db.oneFirst(sql.type(z.strictObject({ at: Timestamp.nullable() }))`
    SELECT min(created_at) AS at FROM owners`);
}

/** Locks the owner's row against changes of its status until the transaction ends. */
export async function lockOwnerForShare(tx: Tx, id: string): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`SELECT ${columns} FROM owners WHERE id = ${id} FOR SHARE`);
}

/** Changes columns of an owner; returns the row as it is afterwards, null where there is none. */
export async function updateOwner(
  tx: Tx,
  id: string,
  changes: Partial<Pick<OwnerRow, "email" | "alias" | "show_alias" | "moderator" | "status">>,
): Promise<OwnerRow | null> {
  const set = Object.entries(changes).map(
    ([name, value]) => sql.fragment`${sql.identifier([name])} = ${value}`,
  );
  return await tx.maybeOne(sql.type(OwnerRow)`
    UPDATE owners SET ${sql.join(set, sql.fragment`, `)} WHERE id = ${id} RETURNING ${columns}`);
}

/** Locks the owner's row against other changes until the transaction ends. */
export async function lockOwner(tx: Tx, id: string): Promise<OwnerRow | null> {
  return await tx.maybeOne(sql.type(OwnerRow)`
    SELECT ${columns} FROM owners WHERE id = ${id} FOR NO KEY UPDATE`);
}

const EmailChangeRow = z.strictObject({ owner_id: z.string(), email: z.string() });

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
export async function findOpenEmailChange(db: Db, secretHash: string, nowMs: number) {
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
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM email_changes WHERE owner_id = ${ownerId} AND created_at > ${at(sinceMs)}`);
}

/** Counts what an owner asked the service to send or to check; returns the count since a timestamp, this one included. */
export async function countAsk(
  tx: Tx,
  table: "domain_checks" | "webhook_asks",
  ownerId: string,
  of: { nowMs: number; sinceMs: number },
): Promise<number> {
  const asks = sql.identifier([table]);
  await tx.query(command`DELETE FROM ${asks} WHERE owner_id = ${ownerId} AND at <= ${at(of.sinceMs)}`);
  await tx.query(command`INSERT INTO ${asks} (owner_id, at) VALUES (${ownerId}, ${at(of.nowMs)})`);
  return await tx.oneFirst(sql.type(Count)`
    SELECT count(*) FROM ${asks} WHERE owner_id = ${ownerId}`);
}
