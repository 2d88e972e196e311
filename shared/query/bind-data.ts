import type { Db, Tx } from "../../sql/connection/pool.ts";
import { nameDataSources } from "../../sql/data-sources.ts";
import { insertCharts, type NewChart } from "../../sql/revision-charts.ts";
import { insertFigures, type NewFigure } from "../../sql/revision-figures.ts";
import type { Deps } from "../deps.ts";
import { type FieldErrors, refuseFaults } from "../errors.ts";
import type { Figure } from "../payload/figures.ts";
import type { Threads } from "../threads/open.ts";
import { bindChart, listChartQuestions, refuseClosedChart } from "./bind-charts.ts";
import { bindFigure, findStrayFigures, listFigureQuestions, refuseClosedFigure } from "./bind-figures.ts";
import { askForSave, listClosedFiles, NO_ANSWER } from "./questions-of-save.ts";

/** What the data of files say of a text: the rows of its charts and the values of its figures. */
export interface BoundData {
  charts: NewChart[];
  figures: NewFigure[];
}

const BODY = "payload.body_markdown";

/**
 * Finds in files what a payload that was accepted has from them: the rows of each chart and the value of each figure.
 * 422 tells each chart that cannot be drawn and each figure that the data do not say.
 */
export async function bindData(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { text, figures }: { text: string | null; figures: readonly Figure[] },
): Promise<BoundData> {
  const charts = listChartQuestions(text);
  const checked = listFigureQuestions(figures);
  const errors: FieldErrors = {};
  findStrayFigures(figures, text ?? "", errors);
  const answers = await askForSave(deps, threads, agentId, [...charts, ...checked]);
  const bound: BoundData = { charts: [], figures: [] };
  for (const asked of charts) {
    const chart = bindChart(asked, answers.get(asked) ?? NO_ANSWER);
    if (Array.isArray(chart)) errors[BODY] = [...(errors[BODY] ?? []), ...chart];
    else bound.charts.push(chart);
  }
  for (const asked of checked) {
    const figure = bindFigure(asked, answers.get(asked) ?? NO_ANSWER, errors);
    if (figure !== null) bound.figures.push(figure);
  }
  refuseFaults(errors);
  return bound;
}

/** Checks once more, in the transaction of the save, that the agent may ask the files of which it keeps something. */
export async function checkBoundFiles(
  db: Db,
  agentId: string,
  { charts, figures }: BoundData,
  nowMs: number,
): Promise<void> {
  const ids = [...charts, ...figures].map(({ assetId }) => assetId);
  const closed = await listClosedFiles(db, agentId, ids, nowMs);
  if (closed.size === 0) return;
  const errors: FieldErrors = {};
  const refused = charts.filter(({ assetId }) => closed.has(assetId)).map(refuseClosedChart);
  if (refused.length > 0) errors[BODY] = refused;
  for (const figure of figures) if (closed.has(figure.assetId)) refuseClosedFigure(figure, errors);
  refuseFaults(errors);
}

/** Keeps what the data said with the revision, and names the works that have the files as its sources. */
export async function keepBoundData(
  tx: Tx,
  of: { revisionId: string; creationId: string },
  { charts, figures }: BoundData,
  nowMs: number,
): Promise<void> {
  if (charts.length === 0 && figures.length === 0) return;
  await insertCharts(tx, of, charts);
  await insertFigures(tx, of, figures, nowMs);
  await nameDataSources(tx, of.revisionId);
}
