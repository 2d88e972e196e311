import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";
import { sha256AsSent } from "./canonical-files.ts";

/** The work that was named as the source of a file before, and its revision; a save names it where this is null. */
const NamedSource = z.strictObject({ id: z.string(), revisionNumber: z.number() }).nullable();

/** The hash of the file as it was sent, where `contentSha256` is that of the bytes that were read. */
const AsSent = { sentSha256: z.string() };
export type AsSent = { [Name in keyof typeof AsSent]: string };

const KeptChart = z.strictObject({
  number: z.number(),
  assetId: z.string(),
  contentSha256: z.string(),
  /** The canonical question and the rows, as JSON texts. */
  question: z.string(),
  rows: z.string(),
  rowsSha256: z.string(),
  rowCount: z.number(),
  rowsFound: z.number(),
  source: NamedSource,
});
/** A chart whose rows a question found, as a save keeps it. */
export type NewChart = z.infer<typeof KeptChart>;

/** Keeps the rows of a revision's charts. */
export async function insertCharts(
  tx: Tx,
  { revisionId, creationId }: { revisionId: string; creationId: string },
  charts: readonly NewChart[],
): Promise<void> {
  for (const chart of charts) {
    await tx.query(command`
      INSERT INTO revision_charts (revision_id, chart_number, creation_id, asset_id, content_sha256, question, rows,
        rows_sha256, row_count, rows_found, source_id, source_revision_number, says_blanks)
      VALUES (${revisionId}, ${chart.number}, ${creationId}, ${chart.assetId}, ${chart.contentSha256},
        ${chart.question}::json, ${chart.rows}::json, ${chart.rowsSha256}, ${chart.rowCount}, ${chart.rowsFound},
        ${chart.source?.id ?? null}, ${chart.source?.revisionNumber ?? null}, true)`);
  }
}

const RowsRow = z.strictObject({ number: z.number(), rows: z.string(), rows_sha256: z.string() });
/** The kept rows of a chart as JSON text, and their hash. */
export type ChartRowsRow = z.infer<typeof RowsRow>;

/** The kept rows of a revision's charts. */
export async function listChartRows(db: Db, revisionId: string): Promise<readonly ChartRowsRow[]> {
  return await db.any(sql.type(RowsRow)`
    SELECT chart_number AS number, rows::text AS rows, rows_sha256 FROM revision_charts
    WHERE revision_id = ${revisionId} ORDER BY chart_number`);
}

/** What a revision keeps of its charts. */
export async function listKeptCharts(db: Db, revisionId: string): Promise<readonly (NewChart & AsSent)[]> {
  return await db.any(sql.type(KeptChart.extend(AsSent))`
    SELECT chart_number AS number, asset_id AS "assetId", content_sha256 AS "contentSha256", question::text AS question,
      rows::text AS rows, rows_sha256 AS "rowsSha256", row_count AS "rowCount", rows_found AS "rowsFound", ${sourceColumn},
      ${sha256AsSent} AS "sentSha256"
    FROM revision_charts k WHERE revision_id = ${revisionId}`);
}

const HashRow = RowsRow.omit({ rows: true });

/** The hashes of the kept rows of a revision's charts. */
export async function listChartHashes(db: Db, revisionId: string) {
  return await db.any(sql.type(HashRow)`
    SELECT chart_number AS number, rows_sha256 FROM revision_charts WHERE revision_id = ${revisionId}`);
}

const KeptFigure = z.strictObject({
  /** Its place in the list of the payload. */
  position: z.number(),
  assetId: z.string(),
  contentSha256: z.string(),
  /** The canonical question as JSON text. */
  question: z.string(),
  /** The value that the question found, with every digit. */
  value: z.string(),
  checkedMs: z.number(),
  source: NamedSource,
});
/** A figure that the data proved, as a save keeps it. */
export type NewFigure = z.infer<typeof KeptFigure>;

const sourceColumn = sql.fragment`CASE WHEN source_id IS NOT NULL
  THEN json_build_object('id', source_id, 'revisionNumber', source_revision_number) END AS source`;

/** Keeps what the data said of a revision's figures. */
export async function insertFigures(
  tx: Tx,
  { revisionId, creationId }: { revisionId: string; creationId: string },
  figures: readonly NewFigure[],
): Promise<void> {
  for (const figure of figures) {
    await tx.query(command`
      INSERT INTO revision_figures (revision_id, position, creation_id, asset_id, content_sha256, question, value,
        checked_at, source_id, source_revision_number, says_blanks)
      VALUES (${revisionId}, ${figure.position}, ${creationId}, ${figure.assetId}, ${figure.contentSha256},
        ${figure.question}::json, ${figure.value}, ${at(figure.checkedMs)}, ${figure.source?.id ?? null},
        ${figure.source?.revisionNumber ?? null}, true)`);
  }
}

/** What a revision keeps of its figures. */
export async function listKeptFigures(db: Db, revisionId: string): Promise<readonly (NewFigure & AsSent)[]> {
  return await db.any(sql.type(KeptFigure.extend(AsSent))`
    SELECT position, asset_id AS "assetId", content_sha256 AS "contentSha256", question::text AS question, value,
      checked_at AS "checkedMs", ${sourceColumn}, ${sha256AsSent} AS "sentSha256"
    FROM revision_figures k WHERE revision_id = ${revisionId}`);
}

/**
 * Names the source of those charts and figures of a revision that have none yet: the open work, a public one first, with
 * a published revision that has the file, and the newest such revision. Each source becomes a reference of the revision,
 * unless it is one already.
 */
export async function nameDataSources(tx: Tx, revisionId: string): Promise<void> {
  await tx.query(command`
    WITH asked AS (
      SELECT asset_id, creation_id FROM revision_charts WHERE revision_id = ${revisionId} AND source_id IS NULL
      UNION SELECT asset_id, creation_id FROM revision_figures WHERE revision_id = ${revisionId} AND source_id IS NULL
    ), found AS (
      SELECT DISTINCT ON (m.asset_id) m.asset_id, c.id AS source_id, r.revision_number
      FROM asked m JOIN revision_files f ON f.asset_id = m.asset_id
        JOIN creation_revisions r ON r.id = f.revision_id JOIN creations c ON c.id = r.creation_id
        JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      WHERE c.id <> m.creation_id AND r.state = 'published' AND r.content_removed_at IS NULL AND ${creationIsOpen}
      ORDER BY m.asset_id, (c.visibility = 'public') DESC, c.first_published_at, c.id, r.revision_number DESC
    ), named_figures AS (
      UPDATE revision_figures k SET source_id = found.source_id, source_revision_number = found.revision_number
      FROM found WHERE k.revision_id = ${revisionId} AND k.source_id IS NULL AND k.asset_id = found.asset_id
    )
    UPDATE revision_charts k SET source_id = found.source_id, source_revision_number = found.revision_number
    FROM found WHERE k.revision_id = ${revisionId} AND k.source_id IS NULL AND k.asset_id = found.asset_id`);
  await tx.query(command`
    INSERT INTO revision_references (revision_id, position, target_id, relation, note)
    SELECT ${revisionId}, min(k.place), k.source_id, 'uses', NULL FROM (
      SELECT 50 + chart_number AS place, source_id FROM revision_charts WHERE revision_id = ${revisionId}
      UNION ALL SELECT 71 + position, source_id FROM revision_figures WHERE revision_id = ${revisionId}) AS k
    WHERE k.source_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM revision_references f WHERE f.revision_id = ${revisionId} AND f.target_id = k.source_id)
    GROUP BY k.source_id`);
}
