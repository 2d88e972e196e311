import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

export const EnrollmentRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  handle: z.string().nullable(),
  abilities: z.array(z.string()),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Timestamp.nullable(),
  consumed_at: Timestamp.nullable(),
  agent_id: z.string().nullable(),
});
export type EnrollmentRow = z.infer<typeof EnrollmentRow>;

const columns = sql.fragment`
  id, owner_id, handle, abilities, created_at, expires_at, revoked_at, consumed_at, agent_id`;

/** Adds an enrolment. */
export async function insertEnrollment(
  tx: Tx,
  enrollment: Omit<EnrollmentRow, "revoked_at" | "consumed_at"> & { code_hash: string },
): Promise<EnrollmentRow> {
  return await tx.one(sql.type(EnrollmentRow)`
    INSERT INTO enrollments (id, owner_id, code_hash, handle, abilities, agent_id, created_at, expires_at)
    VALUES (${enrollment.id}, ${enrollment.owner_id}, ${enrollment.code_hash}, ${enrollment.handle},
      ${texts(enrollment.abilities)}, ${enrollment.agent_id}, ${at(enrollment.created_at)},
      ${at(enrollment.expires_at)})
    RETURNING ${columns}`);
}

/** An enrolment by the hash of its code. */
export async function findEnrollmentByCodeHash(db: Db, codeHash: string): Promise<EnrollmentRow | null> {
  return await db.maybeOne(sql.type(EnrollmentRow)`
    SELECT ${columns} FROM enrollments WHERE code_hash = ${codeHash}`);
}

/** Locks an enrolment, so that one redeemer goes first and the others see the result. */
export async function lockEnrollment(tx: Tx, id: string): Promise<EnrollmentRow | null> {
  return await tx.maybeOne(sql.type(EnrollmentRow)`
    SELECT ${columns} FROM enrollments WHERE id = ${id} FOR UPDATE`);
}

/** Marks an enrolment as redeemed for an agent. */
export async function consumeEnrollment(tx: Tx, id: string, agentId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE enrollments SET consumed_at = ${at(nowMs)}, agent_id = ${agentId}
    WHERE id = ${id} AND consumed_at IS NULL`);
}

/** Revokes an unused enrolment; null where it was used or revoked already. */
export async function revokeOpenEnrollment(tx: Tx, id: string, nowMs: number): Promise<EnrollmentRow | null> {
  return await tx.maybeOne(sql.type(EnrollmentRow)`
    UPDATE enrollments SET revoked_at = ${at(nowMs)}
    WHERE id = ${id} AND consumed_at IS NULL AND revoked_at IS NULL
    RETURNING ${columns}`);
}

/** Whether an owner ever had a code. */
export async function hasAnyEnrollment(db: Db, ownerId: string): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`SELECT 1 FROM enrollments WHERE owner_id = ${ownerId}`);
}

/** An owner's enrolments whose codes can still be redeemed, newest first. */
export async function listOpenEnrollments(db: Db, ownerId: string, nowMs: number) {
  return await db.any(sql.type(EnrollmentRow)`
    SELECT ${columns} FROM enrollments
    WHERE owner_id = ${ownerId} AND consumed_at IS NULL AND revoked_at IS NULL AND expires_at > ${at(nowMs)}
    ORDER BY created_at DESC, id DESC LIMIT 100`);
}

/** Ends the unused codes that would reconnect an agent, when a newer one is issued: only the newest works. */
export async function revokeOpenCodesFor(tx: Tx, agentId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE enrollments SET revoked_at = ${at(nowMs)}
    WHERE agent_id = ${agentId} AND consumed_at IS NULL AND revoked_at IS NULL`);
}

/** A code of this owner; null for another owner's. */
export async function findEnrollmentOfOwner(db: Db, ownerId: string, id: string) {
  return await db.maybeOne(sql.type(EnrollmentRow)`
    SELECT ${columns} FROM enrollments WHERE id = ${id} AND owner_id = ${ownerId}`);
}
