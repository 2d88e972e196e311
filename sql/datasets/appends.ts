import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";

const Append = z.strictObject({ rows_added: z.number(), columns_added: z.array(z.string()) });
/** What appends made of a file: rows at its end, and columns that new records of a JSON list brought. */
export type Append = z.infer<typeof Append>;

/** A file that is appended to each hour for a year has fewer before it. */
const MOST_APPENDS = 10_000;

/**
 * What one file has more than another where it came from that by appends alone, in one or more steps; null where it did
 * not, or where a step between is gone. Its first rows are then those of the other, in their order and as written.
 */
export async function findAppend(db: Db, baseId: string, headId: string): Promise<Append | null> {
  return await db.maybeOne(sql.type(Append)`
    WITH RECURSIVE steps AS (
      SELECT appended_to_asset_id AS base_id, rows_added, 1 AS step FROM assets
      WHERE id = ${headId} AND readiness = 'ready' AND rows_added IS NOT NULL
      UNION ALL
      SELECT a.appended_to_asset_id, s.rows_added + a.rows_added, s.step + 1
      FROM steps s JOIN assets a ON a.id = s.base_id
      WHERE s.base_id <> ${baseId} AND a.rows_added IS NOT NULL AND s.step < ${MOST_APPENDS})
    SELECT s.rows_added, ARRAY(
      SELECT c.value ->> 'name' FROM json_array_elements(head.inspection -> 'columns') WITH ORDINALITY AS c (value, at)
      WHERE c.at > json_array_length(base.inspection -> 'columns') ORDER BY c.at) AS columns_added
    FROM steps s JOIN assets base ON base.id = s.base_id JOIN assets head ON head.id = ${headId}
    WHERE s.base_id = ${baseId} AND base.agent_id = head.agent_id
      AND base.inspection IS NOT NULL AND head.inspection IS NOT NULL`);
}
