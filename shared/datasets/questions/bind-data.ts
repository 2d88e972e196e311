import type { Db, Tx } from "../../../sql/connection/pool.ts";
import {
  insertCharts,
  insertFigures,
  type NewChart,
  type NewFigure,
  nameDataSources,
} from "../../../sql/datasets/kept-answers.ts";
import { type FieldErrors, refuseFaults } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Figure } from "../../requests/figures.ts";
import {
  bindChart,
  type ChartQuestion,
  keepChart,
  listChartQuestions,
  refuseClosedChart,
} from "./bind-charts.ts";
import {
  bindFigure,
  type FigureQuestion,
  findKeptFigure,
  findStrayFigures,
  listFigureQuestions,
  prove,
  refuseClosedFigure,
} from "./bind-figures.ts";
import {
  askForSave,
  isOfClosedFile,
  type KeptBefore,
  listClosedFiles,
  listKeptBefore,
  NO_ANSWER,
  type SaveAnswer,
} from "./questions-of-save.ts";

/** What the data of files say of a text: the rows of its charts and the values of its figures. */
export interface BoundData {
  charts: NewChart[];
  figures: NewFigure[];
  /** Those of them that the revision before says, since their files have closed. */
  kept: ReadonlySet<NewChart | NewFigure>;
}

/** A text whose data are asked for. */
interface Asking {
  text: string | null;
  figures: readonly Figure[];
  /** What of the figures was refused already, as `figures.0.text`. */
  lost: ReadonlySet<string>;
  /** The revision that the text follows, null for a new one: what it keeps holds where a file has closed since. */
  before: string | null;
}

const BODY = "payload.body_markdown";

/**
 * Finds in files what a payload that was accepted has from them: the rows of each chart and the value of each figure.
 * Of a file that has closed, the revision before says what it keeps for the same question. 422 tells each chart that
 * cannot be drawn and each figure that the data do not say.
 */
export async function bindData(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { text, figures, lost, before }: Asking,
): Promise<BoundData> {
  const charts = await listChartQuestions(deps, text);
  const checked = listFigureQuestions(figures, lost);
  const errors: FieldErrors = {};
  await findStrayFigures(deps, figures, text ?? "", errors);
  const answers = await askForSave(deps, threads, agentId, [...charts, ...checked]);
  const isAnyClosed = [...answers.values()].some(isOfClosedFile);
  const known = await listKeptBefore(deps.pool, isAnyClosed ? before : null);
  const kept = new Set<NewChart | NewFigure>();
  const context: Binding = { known, kept, errors, nowMs: deps.now() };
  const bound = {
    charts: charts.flatMap((asked) => bindOneChart(asked, answers.get(asked) ?? NO_ANSWER, context) ?? []),
    figures: checked.flatMap((asked) => bindOneFigure(asked, answers.get(asked) ?? NO_ANSWER, context) ?? []),
  };
  refuseFaults(errors);
  return { ...bound, kept };
}

/** What the revision before says, which of it is taken, and what is refused. */
interface Binding {
  known: KeptBefore;
  kept: Set<NewChart | NewFigure>;
  errors: FieldErrors;
  nowMs: number;
}

function bindOneChart(
  asked: ChartQuestion,
  answer: SaveAnswer,
  { known, kept, errors }: Binding,
): NewChart | null {
  const again = isOfClosedFile(answer) ? keepChart(asked, known) : null;
  if (again !== null) {
    kept.add(again);
    return again;
  }
  const chart = bindChart(asked, answer);
  if (!Array.isArray(chart)) return chart;
  errors[BODY] = [...(errors[BODY] ?? []), ...chart];
  return null;
}

function bindOneFigure(
  asked: FigureQuestion,
  answer: SaveAnswer,
  { known, kept, errors, nowMs }: Binding,
): NewFigure | null {
  const again = isOfClosedFile(answer) ? findKeptFigure(asked, known) : null;
  if (again === null) return bindFigure(asked, answer, nowMs, errors);
  kept.add(again);
  return prove(asked, again, errors);
}

/** Checks once more, in the transaction of the save, that the agent may ask the files of which it keeps something. */
export async function checkBoundFiles(
  db: Db,
  agentId: string,
  { charts, figures, kept }: BoundData,
  nowMs: number,
): Promise<void> {
  const asked = [...charts, ...figures].filter((one) => !kept.has(one));
  const ids = asked.map(({ assetId }) => assetId);
  const closed = await listClosedFiles(db, agentId, ids, nowMs);
  if (closed.size === 0) return;
  const errors: FieldErrors = {};
  const isClosed = (one: NewChart | NewFigure) => closed.has(one.assetId) && !kept.has(one);
  const refused = charts.filter(isClosed).map(refuseClosedChart);
  if (refused.length > 0) errors[BODY] = refused;
  for (const figure of figures) if (isClosed(figure)) refuseClosedFigure(figure, errors);
  refuseFaults(errors);
}

/** Keeps what the data said with the revision, and names the works that have the files as its sources. */
export async function keepBoundData(
  tx: Tx,
  of: { revisionId: string; creationId: string },
  { charts, figures }: BoundData,
): Promise<void> {
  if (charts.length === 0 && figures.length === 0) return;
  await insertCharts(tx, of, charts);
  await insertFigures(tx, of, figures);
  await nameDataSources(tx, of.revisionId);
}
