import { z } from "zod";
import { endOf, holds, type ListFilter, type ListPart, same } from "../care/listing-conditions.ts";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

const InvitationRow = z.strictObject({
  id: z.string(),
  owner_id: z.string().nullable(),
  email: z.string(),
  mailbox: z.string(),
});
export type InvitationRow = z.infer<typeof InvitationRow>;

const columns = sql.fragment`i.id, i.owner_id, i.email, i.mailbox`;

/** The condition of an invitation that nobody has used or withdrawn and whose time is not over. */
function isOpen(nowMs: number) {
  return sql.fragment`i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${at(nowMs)}`;
}

/** Adds an invitation; without a secret no link leads to it. */
export async function insertInvitation(
  tx: Tx,
  invitation: InvitationRow & { secret_hash: string | null; created_at: number; expires_at: number },
): Promise<void> {
  const { id, owner_id, email, mailbox, secret_hash, created_at, expires_at } = invitation;
  await tx.query(command`
    INSERT INTO invitations (id, owner_id, email, mailbox, secret_hash, created_at, expires_at)
    VALUES (${id}, ${owner_id}, ${email}, ${mailbox}, ${secret_hash}, ${at(created_at)}, ${at(expires_at)})`);
}

/** How many links were mailed to a mailbox since a timestamp. */
export async function countMailedTo(db: Db, mailbox: string, sinceMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM invitations
    WHERE mailbox = ${mailbox} AND created_at > ${at(sinceMs)} AND secret_hash IS NOT NULL`);
}

/** How many invitations an owner sent since a timestamp, whatever became of them. */
export async function countInvitationsOf(db: Db, ownerId: string, sinceMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM invitations WHERE owner_id = ${ownerId} AND created_at > ${at(sinceMs)}`);
}

/** Whether an owner has an open invitation to an address. */
export async function hasOpenInvitationTo(db: Db, ownerId: string, email: string, nowMs: number) {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM invitations i WHERE i.owner_id = ${ownerId} AND i.email = ${email} AND ${isOpen(nowMs)}`);
}

/** The open invitation that a link leads to; the read does not use it up. */
export async function findOpenInvitation(db: Db, secretHash: string, nowMs: number) {
  return await db.maybeOne(sql.type(InvitationRow)`
    SELECT ${columns} FROM invitations i WHERE i.secret_hash = ${secretHash} AND ${isOpen(nowMs)}`);
}

/** Uses an open invitation up; false where somebody else did, or where it ended meanwhile. */
export async function takeInvitation(tx: Tx, secretHash: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE invitations i SET used_at = ${at(nowMs)} WHERE i.secret_hash = ${secretHash} AND ${isOpen(nowMs)}`);
  return rowCount > 0;
}

/** Withdraws an open invitation, of one owner where one is named; null where there is no such. */
export async function revokeInvitation(tx: Tx, of: { id: string; ownerId: string | null }, nowMs: number) {
  const owner = of.ownerId === null ? sql.fragment`true` : sql.fragment`i.owner_id = ${of.ownerId}`;
  return await tx.maybeOne(sql.type(InvitationRow)`
    UPDATE invitations i SET revoked_at = ${at(nowMs)}
    WHERE i.id = ${of.id} AND ${owner} AND ${isOpen(nowMs)} RETURNING ${columns}`);
}

/** Voids every link that was mailed to an address; who invited it sees no change. */
export async function voidLinksTo(tx: Tx, email: string): Promise<void> {
  await tx.query(command`
    UPDATE invitations SET secret_hash = NULL WHERE email = ${email} AND secret_hash IS NOT NULL`);
}

/** Deletes the invitations that an owner sent, and those to the owner's address. */
export async function deleteInvitationsOf(tx: Tx, ownerId: string): Promise<void> {
  await tx.query(command`
    DELETE FROM invitations
    WHERE owner_id = ${ownerId} OR email = (SELECT email FROM owners WHERE id = ${ownerId})`);
}

const InvitationEntry = z.strictObject({
  id: z.string(),
  state: z.enum(["open", "used", "revoked", "expired"]),
  email: z.string(),
  owner_email: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Timestamp.nullable(),
});
export type InvitationEntry = z.infer<typeof InvitationEntry>;

/** Invitations without their secrets; `owner_email` is null where the person asked. */
export async function listInvitations(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.revoked_at IS NOT NULL THEN 'revoked'
    WHEN i.expires_at <= ${at(part.nowMs)} THEN 'expired' ELSE 'open' END`;
  const texts = [sql.fragment`i.email`, sql.fragment`o.email`];
  return await db.any(sql.type(InvitationEntry)`
    SELECT i.id, ${state} AS state, i.email, o.email AS owner_email, i.created_at, i.expires_at, i.used_at
    FROM invitations i LEFT JOIN owners o ON o.id = i.owner_id
    WHERE ${same(sql.fragment`i.owner_id`, filter.ownerId)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`i.id`, texts)} ${endOf(sql.fragment`i.id`, filter, part)}`);
}
