import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";
import type { NewChart, NewFigure } from "./kept-answers.ts";

/** Kept questions that do not say what counts as blank: those of the version before. */

const RevisionRow = z.strictObject({ revision_id: z.string() });

/** Revisions that keep such a question and are not waiting to ask it. */
export async function listRevisionsWithUnsaid(db: Db, kind: string, most: number) {
  return await db.anyFirst(sql.type(RevisionRow)`
    SELECT revision_id FROM (
      SELECT revision_id FROM revision_charts WHERE NOT says_blanks
      UNION SELECT revision_id FROM revision_figures WHERE NOT says_blanks) AS unsaid
    WHERE NOT EXISTS (SELECT 1 FROM pending_work w WHERE w.kind = ${kind} AND w.subject = unsaid.revision_id)
    ORDER BY revision_id LIMIT ${most}`);
}

const OwnerRow = z.strictObject({ agent_id: z.string(), creation_id: z.string() });

/** Whose revision it is; null for one that is gone. */
export async function findOwnerOfRevision(db: Db, revisionId: string) {
  return await db.maybeOne(sql.type(OwnerRow)`
    SELECT c.agent_id, c.id AS creation_id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    WHERE r.id = ${revisionId}`);
}

const Numbers = z.strictObject({ charts: z.array(z.number()), figures: z.array(z.number()) });

/** The numbers of the charts and the places of the figures of a revision with such a question. */
export async function findUnsaidOf(db: Db, revisionId: string) {
  return await db.one(sql.type(Numbers)`
    SELECT ARRAY(SELECT chart_number FROM revision_charts
        WHERE revision_id = ${revisionId} AND NOT says_blanks) AS charts,
      ARRAY(SELECT position FROM revision_figures WHERE revision_id = ${revisionId} AND NOT says_blanks) AS figures`);
}

/** Keeps what a chart was answered when it was asked again. */
export async function updateKeptChart(tx: Tx, revisionId: string, chart: NewChart): Promise<void> {
  await tx.query(command`
    UPDATE revision_charts SET says_blanks = true, question = ${chart.question}::json, rows = ${chart.rows}::json,
      rows_sha256 = ${chart.rowsSha256}, row_count = ${chart.rowCount}, rows_found = ${chart.rowsFound}
    WHERE revision_id = ${revisionId} AND chart_number = ${chart.number} AND NOT says_blanks`);
}

/** Keeps what a figure was answered when it was asked again. */
export async function updateKeptFigure(tx: Tx, revisionId: string, figure: NewFigure): Promise<void> {
  await tx.query(command`
    UPDATE revision_figures SET says_blanks = true, question = ${figure.question}::json, value = ${figure.value},
      checked_at = ${at(figure.checkedMs)}
    WHERE revision_id = ${revisionId} AND position = ${figure.position} AND NOT says_blanks`);
}
