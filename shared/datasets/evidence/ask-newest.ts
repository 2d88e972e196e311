import type { Db } from "../../../sql/connection/pool.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import type {
  StandingAnswer,
  StandingFileRow,
  StandingRow,
} from "../../../sql/datasets/standing-questions.ts";
import type { WatchedAnswer } from "../../../sql/datasets/watched-questions.ts";
import { Refusal } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Figure } from "../../requests/figures.ts";
import { MOST_WATCHED_ROWS } from "../../tables/questions/digest-answer.ts";
import { leaveOutCell } from "../../tables/questions/plan.ts";
import type { Question } from "../../tables/questions/question.ts";
import { MOST_ROWS } from "../../text/markdown/charts/read-rows.ts";
import { answerTableQuestion } from "../questions/ask-table.ts";
import { ROWS_OF_FIGURE } from "../questions/bind-figures.ts";
import { askByFile, type FoundAnswer, readKeptQuestion } from "../questions/questions-of-save.ts";
import { findNewest, findNewestWatched, type Newest, NO_FILE_LEFT } from "./find-newest.ts";
import {
  cannotBeAsked,
  type Judged,
  judgeChart,
  judgeFigure,
  judgeValue,
  type KeptBlock,
  SAME_ROWS,
} from "./judge-answer.ts";
import { judgeWatched, type LastAnswer } from "./watched-answer.ts";

/** A figure of a text, a chart whose rows come from a file, or a watched question, with what is kept of its data. */
export interface Standing {
  kind: StandingRow["kind"];
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
  /** Of a watched question: its id, and the hash of its last answer. */
  watched?: LastAnswer;
}

/** What the newest data say, and which those are; without `newest` no open work has them. */
export interface NewestAnswer {
  newest: Newest | undefined;
  answer: StandingAnswer;
}

/** A question of a file, as it is asked. */
interface FileQuestion {
  kind: Standing["kind"];
  file: StandingFileRow;
  question: Question;
}

/** Answers and, in their place, refusals, by the names of questions. */
type Found = ReadonlyMap<string, FoundAnswer | WatchedAnswer | string>;

/** How questions take their turn: as whose, and how long they may take together; null for as long as it takes. */
interface Turn {
  key: string;
  mostMs: number | null;
}

/** Asks the newest data what stands in texts and what is watched, each question about a file once; what is late is `not_asked`. */
export async function askNewest<Asked extends Standing>(
  deps: Deps,
  threads: Threads,
  asked: readonly Asked[],
  turn: Turn,
): Promise<Map<Asked, NewestAnswer>> {
  if (asked.length === 0) return new Map();
  const newest = await findNewestOf(deps.pool, asked);
  const questions = new Map<string, FileQuestion>();
  for (const one of asked) {
    const file = newest.get(keyOf(one))?.file ?? null;
    if (file !== null && file.read_sha256 !== one.contentSha256)
      questions.set(nameOf(one, file), { kind: one.kind, file, question: toAsked(one) });
  }
  return await answerAll(deps, asked, newest, await askEach(deps, threads, questions, turn));
}

/** What is known without asking: nothing but whether the newest data have the same bytes. */
export async function findKnown<Asked extends Standing>(deps: Deps, db: Db, asked: readonly Asked[]) {
  return await answerAll(deps, asked, await findNewestOf(db, asked), new Map());
}

/** Finds the newest data of what is asked, by its keys. */
export async function findNewestOf(
  db: Db,
  asked: readonly Standing[],
): Promise<Map<string | number, Newest>> {
  const assetIds = asked.flatMap(({ assetId, watched }) => (watched === undefined ? [assetId] : []));
  const watchedIds = asked.flatMap(({ watched }) => watched?.id ?? []);
  return new Map<string | number, Newest>([
    ...(await findNewest(db, assetIds)),
    ...(await findNewestWatched(db, watchedIds)),
  ]);
}

/** What names the newest data of a question: a text may take them of any work with its file. */
export function keyOf({ assetId, watched }: Standing): string | number {
  return watched?.id ?? assetId;
}

/** Asks questions, each once. */
async function askEach(
  deps: Deps,
  threads: Threads,
  questions: ReadonlyMap<string, FileQuestion>,
  { key, mostMs }: Turn,
): Promise<Found> {
  const found = new Map<string, FoundAnswer | WatchedAnswer | string>();
  const signal = mostMs === null ? undefined : AbortSignal.timeout(mostMs);
  const named = Array.from(questions, ([name, asked]) => ({ name, asked, assetId: asked.file.asset_id }));
  const asking = askByFile({ key, ...(signal && { signal }) }, named, async ({ name, asked }) => {
    if (!signal?.aborted) found.set(name, await askOne(deps, threads, asked));
  });
  if (mostMs === null) await asking;
  else
    await withTimeout(asking, mostMs).catch((error: unknown) => {
      if (!isLate(error)) throw error;
    });
  return found;
}

function nameOf({ kind, question }: Standing, file: StandingFileRow): string {
  return `${file.asset_id} ${kind} ${question}`;
}

/** How many rows are asked for: of a figure no more than tell whether there is one, of the others as many as may be. */
const ROWS_ASKED = { figure: ROWS_OF_FIGURE, chart: MOST_ROWS, watch: MOST_WATCHED_ROWS + 1 };

function toAsked({ kind, question: json }: Standing): Question {
  const question = readKeptQuestion(kind, json);
  return { ...question, limit: Math.min(question.limit, ROWS_ASKED[kind]) };
}

/** The answer of a file, or why there is none; no cell of it is repeated. */
async function askOne(deps: Deps, threads: Threads, { kind, file, question }: FileQuestion) {
  const answer = await answerTableQuestion(deps, threads, file, { question, rowBytes: null });
  if (!answer.ok) return leaveOutCell(answer, Object.values(answer.errors).flat()[0] ?? answer.message);
  if (kind === "watch") return await threads.digestAnswer({ json: answer.json, question, rowsShown: 0 });
  return { json: answer.json, file, blanks: question };
}

function isLate(error: unknown): boolean {
  return error instanceof Refusal
    ? error.status === 503
    : error instanceof Error && error.name === "TimeoutError";
}

async function answerAll<Asked extends Standing>(
  deps: Deps,
  asked: readonly Asked[],
  newest: ReadonlyMap<string | number, Newest>,
  found: Found,
): Promise<Map<Asked, NewestAnswer>> {
  const answers = new Map<Asked, NewestAnswer>();
  for (const one of asked) answers.set(one, await answerOne(deps, one, newest.get(keyOf(one)), found));
  return answers;
}

const NO_SOURCE = { source: null, value: null, rowsChanged: null, reason: null, askedMs: null };

async function answerOne(
  deps: Deps,
  one: Standing,
  newest: Newest | undefined,
  found: Found,
): Promise<NewestAnswer> {
  if (newest === undefined) return { newest, answer: { ...NO_SOURCE, state: "source_closed" } };
  const { source, file } = newest;
  const judged = await judge(deps, one, file, found);
  if (judged === null) return { newest, answer: { ...NO_SOURCE, state: "not_asked" } };
  const asked = {
    id: source.source_id,
    revision_number: source.live_number,
    asset_id: file?.asset_id ?? null,
    // A watched question keeps the bytes that were read: the same ones need not be asked again.
    content_sha256: (one.kind === "watch" ? file?.read_sha256 : file?.content_sha256) ?? null,
  };
  return { newest, answer: { ...judged, source: asked, askedMs: deps.now() } };
}

/** Null for what was not asked. */
async function judge(
  deps: Deps,
  one: Standing,
  file: StandingFileRow | null,
  found: Found,
): Promise<Judged | null> {
  const { figure } = one;
  if (file === null) return cannotBeAsked(NO_FILE_LEFT);
  if (file.read_sha256 === one.contentSha256)
    return figure === null ? SAME_ROWS : judgeValue(figure.value, figure.form);
  const answer = found.get(nameOf(one, file));
  if (answer === undefined) return null;
  if (typeof answer === "string") return cannotBeAsked(answer);
  if ("rowHashes" in answer) return await judgeWatched(deps.pool, one.watched, answer);
  const question = readKeptQuestion(one.kind, one.question);
  if (figure !== null) return judgeFigure(figure.form, question, answer);
  const block = await one.loadBlock();
  if (block === null) return cannotBeAsked("The chart cannot be read in the text.");
  const limit = question.limit < MOST_ROWS ? question.limit : Number.MAX_SAFE_INTEGER;
  return judgeChart(block, question, limit, answer);
}
