import { z } from "zod";
import { type Fragment, sql, Timestamp } from "../connection/pool.ts";
import { sha256AsRead, sha256AsSent } from "../datasets/canonical-files.ts";
import { StandingState } from "../datasets/standing-questions.ts";
import { creationIsListed } from "./open-to-readers.ts";
import { RelatedRow, relatedColumns, relatedFrom } from "./relations.ts";

/** The listed work that has the file of a chart or figure `k`, as it is now. */
export const SourceRow = RelatedRow.extend({
  revision_number: z.number(),
  live_number: z.number(),
  /** Whether its live revision has a file with these bytes. */
  is_current: z.boolean(),
  /** Whether readers may fetch the file that the chart or figure names. */
  is_file_open: z.boolean(),
  /** The file of its live revision that stands where that file stood and has other bytes; null without one. */
  live_asset_id: z.string().nullable(),
});
export type SourceRow = z.infer<typeof SourceRow>;

const TABLES = {
  charts: sql.fragment`revision_charts`,
  figures: sql.fragment`revision_figures`,
};

/**
 * The listed works that have the files of a revision's charts or figures now, each in the column `source` of a row: a
 * story draws many charts from one file, whose source is looked up once.
 */
export const sourcesOf = (kept: keyof typeof TABLES, revisionId: string) => sql.fragment`
    SELECT k.source_id, k.source_revision_number, k.asset_id, k.content_sha256, row_to_json(s) AS source
    FROM (
      SELECT DISTINCT source_id, source_revision_number, asset_id, content_sha256
      FROM ${TABLES[kept]} WHERE revision_id = ${revisionId} AND source_id IS NOT NULL
    ) AS k JOIN LATERAL (
      SELECT ${relatedColumns}, k.source_revision_number AS revision_number, r.revision_number AS live_number,
        EXISTS (SELECT 1 FROM revision_files f JOIN assets x ON x.id = f.asset_id
          WHERE f.revision_id = r.id AND ${sha256AsRead(sql.fragment`x`)} = k.content_sha256) AS is_current,
        EXISTS (SELECT 1 FROM revision_files f JOIN assets x ON x.id = f.asset_id
            JOIN creation_revisions h ON h.id = f.revision_id
          WHERE f.asset_id = k.asset_id AND h.creation_id = c.id AND h.state = 'published'
            AND h.content_removed_at IS NULL AND h.files_deleted_at IS NULL AND x.file_deleted_at IS NULL) AS is_file_open,
        (SELECT f.asset_id FROM revision_files b JOIN assets y ON y.id = b.asset_id
            JOIN creation_revisions h ON h.id = b.revision_id
            JOIN revision_files f ON f.revision_id = r.id JOIN assets x ON x.id = f.asset_id
          WHERE b.asset_id = k.asset_id AND h.creation_id = c.id AND h.revision_number = k.source_revision_number
            AND x.format = y.format AND ${sha256AsRead(sql.fragment`x`)} <> ${sha256AsRead(sql.fragment`y`)} AND x.file_deleted_at IS NULL
            AND (f.label = b.label OR x.filename = y.filename OR f.position = b.position)
          ORDER BY f.label = b.label DESC, x.filename = y.filename DESC LIMIT 1) AS live_asset_id
      FROM creations c ${relatedFrom}
      WHERE c.id = k.source_id AND ${creationIsListed}
    ) AS s ON true`;

/** Joins to each chart or figure `k` its row of `sources`; none where no listed work has its file now. */
export const sourceJoin = sql.fragment`LEFT JOIN sources
      ON (sources.source_id, sources.source_revision_number, sources.asset_id, sources.content_sha256)
        = (k.source_id, k.source_revision_number, k.asset_id, k.content_sha256)`;

const NowRow = z.strictObject({
  state: StandingState,
  value: z.string().nullable(),
  rows_changed: z.number().nullable(),
  reason: z.string().nullable(),
  revision_number: z.number().nullable(),
  asset_id: z.string().nullable(),
  content_sha256: z.string().nullable(),
  asked_at: Timestamp.nullable(),
});
/** What the newest data say of a figure or chart of a live text; where they stand is told of a listed work alone. */
export type NowRow = z.infer<typeof NowRow>;

/** What the newest data say of the chart or figure `k`, as JSON; null where its revision is not live. */
const nowOf = (kind: "chart" | "figure", place: Fragment) => sql.fragment`
    (SELECT row_to_json(n) FROM (
      SELECT q.state, q.value, q.rows_changed, q.reason, l.revision_number, l.asset_id, l.content_sha256, q.asked_at
      FROM standing_questions q LEFT JOIN LATERAL (
        SELECT q.revision_number, q.live_asset_id AS asset_id, q.live_sha256 AS content_sha256
        FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
        WHERE c.id = q.source_id AND ${creationIsListed}) l ON true
      WHERE q.revision_id = k.revision_id AND q.kind = ${kind} AND q.place = ${place}) n) AS now`;

export const BoundRow = z.strictObject({
  number: z.number(),
  asset_id: z.string(),
  content_sha256: z.string(),
  question: z.string(),
  rows_sha256: z.string(),
  row_count: z.number(),
  rows_found: z.number(),
  source: SourceRow.nullable(),
  now: NowRow.nullable(),
});
/** A chart with rows from a file, without the rows; `source` is the listed work that has the file, if there is one now. */
export type BoundRow = z.infer<typeof BoundRow>;

/** The charts of a revision that have their rows from files, each with its source as it is now. */
export function boundChartsOf(revisionId: string) {
  return sql.type(BoundRow)`
    WITH sources AS MATERIALIZED (${sourcesOf("charts", revisionId)})
    SELECT k.chart_number AS number, k.asset_id, ${sha256AsSent} AS content_sha256, k.question::text AS question,
      k.rows_sha256, k.row_count, k.rows_found, sources.source, ${nowOf("chart", sql.fragment`k.chart_number`)}
    FROM revision_charts k ${sourceJoin}
    WHERE k.revision_id = ${revisionId} ORDER BY k.chart_number`;
}

export const CheckedRow = z.strictObject({
  text: z.string(),
  asset_id: z.string(),
  content_sha256: z.string(),
  question: z.string(),
  value: z.string(),
  decimals: z.int().nullable(),
  unit: z.string().nullable(),
  checked_at: Timestamp,
  source: SourceRow.nullable(),
  now: NowRow.nullable(),
});
/** A figure of a text with what the data said; `source` is the listed work that has the file, if there is one now. */
export type CheckedRow = z.infer<typeof CheckedRow>;

/** The figures of a revision that were checked against data, in the order of its payload. */
export function checkedFiguresOf(revisionId: string) {
  return sql.type(CheckedRow)`
    WITH sources AS MATERIALIZED (${sourcesOf("figures", revisionId)})
    SELECT figure ->> 'text' AS text, (figure ->> 'decimals')::int AS decimals, figure ->> 'unit' AS unit, k.asset_id,
      ${sha256AsSent} AS content_sha256, k.question::text AS question, k.value, k.checked_at, sources.source,
      ${nowOf("figure", sql.fragment`k.position`)}
    FROM revision_figures k JOIN creation_revisions r ON r.id = k.revision_id
      CROSS JOIN LATERAL (SELECT r.payload -> 'figures' -> k.position::int AS figure) f ${sourceJoin}
    WHERE k.revision_id = ${revisionId} ORDER BY k.position`;
}
