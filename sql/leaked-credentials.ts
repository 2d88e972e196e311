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
    SELECT t.secret_hash AS hash FROM tokens t
    WHERE t.secret_hash = ANY(${texts(hashes)}) AND ${isValidToken(nowMs)}
    UNION
    SELECT code_hash FROM enrollments
    WHERE code_hash = ANY(${texts(hashes)}) AND revoked_at IS NULL AND consumed_at IS NULL
      AND expires_at > ${at(nowMs)}`);
}
