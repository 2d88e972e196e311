import { z } from "zod";
import { command, type Db, sql, type Tx } from "../connection/pool.ts";

/** A chart whose rows a question found, as a save keeps it. */
export interface NewChart {
  number: number;
  assetId: string;
  contentSha256: string;
  /** The canonical question and the rows, as JSON texts. */
  question: string;
  rows: string;
  rowsSha256: string;
  rowCount: number;
  rowsFound: number;
  /** The work that was named as its source before; a save names it where this is null. */
  source: NamedSource | null;
}

/** The work that holds a file, and its revision. */
export interface NamedSource {
  id: string;
  revisionNumber: number;
}

/** Keeps the rows of a revision's charts. */
export async function insertCharts(
  tx: Tx,
  { revisionId, creationId }: { revisionId: string; creationId: string },
  charts: readonly NewChart[],
): Promise<void> {
  for (const chart of charts) {
    await tx.query(command`
      INSERT INTO revision_charts (revision_id, chart_number, creation_id, asset_id, content_sha256, question, rows,
        rows_sha256, row_count, rows_found, source_id, source_revision_number)
      VALUES (${revisionId}, ${chart.number}, ${creationId}, ${chart.assetId}, ${chart.contentSha256},
        ${chart.question}::json, ${chart.rows}::json, ${chart.rowsSha256}, ${chart.rowCount}, ${chart.rowsFound},
        ${chart.source?.id ?? null}, ${chart.source?.revisionNumber ?? null})`);
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

const KeptRow = z.strictObject({
  number: z.number(),
  assetId: z.string(),
  contentSha256: z.string(),
  question: z.string(),
  rows: z.string(),
  rowsSha256: z.string(),
  rowCount: z.number(),
  rowsFound: z.number(),
  source: z.strictObject({ id: z.string(), revisionNumber: z.number() }).nullable(),
});

/** What a revision keeps of its charts. */
export async function listKeptCharts(db: Db, revisionId: string): Promise<readonly NewChart[]> {
  return await db.any(sql.type(KeptRow)`
    SELECT chart_number AS number, asset_id AS "assetId", content_sha256 AS "contentSha256", question::text AS question,
      rows::text AS rows, rows_sha256 AS "rowsSha256", row_count AS "rowCount", rows_found AS "rowsFound",
      CASE WHEN source_id IS NOT NULL
        THEN json_build_object('id', source_id, 'revisionNumber', source_revision_number) END AS source
    FROM revision_charts WHERE revision_id = ${revisionId}`);
}

const HashRow = RowsRow.omit({ rows: true });

/** The hashes of the kept rows of a revision's charts. */
export async function listChartHashes(
  db: Db,
  revisionId: string,
): Promise<readonly z.infer<typeof HashRow>[]> {
  return await db.any(sql.type(HashRow)`
    SELECT chart_number AS number, rows_sha256 FROM revision_charts WHERE revision_id = ${revisionId}`);
}
