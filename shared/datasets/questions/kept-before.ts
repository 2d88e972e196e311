import type { Db } from "../../../sql/connection/pool.ts";
import { listKeptCharts, type NewChart } from "../../../sql/datasets/revision-charts.ts";
import { listKeptFigures, type NewFigure } from "../../../sql/datasets/revision-figures.ts";
import { NO_FILE, type SaveAnswer } from "./questions-of-save.ts";

/** What the newest revision of a text keeps of the data. */
export interface KeptBefore {
  charts: readonly NewChart[];
  figures: readonly NewFigure[];
}

const NOTHING: KeptBefore = { charts: [], figures: [] };

/** Reads what the revision before keeps; null for a new text. */
export async function listKeptBefore(db: Db, revisionId: string | null): Promise<KeptBefore> {
  if (revisionId === null) return NOTHING;
  const [charts, figures] = await Promise.all([
    listKeptCharts(db, revisionId),
    listKeptFigures(db, revisionId),
  ]);
  return { charts, figures };
}

/** Whether a question had no answer because its file is closed to the agent. */
export function isOfClosedFile(answer: SaveAnswer): boolean {
  return !answer.ok && answer.faults.includes(NO_FILE);
}

/** The first that was kept for this question about this file. */
export function findKept<Kept extends NewChart | NewFigure>(
  all: readonly Kept[],
  asked: Pick<Kept, "assetId" | "contentSha256" | "question">,
): Kept | null {
  const isSame = (kept: Kept) =>
    kept.assetId === asked.assetId &&
    kept.contentSha256 === asked.contentSha256 &&
    kept.question === asked.question;
  return all.find(isSame) ?? null;
}
