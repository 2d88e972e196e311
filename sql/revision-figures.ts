import { at, command, type Tx } from "./connection/pool.ts";

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
}

/** Keeps what the data said of a revision's figures. */
export async function insertFigures(
  tx: Tx,
  { revisionId, creationId }: { revisionId: string; creationId: string },
  figures: readonly NewFigure[],
  nowMs: number,
): Promise<void> {
  for (const figure of figures) {
    await tx.query(command`
      INSERT INTO revision_figures (revision_id, position, creation_id, asset_id, content_sha256, question, value,
        checked_at)
      VALUES (${revisionId}, ${figure.position}, ${creationId}, ${figure.assetId}, ${figure.contentSha256},
        ${figure.question}::json, ${figure.value}, ${at(nowMs)})`);
  }
}
