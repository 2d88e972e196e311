import { z } from "zod";
import { at, type Db, sql, texts } from "./connection/pool.ts";
import { isValidToken } from "./tokens.ts";

/** The hashes among these that belong to a working access token or enrolment code. */
export async function listLeakedCredentials(
  db: Db,
  hashes: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ hash: z.string() }))`
    SELECT hash FROM (${selectLive(nowMs)}) live WHERE hash = ANY(${texts(hashes)})`);
}

/** The first `digits` digits of the hash of every working access token and enrolment code, as one text. */
export async function joinLiveHashStarts(db: Db, digits: number, nowMs: number): Promise<string> {
  return await db.oneFirst(sql.type(z.strictObject({ starts: z.string() }))`
    SELECT coalesce(string_agg(left(hash, ${digits}), ''), '') AS starts FROM (${selectLive(nowMs)}) live`);
}

function selectLive(nowMs: number) {
  return sql.fragment`
    SELECT t.secret_hash AS hash FROM tokens t WHERE ${isValidToken(nowMs)}
    UNION ALL
    SELECT code_hash FROM enrollments
    WHERE revoked_at IS NULL AND consumed_at IS NULL AND expires_at > ${at(nowMs)}`;
}
