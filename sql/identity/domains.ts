import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";

export const ProofMethod = z.enum(["dns", "file"]);
export type ProofMethod = z.infer<typeof ProofMethod>;

export const DomainRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  domain: z.string(),
  token: z.string(),
  created_at: Timestamp,
  verified_at: Timestamp.nullable(),
  verified_by: ProofMethod.nullable(),
  checked_at: Timestamp.nullable(),
  failures: z.number(),
  shown: z.boolean(),
});
export type DomainRow = z.infer<typeof DomainRow>;

const columns = sql.fragment`
  d.id, d.owner_id, d.domain, d.token, d.created_at, d.verified_at, d.verified_by, d.checked_at, d.failures, d.shown`;

/** Adds a domain of an owner. */
export async function insertDomain(
  tx: Tx,
  domain: { id: string; ownerId: string; domain: string; token: string; nowMs: number },
): Promise<DomainRow> {
  return await tx.one(sql.type(DomainRow)`
    INSERT INTO domains AS d (id, owner_id, domain, token, created_at)
    VALUES (${domain.id}, ${domain.ownerId}, ${domain.domain}, ${domain.token}, ${at(domain.nowMs)})
    RETURNING ${columns}`);
}

/** An owner's domains in the order in which they were added. */
export async function listDomainsOf(db: Db, ownerId: string): Promise<readonly DomainRow[]> {
  return await db.any(sql.type(DomainRow)`
    SELECT ${columns} FROM domains d WHERE d.owner_id = ${ownerId} ORDER BY d.created_at, d.id`);
}

/** A domain of this owner by its id. */
export async function findDomainOf(db: Db, ownerId: string, id: string): Promise<DomainRow | null> {
  return await db.maybeOne(sql.type(DomainRow)`
    SELECT ${columns} FROM domains d WHERE d.id = ${id} AND d.owner_id = ${ownerId}`);
}

/** Deletes a domain. */
export async function deleteDomain(tx: Tx, id: string): Promise<void> {
  await tx.query(command`DELETE FROM domains WHERE id = ${id}`);
}

/** Saves the result of a check: a proof counts at once, a missing one only after too many failures. */
export async function saveDomainCheck(
  tx: Tx,
  check: { id: string; found: ProofMethod | null; mostFailures: number; nowMs: number },
): Promise<DomainRow | null> {
  if (check.found !== null) {
    return await tx.maybeOne(sql.type(DomainRow)`
      UPDATE domains AS d SET verified_at = coalesce(d.verified_at, ${at(check.nowMs)}), verified_by = ${check.found},
        checked_at = ${at(check.nowMs)}, failures = 0
      WHERE d.id = ${check.id} RETURNING ${columns}`);
  }
  return await tx.maybeOne(sql.type(DomainRow)`
    UPDATE domains AS d SET failures = d.failures + 1, checked_at = ${at(check.nowMs)},
      verified_at = CASE WHEN d.failures + 1 < ${check.mostFailures} THEN d.verified_at END,
      verified_by = CASE WHEN d.failures + 1 < ${check.mostFailures} THEN d.verified_by END,
      shown = d.shown AND d.failures + 1 < ${check.mostFailures}
    WHERE d.id = ${check.id} RETURNING ${columns}`);
}

/** Shows one domain of an owner; null shows none. */
export async function updateShownDomain(tx: Tx, ownerId: string, id: string | null): Promise<void> {
  await tx.query(command`UPDATE domains SET shown = false WHERE owner_id = ${ownerId} AND shown`);
  if (id === null) return;
  await tx.query(command`
    UPDATE domains SET shown = true WHERE id = ${id} AND owner_id = ${ownerId} AND verified_at IS NOT NULL`);
}

/** Claims verified domains that were last checked before a timestamp; no two processes claim the same. */
export async function takeDomainsToRecheck(tx: Tx, of: { beforeMs: number; nowMs: number; limit: number }) {
  return await tx.any(sql.type(DomainRow)`
    UPDATE domains AS d SET checked_at = ${at(of.nowMs)} WHERE d.id IN (
      SELECT id FROM domains WHERE verified_at IS NOT NULL AND checked_at <= ${at(of.beforeMs)}
      ORDER BY checked_at LIMIT ${of.limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING ${columns}`);
}

/** The domain that an owner shows, or null. */
export async function findShownDomain(db: Db, ownerId: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ domain: z.string() }))`
    SELECT domain FROM domains WHERE owner_id = ${ownerId} AND shown`);
}
