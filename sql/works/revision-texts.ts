import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { sha256AsSent } from "../datasets/canonical-files.ts";
import { logPlaceColumn } from "../trust/logs.ts";
import { signatureColumns } from "../trust/signatures.ts";
import { RevisionRow } from "./revisions.ts";

const RevisionTextRow = RevisionRow.extend({
  payload: z.string().nullable(),
  files: z.array(
    z.strictObject({
      asset_id: z.string(),
      label: z.string(),
      notes: z.string().nullable(),
      filename: z.string(),
      content_sha256: z.string(),
      deleted: z.boolean(),
    }),
  ),
  references: z.array(
    z.strictObject({
      creation_id: z.string(),
      relation: z.string(),
      pinned: z.strictObject({ revision_number: z.number(), checksum: z.string() }).nullable(),
    }),
  ),
  charts: z.string().nullable(),
  figures: z.string().nullable(),
  changes: z.string().nullable(),
  log: z
    .strictObject({
      log: z.number(),
      index: z.number(),
      nonce: z.string().nullable(),
      statement: z.string().nullable(),
    })
    .nullable(),
});

/**
 * A revision with its payload as JSON text, which keeps every digit, the names of its files, the pins of its references,
 * and as JSON texts the rows that it keeps for its charts, what the data said of its figures, and what it changed in the
 * rows of its files.
 */
export type RevisionTextRow = z.infer<typeof RevisionTextRow>;

/** A creation's revisions after a given number, oldest first. */
export async function listRevisionTexts(db: Db, creationId: string, afterNumber: number, most: number) {
  return await db.any(sql.type(RevisionTextRow)`
    SELECT r.id, r.creation_id, r.revision_number, r.state, r.section, r.title, r.payload::text AS payload,
      r.change_summary, r.minor, r.correction, r.checksum, r.created_at, r.published_at, r.replaced_at,
      r.content_removed_at, r.content_removed_by, r.files_deleted_at, r.disclosure, r.owner_reviewed_at,
      ${logPlaceColumn}, ${signatureColumns}, (SELECT json_build_object('log', k.log_number, 'index', k.index, 'nonce',
        encode(k.nonce, 'base64'), 'statement', k.statement) FROM log_records k WHERE k.revision_id = r.id) AS log,
      (SELECT coalesce(json_agg(json_build_object('asset_id', f.asset_id, 'label', f.label, 'notes', f.notes,
          'filename', s.filename, 'content_sha256', s.content_sha256, 'deleted', s.file_deleted_at IS NOT NULL)
          ORDER BY f.position), '[]')
        FROM revision_files f JOIN assets s ON s.id = f.asset_id WHERE f.revision_id = r.id) AS files,
      (SELECT coalesce(json_agg(json_build_object('creation_id', f.target_id, 'relation', f.relation, 'pinned',
          CASE WHEN h.id IS NOT NULL THEN
            json_build_object('revision_number', h.revision_number, 'checksum', h.checksum) END)
          ORDER BY f.position), '[]')
        FROM revision_references f LEFT JOIN creation_revisions h
          ON h.creation_id = f.target_id AND h.revision_number = f.pinned_number
        WHERE f.revision_id = r.id) AS references,
      (SELECT json_agg(json_build_object('number', k.chart_number, 'asset_id', k.asset_id, 'content_sha256',
          ${sha256AsSent}, 'question', k.question, 'rows', k.rows, 'rows_found', k.rows_found)
          ORDER BY k.chart_number)::text
        FROM revision_charts k WHERE k.revision_id = r.id) AS charts,
      (SELECT json_agg(json_build_object('text', r.payload -> 'figures' -> k.position::int ->> 'text', 'asset_id',
          k.asset_id, 'content_sha256', ${sha256AsSent}, 'question', k.question, 'value', k.value, 'checked_at',
          to_char(k.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY k.position)::text
        FROM revision_figures k WHERE k.revision_id = r.id) AS figures,
      (SELECT coalesce(json_agg(json_build_object('label', f.label, 'from', json_build_object('asset_id',
          d.base_asset_id, 'content_sha256', d.base_sha256), 'to', json_build_object('asset_id', d.head_asset_id,
          'content_sha256', d.head_sha256), 'outcome', d.outcome, 'rows', d.rows) ORDER BY d.position)
          FILTER (WHERE d.revision_id IS NOT NULL), '[]')::text
        FROM revision_comparisons p LEFT JOIN revision_file_diffs d ON d.revision_id = p.revision_id
          LEFT JOIN revision_files f ON f.revision_id = d.revision_id AND f.position = d.position
        WHERE p.revision_id = r.id AND p.finished_at IS NOT NULL GROUP BY p.revision_id) AS changes
    FROM creation_revisions r WHERE r.creation_id = ${creationId} AND r.revision_number > ${afterNumber}
    ORDER BY r.revision_number LIMIT ${most}`);
}
