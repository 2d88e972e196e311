import { z } from "zod";
import { at, type Db, sql, texts } from "../connection/pool.ts";
import { fileIsOpen, fromRevisionFiles } from "../reading/open-to-readers.ts";
import { isKept } from "./assets.ts";
import { AsRead, asRead, FormatColumn } from "./canonical-files.ts";
import { openDictionaryOf } from "./revision-files.ts";

const AskableRow = z.strictObject({
  asset_id: z.string(),
  format: FormatColumn,
  bytes: z.number(),
  content_sha256: z.string(),
  ...AsRead,
  readiness: z.enum(["processing", "ready", "failed"]),
  is_own: z.boolean(),
  /** As readers see it, else as the newest draft has it; as JSON text. */
  dictionary: z.string().nullable(),
});
/** A file that an agent may ask: its own, or one that readers may fetch. */
export type AskableRow = z.infer<typeof AskableRow>;

/** Those of these files that an agent may ask, ready or not. */
export async function listAskableFiles(db: Db, agentId: string, ids: readonly string[], nowMs: number) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(AskableRow)`
    SELECT s.id AS asset_id, s.format, s.bytes, s.content_sha256, ${asRead}, s.readiness,
      s.agent_id = ${agentId} AS is_own,
      CASE WHEN seen.open THEN (${openDictionaryOf(sql.fragment`s.id`)}) ELSE (
        SELECT f.dictionary::text FROM revision_files f JOIN creations c ON c.latest_revision_id = f.revision_id
        WHERE f.asset_id = s.id ORDER BY c.created_at, c.id, f.position LIMIT 1) END AS dictionary
    FROM assets s CROSS JOIN LATERAL (SELECT EXISTS (
      SELECT 1 ${fromRevisionFiles} WHERE f.asset_id = s.id AND ${fileIsOpen}) AS open) AS seen
    WHERE s.id = ANY(${texts(ids)}) AND ${isKept}
      AND (seen.open OR s.agent_id = ${agentId} AND (s.expires_at IS NULL OR s.expires_at > ${at(nowMs)}))`);
}
