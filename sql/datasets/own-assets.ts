import { z } from "zod";
import { at, type Db, jsonRows, sql } from "../connection/pool.ts";
import { AssetRow, assetColumns, isKept } from "./assets.ts";

const ListedRow = AssetRow.pick({
  id: true,
  filename: true,
  kind: true,
  format: true,
  readiness: true,
  readiness_reason: true,
  bytes: true,
  content_sha256: true,
  expires_at: true,
  created_at: true,
});
const List = z.strictObject({ rows: z.array(ListedRow), total: z.number() });

/**
 * One page of the files of an agent that are neither expired nor deleted, the newest first, and how many there are; of
 * one hash where it is named.
 */
export async function listAssetsOf(
  db: Db,
  agentId: string,
  asked: { sha256: string | null; nowMs: number; limit: number; offset: number },
): Promise<z.infer<typeof List>> {
  const own = sql.fragment`assets WHERE agent_id = ${agentId}
    AND (expires_at IS NULL OR expires_at > ${at(asked.nowMs)})
    AND ${isKept}
    ${asked.sha256 === null ? sql.fragment`` : sql.fragment`AND content_sha256 = ${asked.sha256}`}`;
  const rows = sql.fragment`
    SELECT id, filename, kind, format, readiness, readiness_reason, bytes, content_sha256, expires_at, created_at
    FROM ${own} ORDER BY created_at DESC, id DESC LIMIT ${asked.limit} OFFSET ${asked.offset}`;
  return await db.one(
    sql.type(List)`SELECT ${jsonRows(rows)} AS rows, (SELECT count(*) FROM ${own}) AS total`,
  );
}

/** An agent's files after a given id, in the order of their ids, including those whose bytes are deleted. */
export async function listAssetsAfter(db: Db, agentId: string, afterId: string, most: number) {
  return await db.any(sql.type(AssetRow)`
    SELECT ${assetColumns} FROM assets WHERE agent_id = ${agentId} AND id > ${afterId} ORDER BY id LIMIT ${most}`);
}
