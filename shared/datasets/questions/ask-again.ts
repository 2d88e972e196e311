import {
  listKeptCharts,
  listKeptFigures,
  type NewChart,
  type NewFigure,
} from "../../../sql/datasets/kept-answers.ts";
import {
  findOwnerOfRevision,
  findUnsaidOf,
  listRevisionsWithUnsaid,
  updateKeptChart,
  updateKeptFigure,
} from "../../../sql/datasets/unsaid-questions.ts";
import { raisePageVersions } from "../../../sql/works/creations.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { workOff } from "../../platform/pending-work/work-off.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Question } from "../../tables/questions/question.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import { chartAgain } from "./bind-charts.ts";
import { figureAgain } from "./bind-figures.ts";
import {
  askForSave,
  type FoundAnswer,
  isOfClosedFile,
  readKeptQuestion,
  type SaveAnswer,
  type SaveQuestion,
} from "./questions-of-save.ts";

const REVISIONS = 100;

/** Orders that revisions of the version before ask their questions again, a few at a time; returns the count. */
export async function sweepUnsaidQuestions(deps: Deps): Promise<number> {
  const ids = await listRevisionsWithUnsaid(deps.pool, "ask-again", REVISIONS);
  const jobs = ids.map((revision_id) => ({ name: "ask-again" as const, payload: { revision_id } }));
  if (jobs.length > 0) await deps.pool.transaction((tx) => orderWork(tx, deps, jobs));
  return ids.length;
}

/**
 * Asks the questions once more that a revision keeps from before dictionaries counted, and keeps what the data say now.
 * Running it twice or late changes nothing.
 */
export async function askKeptAgain(deps: Deps, threads: Threads, revisionId: string): Promise<void> {
  await workOff(deps, "ask-again", revisionId, async (isGivenUp) => {
    const owner = await findOwnerOfRevision(deps.pool, revisionId);
    if (owner === null) return;
    const unsaid = await findUnsaidOf(deps.pool, revisionId);
    const charts = (await listKeptCharts(deps.pool, revisionId)).filter((one) =>
      unsaid.charts.includes(one.number),
    );
    const figures = (await listKeptFigures(deps.pool, revisionId)).filter((one) =>
      unsaid.figures.includes(one.position),
    );
    const all: (NewChart | NewFigure)[] = [...charts, ...figures];
    const asked = new Map(all.map((kept) => [kept, toQuestion(kept)]));
    // What was given up too often keeps the question as its cells are written.
    const answers = isGivenUp
      ? new Map<SaveQuestion, SaveAnswer>()
      : await askForSave(deps, threads, owner.agent_id, [...asked.values()]);
    const nowMs = deps.now();
    const figureNow: Again<NewFigure> = (kept, found, asked) => figureAgain(kept, found, asked, nowMs);
    const renewOne = <Kept extends NewChart | NewFigure>(kept: Kept, again: Again<Kept>) =>
      renew(deps, revisionId, kept, answers.get(asked.get(kept) as SaveQuestion) ?? null, again);
    const renewed = {
      charts: charts.map((kept) => renewOne(kept, chartAgain)),
      figures: figures.map((kept) => renewOne(kept, figureNow)),
    };
    await deps.pool.transaction(async (tx) => {
      for (const chart of renewed.charts) await updateKeptChart(tx, revisionId, chart);
      for (const figure of renewed.figures) await updateKeptFigure(tx, revisionId, figure);
      await raisePageVersions(tx, { creationId: owner.creation_id, assetIds: [] });
    });
  });
}

function toQuestion({ assetId, contentSha256, question: json, ...kept }: NewChart | NewFigure): SaveQuestion {
  const question = readKeptQuestion("number" in kept ? "chart" : "figure", json);
  return { assetId, contentSha256, question, errors: {} };
}

type Again<Kept> = (kept: Kept, found: FoundAnswer, asked: Question) => Kept | null;

/** What is kept from now on; where the data say nothing that can be kept, the question is of cells as written. */
function renew<Kept extends NewChart | NewFigure>(
  { log }: Deps,
  revisionId: string,
  kept: Kept,
  answer: SaveAnswer | null,
  again: Again<Kept>,
): Kept {
  if (answer !== null && isOfClosedFile(answer)) return kept;
  const { question: asked } = toQuestion(kept);
  const found = answer?.found ? again(kept, answer.found, asked) : null;
  const asWritten = asked.blankFrom === "unsaid" ? { ...asked, blankFrom: "nobody" as const } : asked;
  const renewed = found ?? { ...kept, question: writeCanonical(asWritten) };
  const place = "number" in kept ? { chart: kept.number } : { figure: kept.position };
  const isOther = found === null || saidBy(found) !== saidBy(kept);
  // The event that tells the agent of it reads the same.
  if (isOther)
    log.info(
      { revision: revisionId, ...place, isKept: found === null },
      "a kept answer is another where missing values count",
    );
  return renewed;
}

function saidBy(kept: NewChart | NewFigure): string {
  return "rowsSha256" in kept ? kept.rowsSha256 : kept.value;
}
