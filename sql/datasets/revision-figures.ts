import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";
import type { NamedSource } from "./revision-charts.ts";

/** A figure that the data proved, as a save keeps it. */
export interface NewFigure {
  /** Its place in the list of the payload. */
  position: number;
  assetId: string;
  contentSha256: string;
  /** The canonical question as JSON text. */
  question: string;
  /** The value that the question found, with every digit. */
  value: string;
  checkedMs: number;
  /** The work that was named as its source before; a save names it where this is null. */
  source: NamedSource | null;
}

/** Keeps what the data said of a revision's figures. */
export async function insertFigures(
  tx: Tx,
  { revisionId, creationId }: { revisionId: string; creationId: string },
  figures: readonly NewFigure[],
): Promise<void> {
  for (const figure of figures) {
    await tx.query(command`
      INSERT INTO revision_figures (revision_id, position, creation_id, asset_id, content_sha256, question, value,
        checked_at, source_id, source_revision_number)
      VALUES (${revisionId}, ${figure.position}, ${creationId}, ${figure.assetId}, ${figure.contentSha256},
        ${figure.question}::json, ${figure.value}, ${at(figure.checkedMs)}, ${figure.source?.id ?? null},
        ${figure.source?.revisionNumber ?? null})`);
  }
}

const KeptRow = z.strictObject({
  position: z.number(),
  assetId: z.string(),
  contentSha256: z.string(),
  question: z.string(),
  value: z.string(),
  checkedMs: z.number(),
  source: z.strictObject({ id: z.string(), revisionNumber: z.number() }).nullable(),
});

/** What a revision keeps of its figures. */
export async function listKeptFigures(db: Db, revisionId: string): Promise<readonly NewFigure[]> {
  return await db.any(sql.type(KeptRow)`
    SELECT position, asset_id AS "assetId", content_sha256 AS "contentSha256", question::text AS question, value,
      checked_at AS "checkedMs",
      CASE WHEN source_id IS NOT NULL
        THEN json_build_object('id', source_id, 'revisionNumber', source_revision_number) END AS source
    FROM revision_figures WHERE revision_id = ${revisionId}`);
}
