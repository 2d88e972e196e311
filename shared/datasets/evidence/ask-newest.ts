import type { Db } from "../../../sql/connection/pool.ts";
import type { StandingAnswer, StandingFileRow } from "../../../sql/datasets/standing-questions.ts";
import { Refusal } from "../../ground/errors.ts";
import { workFor } from "../../platform/concurrency/places.ts";
import { createSemaphore } from "../../platform/concurrency/semaphore.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Figure } from "../../requests/figures.ts";
import { leaveOutCell } from "../../tables/questions/plan.ts";
import type { Question } from "../../tables/questions/question.ts";
import { keepNumberText } from "../../tables/questions/raw-question.ts";
import { readQuestionObject } from "../../tables/questions/read-question.ts";
import { DEFAULT_LIMIT } from "../../tables/rows/query.ts";
import { MOST_ROWS } from "../../text/markdown/charts/read-rows.ts";
import { answerTableQuestion } from "../questions/ask-table.ts";
import { ROWS_OF_FIGURE } from "../questions/bind-figures.ts";
import type { FoundAnswer } from "../questions/questions-of-save.ts";
import { findNewest, type Newest } from "./find-newest.ts";
import {
  cannotBeAsked,
  type Judged,
  judgeChart,
  judgeFigure,
  judgeValue,
  type KeptBlock,
} from "./judge-answer.ts";

/** A figure of a text, or a chart whose rows come from a file, with what the text keeps of its data. */
export interface Standing {
  kind: "figure" | "chart";
  /** Of a figure in its payload, from 0; of a chart its number. */
  place: number;
  assetId: string;
  contentSha256: string;
  /** The canonical question as JSON text. */
  question: string;
  figure: { form: Figure; value: string } | null;
  /** How many rows a chart keeps; null where nobody is told. */
  rowCount: number | null;
  loadBlock(): Promise<KeptBlock | null>;
}

/** What the newest data say, and which those are; without `newest` no open work has them. */
export interface NewestAnswer {
  newest: Newest | undefined;
  answer: StandingAnswer;
}

/** Files that are asked at once: as many as one reader may. */
const FILES_AT_ONCE = 2;

/**
 * Asks what stands in texts of the newest data, each question about a file once. What is not asked in `mostMs` is
 * `not_asked`; null waits as long as it takes.
 */
export async function askNewest<Asked extends Standing>(
  deps: Deps,
  threads: Threads,
  asked: readonly Asked[],
  { key, mostMs }: { key: string; mostMs: number | null },
): Promise<Map<Asked, NewestAnswer>> {
  if (asked.length === 0) return new Map();
  const newest = await findNewest(
    deps.pool,
    asked.map(({ assetId }) => assetId),
  );
  const open = asked.filter((one) => isOther(one, newest.get(one.assetId)));
  const questions = new Map<string, { file: StandingFileRow; question: Question }>();
  for (const one of open) {
    const file = newest.get(one.assetId)?.file as StandingFileRow;
    questions.set(nameOf(one, file), { file, question: toAsked(one) });
  }
  const found = new Map<string, FoundAnswer | string>();
  const inTurn = createSemaphore(FILES_AT_ONCE);
  const signal = mostMs === null ? undefined : AbortSignal.timeout(mostMs);
  const ask = async (name: string, { file, question }: { file: StandingFileRow; question: Question }) => {
    if (signal?.aborted) return;
    const answer = await askOne(deps, threads, file, question).catch((error: unknown) => {
      if (mostMs === null || !isLate(error)) throw error;
      return null;
    });
    if (answer !== null) found.set(name, answer);
  };
  const byFile = Map.groupBy(questions, ([, { file }]) => file.asset_id).values();
  const askFile = async (ofFile: readonly [string, { file: StandingFileRow; question: Question }][]) => {
    for (const [name, one] of ofFile) await ask(name, one);
  };
  const requester = { key, ...(signal && { signal }) };
  await workFor(requester, () => Promise.all(Array.from(byFile, (ofFile) => inTurn(() => askFile(ofFile)))));
  const answers = new Map<Asked, NewestAnswer>();
  for (const one of asked) answers.set(one, await answerOne(deps, one, newest.get(one.assetId), found));
  return answers;
}

/** What is known without asking: nothing but whether the newest data have the same bytes. */
export async function findKnown<Asked extends Standing>(deps: Deps, db: Db, asked: readonly Asked[]) {
  const newest = await findNewest(
    db,
    asked.map(({ assetId }) => assetId),
  );
  const answers = new Map<Asked, NewestAnswer>();
  for (const one of asked) answers.set(one, await answerOne(deps, one, newest.get(one.assetId), new Map()));
  return answers;
}

/** Whether the newest data have other bytes than those that a text keeps the answer of. */
function isOther({ contentSha256 }: Standing, newest: Newest | undefined): boolean {
  return newest?.file != null && newest.file.read_sha256 !== contentSha256;
}

function nameOf({ kind, question }: Standing, file: StandingFileRow): string {
  return `${file.asset_id} ${kind} ${question}`;
}

/** The question as it is asked: of a figure no more rows than tell whether there is one, of a chart as many as it may have. */
function toAsked(one: Standing): Question {
  const question = readKept(one);
  const most = one.kind === "figure" ? ROWS_OF_FIGURE : MOST_ROWS;
  return { ...question, limit: Math.min(question.limit, most) };
}

/** A chart has a limit, which its kept question leaves out where it is that of every answer. */
function readKept({ kind, question: json }: Standing): Question {
  const { question } = readQuestionObject(JSON.parse(json, keepNumberText) as object);
  const isUnsaid = kind === "chart" && question.limit === Number.MAX_SAFE_INTEGER;
  return isUnsaid ? { ...question, limit: DEFAULT_LIMIT } : question;
}

/** The answer of a file, or why there is none; no cell of it is repeated. */
async function askOne(deps: Deps, threads: Threads, file: StandingFileRow, question: Question) {
  const answer = await answerTableQuestion(deps, threads, file, { question, rowBytes: null });
  if (!answer.ok) return leaveOutCell(Object.values(answer.errors).flat()[0] ?? answer.message);
  return { json: answer.json, file, blanks: question };
}

function isLate(error: unknown): boolean {
  return error instanceof Refusal
    ? error.status === 503
    : error instanceof Error && error.name === "TimeoutError";
}

const NO_SOURCE = { source: null, value: null, rowsChanged: null, reason: null, askedMs: null };

async function answerOne(
  deps: Deps,
  one: Standing,
  newest: Newest | undefined,
  found: ReadonlyMap<string, FoundAnswer | string>,
): Promise<NewestAnswer> {
  if (newest === undefined) return { newest, answer: { ...NO_SOURCE, state: "source_closed" } };
  const { source, file } = newest;
  const judged = await judge(one, file, found);
  if (judged === null) return { newest, answer: { ...NO_SOURCE, state: "not_asked" } };
  const asked = {
    id: source.source_id,
    revision_number: source.live_number,
    asset_id: file?.asset_id ?? null,
    content_sha256: file?.content_sha256 ?? null,
  };
  return { newest, answer: { ...judged, source: asked, askedMs: deps.now() } };
}

/** Null for what was not asked. */
async function judge(
  one: Standing,
  file: StandingFileRow | null,
  found: ReadonlyMap<string, FoundAnswer | string>,
): Promise<Judged | null> {
  const { figure } = one;
  if (file === null)
    return cannotBeAsked("The newest revision has no file in the place of the one that was asked.");
  if (file.read_sha256 === one.contentSha256)
    return figure === null ? SAME_ROWS : judgeValue(figure.value, figure.form);
  const answer = found.get(nameOf(one, file));
  if (answer === undefined) return null;
  if (typeof answer === "string") return cannotBeAsked(answer);
  const question = readKept(one);
  if (figure !== null) return judgeFigure(figure.form, question, answer);
  const block = await one.loadBlock();
  const limit = question.limit < MOST_ROWS ? question.limit : Number.MAX_SAFE_INTEGER;
  return block && judgeChart(block, question, limit, answer);
}

const SAME_ROWS: Judged = { state: "holds", value: null, rowsChanged: 0, reason: null };
