import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { SourceRow, sourceJoin, sourcesOf } from "./data-sources.ts";

export const BoundRow = z.strictObject({
  number: z.number(),
  asset_id: z.string(),
  content_sha256: z.string(),
  question: z.string(),
  rows_sha256: z.string(),
  row_count: z.number(),
  rows_found: z.number(),
  source: SourceRow.nullable(),
});
/** A chart with rows from a file, without the rows; `source` is the listed work that has the file, if there is one now. */
export type BoundRow = z.infer<typeof BoundRow>;

/** The charts of a revision that have their rows from files, each with its source as it is now. */
export async function listBoundCharts(db: Db, revisionId: string): Promise<readonly BoundRow[]> {
  return await db.any(sql.type(BoundRow)`${boundChartsOf(revisionId)}`);
}

/** The same as part of a statement. */
export function boundChartsOf(revisionId: string) {
  return sql.fragment`
    WITH sources AS MATERIALIZED (${sourcesOf("charts", revisionId)})
    SELECT k.chart_number AS number, k.asset_id, k.content_sha256, k.question::text AS question, k.rows_sha256,
      k.row_count, k.rows_found, sources.source
    FROM revision_charts k ${sourceJoin}
    WHERE k.revision_id = ${revisionId} ORDER BY k.chart_number`;
}
