import { z } from "zod";
import { at, atOrNull, type Db, Id, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { endOf, holds, type ListFilter, type ListPart, same } from "./listing-conditions.ts";

export const BlockKind = z.enum(["email_domain", "email", "network"]);
export type BlockKind = z.infer<typeof BlockKind>;

/** The condition of a block that is in force at a time. */
function isInForce(nowMs: number) {
  return sql.fragment`(b.until IS NULL OR b.until > ${at(nowMs)})`;
}

/** What stands for a blocked e-mail address where none may: in the list of removals, and in what a restore makes of that. */
export function hashOf(email: ReturnType<typeof sql.fragment> | string) {
  return sql.fragment`'sha256:' || encode(sha256(convert_to(${email}, 'UTF8')), 'hex')`;
}

/** A network as it is stored: without the bits beyond its prefix. */
export async function writeNetwork(db: Db, address: string, bits: number): Promise<string> {
  const Network = z.strictObject({ network: z.string() });
  return await db.oneFirst(sql.type(Network)`
    SELECT network(set_masklen(${address}::inet, ${bits}))::text AS network`);
}

/** Adds a block, or gives the same one another reason and end; returns its id. */
export async function saveBlock(
  tx: Tx,
  block: BlockRow & { reason: string | null; untilMs: number | null; nowMs: number },
): Promise<string> {
  return await tx.oneFirst(sql.type(Id)`
    INSERT INTO blocks (id, kind, value, reason, until, created_at)
    VALUES (${block.id}, ${block.kind}, ${block.value}, ${block.reason}, ${atOrNull(block.untilMs)},
      ${at(block.nowMs)})
    ON CONFLICT (kind, value) DO UPDATE SET reason = EXCLUDED.reason, until = EXCLUDED.until
    RETURNING id`);
}

const BlockRow = z.strictObject({ id: z.string(), kind: BlockKind, value: z.string() });
export type BlockRow = z.infer<typeof BlockRow>;

/** Deletes a block, by its id or by what it names, and returns it; null where there is none. */
export async function deleteBlock(tx: Tx, of: Pick<BlockRow, "id"> | Pick<BlockRow, "kind" | "value">) {
  const which =
    "id" in of
      ? sql.fragment`id = ${of.id}`
      : sql.fragment`kind = ${of.kind} AND value IN (${of.value}, ${hashOf(of.value)})`;
  const rows = await tx.any(sql.type(BlockRow)`DELETE FROM blocks WHERE ${which} RETURNING id, kind, value`);
  return rows[0] ?? null;
}

/** Whether a block in force names an e-mail address or one of these domains. */
export async function hasEmailBlock(
  db: Db,
  of: { email: string; domains: readonly string[]; nowMs: number },
): Promise<boolean> {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM blocks b
    WHERE ((b.kind = 'email' AND b.value IN (${of.email}, ${hashOf(of.email)}))
        OR (b.kind = 'email_domain' AND b.value = ANY(${texts(of.domains)})))
      AND ${isInForce(of.nowMs)}`);
}

const Value = z.strictObject({ value: z.string() });

/** The blocked networks. */
export async function listBlockedNetworks(db: Db, nowMs: number): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Value)`
    SELECT b.value FROM blocks b WHERE b.kind = 'network' AND ${isInForce(nowMs)}`);
}

/** What is blocked of a kind, at most `limit`. */
export async function listBlockedValues(db: Db, kind: BlockKind, limit: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(Value)`
    SELECT b.value FROM blocks b WHERE b.kind = ${kind} ORDER BY b.id DESC LIMIT ${limit}`);
  return rows.map(({ value }) => value);
}

const BlockEntry = z.strictObject({
  id: z.string(),
  kind: BlockKind,
  value: z.string(),
  state: z.enum(["active", "expired"]),
  reason: z.string().nullable(),
  until_at: Timestamp.nullable(),
  created_at: Timestamp,
});

/** Blocks, those whose time is over too. */
export async function listBlockEntries(db: Db, filter: ListFilter, part: ListPart) {
  const state = sql.fragment`CASE WHEN ${isInForce(part.nowMs)} THEN 'active' ELSE 'expired' END`;
  const columns = [sql.fragment`b.value`, sql.fragment`b.reason`];
  return await db.any(sql.type(BlockEntry)`
    SELECT b.id, b.kind, b.value, ${state} AS state, b.reason, b.until AS until_at, b.created_at FROM blocks b
    WHERE ${same(sql.fragment`b.kind`, filter.type)} AND ${same(sql.fragment`(${state})`, filter.state)}
      AND ${holds(filter.text, sql.fragment`b.id`, columns)} ${endOf(sql.fragment`b.id`, filter, part)}`);
}
