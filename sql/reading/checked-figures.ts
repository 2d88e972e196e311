import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";
import { SourceRow, sourceJoin, sourcesOf } from "./data-sources.ts";

export const CheckedRow = z.strictObject({
  text: z.string(),
  asset_id: z.string(),
  content_sha256: z.string(),
  question: z.string(),
  value: z.string(),
  checked_at: Timestamp,
  source: SourceRow.nullable(),
});
/** A figure of a text with what the data said; `source` is the listed work that has the file, if there is one now. */
export type CheckedRow = z.infer<typeof CheckedRow>;

/** The figures of a revision that were checked against data, in the order of its payload. */
export async function listCheckedFigures(db: Db, revisionId: string): Promise<readonly CheckedRow[]> {
  return await db.any(sql.type(CheckedRow)`${checkedFiguresOf(revisionId)}`);
}

/** The same as part of a statement. */
export function checkedFiguresOf(revisionId: string) {
  return sql.fragment`
    WITH sources AS MATERIALIZED (${sourcesOf("figures", revisionId)})
    SELECT r.payload -> 'figures' -> k.position::int ->> 'text' AS text, k.asset_id, k.content_sha256,
      k.question::text AS question, k.value, k.checked_at, sources.source
    FROM revision_figures k JOIN creation_revisions r ON r.id = k.revision_id ${sourceJoin}
    WHERE k.revision_id = ${revisionId} ORDER BY k.position`;
}
