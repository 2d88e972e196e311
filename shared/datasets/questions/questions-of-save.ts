import type { Db } from "../../../sql/connection/pool.ts";
import { type AskableRow, listAskableFiles } from "../../../sql/datasets/askable-files.ts";
import {
  type AsSent,
  listKeptCharts,
  listKeptFigures,
  type NewChart,
  type NewFigure,
} from "../../../sql/datasets/kept-answers.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { createSemaphore } from "../../platform/concurrency/fair-semaphore.ts";
import { type Requester, workFor } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { leaveOutCell } from "../../tables/questions/plan.ts";
import type { Question } from "../../tables/questions/question.ts";
import { keepNumberText } from "../../tables/questions/raw-question.ts";
import { readQuestionObject } from "../../tables/questions/read-question.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import { DEFAULT_LIMIT } from "../../tables/rows/query.ts";
import { answerTableQuestion, lookUpNames } from "./ask-table.ts";
import { takeMissing } from "./take-missing.ts";

/** A question that a save asks about a file that it names by its hash too. */
export interface SaveQuestion {
  assetId: string;
  /** Null where what was sent is no hash. */
  contentSha256: string | null;
  question: Question;
  /** What of the question was refused already: it is asked where nothing was, and else its names are looked up. */
  errors: FieldErrors;
}

/** What is wrong with a member of `from`, in words that follow its name, or of the question as its refusal says. */
export interface SourceFault {
  /** Empty for the whole question. */
  member: string;
  kind: "file" | "question";
  words: string;
}

/** What a question of a save found, and all that is wrong with it. */
export interface SaveAnswer {
  /** The answer as JSON, with its file; null where there is none. One may stand beside a wrong hash. */
  found: FoundAnswer | null;
  faults: readonly SourceFault[];
  /** The columns of an answer that is not there, as far as they are known. */
  columns: readonly string[] | null;
}

export interface FoundAnswer {
  json: Uint8Array;
  file: Pick<AskableRow, "format" | "read_sha256">;
  /** What counts as blank in it: the question's own, or what the dictionary of the file says now. */
  blanks: Pick<Question, "blank" | "blankOf" | "blankFrom">;
}

/** How long a save's questions may wait and work together; a tenth of that is usual. The answer waits no longer. */
const MOST_MS = 20_000;
/** Files that one requester asks at once: as many as one reader may. */
const FILES_AT_ONCE = 2;

/**
 * Asks all questions of a save, in the agent's turn.
 */
export async function askForSave<Asked extends SaveQuestion>(
  deps: Deps,
  threads: Threads,
  agentId: string,
  questions: readonly Asked[],
): Promise<Map<Asked, SaveAnswer>> {
  const answers = new Map<Asked, SaveAnswer>();
  if (questions.length === 0) return answers;
  const ids = questions.map(({ assetId }) => assetId);
  const files = new Map(
    (await listAskableFiles(deps.pool, agentId, ids, deps.now())).map((file) => [file.asset_id, file]),
  );
  const requester = { key: agentId, signal: AbortSignal.timeout(MOST_MS) };
  await askByFile(requester, questions, async (one) => {
    answers.set(one, await ask(deps, threads, one, files.get(one.assetId)));
  });
  return answers;
}

/** Asks questions in a requester's turn. Those about one file share its coded table, one after the other. */
export async function askByFile<Asked extends { assetId: string }>(
  requester: Requester,
  questions: readonly Asked[],
  askOne: (asked: Asked) => Promise<void>,
): Promise<void> {
  const inTurn = createSemaphore(FILES_AT_ONCE);
  const byFile = Map.groupBy(questions, ({ assetId }) => assetId);
  const askAll = () =>
    Array.from(byFile.values(), (ofFile) =>
      inTurn(async () => {
        for (const one of ofFile) await askOne(one);
      }),
    );
  await workFor(requester, () => Promise.all(askAll()));
}

/** A kept question. That of a chart has a limit, which it leaves out where it is that of every answer. */
export function readKeptQuestion(kind: "figure" | "chart" | "watch", json: string): Question {
  const { question } = readQuestionObject(JSON.parse(json, keepNumberText) as object);
  const isUnsaid = kind === "chart" && question.limit === Number.MAX_SAFE_INTEGER;
  return isUnsaid ? { ...question, limit: DEFAULT_LIMIT } : question;
}

/** Those of these files that the agent may not ask any more; `NO_FILE` says so. */
export async function listClosedFiles(
  db: Db,
  agentId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const files = await listAskableFiles(db, agentId, ids, nowMs);
  const open = new Set(files.filter(({ readiness }) => readiness === "ready").map((file) => file.asset_id));
  return new Set(ids.filter((id) => !open.has(id)));
}

export const NO_FILE: SourceFault = {
  member: "asset_id",
  kind: "file",
  words: "names no file of yours, nor one that readers may fetch.",
};

/** For a question that was not asked. */
export const NO_ANSWER: SaveAnswer = { found: null, faults: [NO_FILE], columns: null };

function findFileFault(file: AskableRow, { contentSha256 }: SaveQuestion): SourceFault | null {
  const faultOf = (member: string, words: string): SourceFault => ({ member, kind: "file", words });
  if (file.readiness === "processing")
    return faultOf("asset_id", "names a file that is still being inspected; save the text once it is ready.");
  if (file.readiness === "failed")
    return faultOf("asset_id", "names a file that inspection refused; upload a corrected one.");
  if (contentSha256 === null || [file.content_sha256, file.read_sha256].includes(contentSha256)) return null;
  return faultOf("content_sha256", `is not that of this file, which is ${file.content_sha256}.`);
}

async function ask(
  deps: Deps,
  threads: Threads,
  asked: SaveQuestion,
  file: AskableRow | undefined,
): Promise<SaveAnswer> {
  if (file === undefined) return NO_ANSWER;
  const fault = findFileFault(file, asked);
  const faults = fault === null ? [] : [fault];
  if (file.readiness !== "ready") return { found: null, faults, columns: null };
  const { question, errors } = asked;
  // Which rows are found depends on how a refused part is mended; which names there are does not.
  const isWhole = Object.keys(errors).length === 0;
  const taken = takeMissing(question, file.dictionary);
  const answer = isWhole
    ? await answerTableQuestion(deps, threads, file, { question: taken, rowBytes: null })
    : null;
  if (answer?.ok) {
    const { blank, blankOf, blankFrom } = taken;
    return {
      found: { json: answer.json, file, blanks: { blank, blankOf, blankFrom } },
      faults,
      columns: null,
    };
  }
  const { refusal, listColumns } = await lookUpNames(deps, file, { question, errors, form: "page" });
  const refused = answer ?? refusal;
  const others = refused === null ? [] : listFaults(refused, file.is_own);
  const isNew = ({ member }: SourceFault) => !(member in errors);
  return { found: null, faults: [...faults, ...others.filter(isNew)], columns: listColumns() };
}

/** The faults of a refused question; a cell of another agent's file is not repeated. */
function listFaults(refusal: RowsRefusal, isOwn: boolean): SourceFault[] {
  const { code, message, errors } = refusal;
  if (code === "not_tabular")
    return [{ member: "asset_id", kind: "file", words: `names a file that is no table: ${message}` }];
  const fields = Object.entries(errors);
  if (fields.length === 0)
    return [{ member: code === "table_required" ? "table" : "", kind: "question", words: message }];
  return fields.flatMap(([member, sentences]) =>
    sentences.map(
      (sentence): SourceFault => ({
        member,
        kind: "question",
        words: isOwn ? sentence : leaveOutCell(refusal, sentence),
      }),
    ),
  );
}

/** What the newest revision of a text keeps of the data. */
export interface KeptBefore {
  charts: readonly (NewChart & AsSent)[];
  figures: readonly (NewFigure & AsSent)[];
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
  return answer.faults.includes(NO_FILE);
}

/** The first that was kept for this question about this file. */
export function findKept<Kept extends (NewChart | NewFigure) & AsSent>(
  all: readonly Kept[],
  { assetId, contentSha256, question }: Pick<SaveQuestion, "assetId" | "contentSha256" | "question">,
): Kept | null {
  const written = writeCanonical(question);
  const isSame = (kept: Kept) =>
    kept.assetId === assetId &&
    (kept.contentSha256 === contentSha256 || kept.sentSha256 === contentSha256) &&
    written === (question.blankFrom === "unsaid" ? leaveOutTaken(kept.question) : kept.question);
  return all.find(isSame) ?? null;
}

/** A kept question as it was sent: a dictionary says of each column what counts as blank. */
function leaveOutTaken(kept: string): string {
  const { blank = [], ...rest } = JSON.parse(kept, keepNumberText) as { blank?: unknown[] };
  return blank.some((one) => typeof one === "string")
    ? kept
    : writeCanonical(readQuestionObject(rest).question);
}
