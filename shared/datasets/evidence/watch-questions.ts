import { readInSnapshot } from "../../../sql/connection/read-in-snapshot.ts";
import { holdWorksWith } from "../../../sql/datasets/standing-questions.ts";
import {
  countWatched,
  deleteWatched,
  findWatchable,
  insertWatched,
  listWatched,
  type NewWatched,
} from "../../../sql/datasets/watched-questions.ts";
import {
  addFault,
  type FieldErrors,
  orNotFound,
  refuse,
  refuseFaults,
  validationFailed,
} from "../../ground/errors.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { RawJson } from "../../ground/raw-json.ts";
import type { Subject, WriteKind } from "../../identity/writes/run-write.ts";
import { workFor } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { requireValue } from "../../requests/explain.ts";
import { readWatchedQuestion } from "../../requests/figures.ts";
import { readBody } from "../../requests/read-body.ts";
import { isSectionSlug } from "../../requests/slugs.ts";
import { EmptyRequest, WatchQuestionRequest } from "../../requests/small-requests.ts";
import { MOST_WATCHED_ROWS } from "../../tables/questions/digest-answer.ts";
import { MOST_QUESTION_BYTES } from "../../tables/questions/question.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import { askForSave, type FoundAnswer, NO_ANSWER } from "../questions/questions-of-save.ts";
import { presentWatched } from "./watched-answer.ts";

/** How long its answer's hashes may take: twenty times what ten thousand rows take on a free core. */
const MOST_DIGEST_MS = 5_000;
/** How many rows of a watched answer are shown. */
const ROWS_SHOWN = 20;

/** A question that was asked, and the live revision that answered. */
interface Asked {
  watched: Omit<NewWatched, "agentId" | "name">;
  answer: RawJson;
  liveId: string;
}

const named = {
  keyed: "where_sent",
  versioned: false,
  find: async (_deps: Deps, _caller: unknown, { name = "" }: Record<string, string>): Promise<Subject> => {
    const sentence = "The name may hold up to 40 lowercase letters, digits and hyphens.";
    refuseFaults(isSectionSlug(name) ? {} : { name: [sentence] });
    return { id: name, what: "question", lockVersion: 0 };
  },
  lock: async (_tx: unknown, _agent: unknown, found: Subject) => found,
} as const;

/** PUT /watches/questions/{name}: from now on the agent is told when a question has another answer. */
export function watchQuestion(threads: Threads): WriteKind<Asked, Subject> {
  return {
    ...named,
    minimize: (data) => minimizeWatched(data as ReturnType<typeof presentWatched>),
    prepare: (deps, { agent }, body) => askToWatch(deps, threads, agent.id, body),
    async perform(tx, deps, agent, { watched, answer, liveId }, { id: name }) {
      const { workId } = watched;
      await holdWorksWith(tx, [], workId);
      const live = orNotFound("creation", await findWatchable(tx, workId));
      await deleteWatched(tx, agent.id, name);
      const most = deps.config.limits.watchedQuestions;
      if ((await countWatched(tx, agent.id)) >= most) throw tooMany(most);
      const row = await insertWatched(tx, { ...watched, agentId: agent.id, name });
      // What went live while the question was asked did not find it.
      if (live.live_id !== liveId)
        await orderWork(tx, deps, [{ name: "ask-standing", payload: { creation_id: workId } }]);
      const data = presentWatched(deps.config.siteUrl, row, answer);
      return { status: 200, data, lockVersion: null, act: actOn("add", agent.id, workId) };
    },
  };
}

/** DELETE /watches/questions/{name}: ends that. */
export const unwatchQuestion: WriteKind<object, Subject> = {
  ...named,
  minimize: (data) => data,
  prepare: async (_deps, _caller, body) => requireValue(readBody(EmptyRequest, body)),
  async perform(tx, _deps, agent, _body, { id: name }) {
    const workId = await deleteWatched(tx, agent.id, name);
    return { status: 204, lockVersion: null, act: actOn("end", agent.id, workId) };
  },
};

function actOn(doing: "add" | "end", agentId: string, workId: string | null) {
  const subjectKind = workId === null ? "agent" : "creation";
  return { action: `watch.${doing}`, subjectKind, subjectId: workId ?? agentId, agentId };
}

/** A watched question without the cells of its answer. */
function minimizeWatched({ answer: _, ...data }: ReturnType<typeof presentWatched>) {
  return data;
}

/** Asks a question of a listed work in its agent's turn; throws what is wrong with it. */
async function askToWatch(deps: Deps, threads: Threads, agentId: string, body: unknown): Promise<Asked> {
  const { creation_id: workId, ...sent } = requireValue(readBody(WatchQuestionRequest, body));
  const live = orNotFound("creation", await findWatchable(deps.pool, workId));
  const { question, errors } = readWatchedQuestion(sent.question);
  const faults: FieldErrors = {};
  const addToQuestion = (member: string, sentence: string) =>
    addFault(faults, ["question", member].filter(Boolean).join("."), sentence);
  for (const [member, sentences] of Object.entries(errors))
    for (const sentence of sentences) addToQuestion(member, sentence);
  const file = chooseFile(live.files, sent.label ?? null);
  if (typeof file === "string") throw validationFailed({ label: [file], ...faults });
  const asked = {
    assetId: file.asset_id,
    contentSha256: null,
    question: { ...question, limit: Math.min(question.limit, MOST_WATCHED_ROWS + 1) },
    errors,
  };
  const answer = (await askForSave(deps, threads, agentId, [asked])).get(asked) ?? NO_ANSWER;
  for (const { member, kind, words } of answer.faults)
    if (kind === "file") addFault(faults, "label", `The label ${words}`);
    else addToQuestion(member, words);
  refuseFaults(faults);
  const { json, blanks, file: read } = answer.found as FoundAnswer;
  const written = writeCanonical({ ...question, ...blanks }, Number.MAX_SAFE_INTEGER);
  if (Buffer.byteLength(written) > MOST_QUESTION_BYTES) throw validationFailed({ question: [TOO_LONG] });
  const requester = { key: agentId, signal: AbortSignal.timeout(MOST_DIGEST_MS) };
  const digest = await workFor(requester, () =>
    threads.digestAnswer({ json, question, rowsShown: ROWS_SHOWN }),
  );
  if (typeof digest === "string") throw validationFailed({ question: [digest] });
  return {
    watched: {
      workId,
      file: { ...file, read_sha256: read.read_sha256 },
      revisionNumber: live.revision_number,
      question: written,
      answer: digest,
      nowMs: deps.now(),
    },
    answer: new RawJson(digest.first),
    liveId: live.live_id,
  };
}

const TOO_LONG = `A watched question may have ${MOST_QUESTION_BYTES} bytes, with what counts as blank. Ask for less at once.`;

type File = Pick<NewWatched["file"], "asset_id" | "label" | "filename">;

/** The file of a label, or the only one; or why there is none. */
function chooseFile(files: readonly File[], label: string | null): File | string {
  const labels = files.map((file) => file.label);
  const [only, ...others] = label === null ? files : files.filter((file) => file.label === label);
  if (only === undefined)
    return label === null
      ? "The work has no file."
      : refuseName(label, { kind: "file", taker: "work" }, labels);
  if (label === null && others.length > 0)
    return `The work has several files. Name one by its label: ${labels.join(", ")}.`;
  return only;
}

function tooMany(most: number) {
  return refuse(
    "quota_exhausted",
    `You watch ${most} questions, the most at one time.`,
    "End some with DELETE /watches/questions/{name}; GET /watches/questions lists them.",
  );
}

/** One page of the questions that an agent watches, the oldest first, with the count of all. */
export async function readWatched(
  { pool, config }: Deps,
  agentId: string,
  part: { limit: number; offset: number },
) {
  return await readInSnapshot(pool, async (db) => {
    const rows = await listWatched(db, agentId, part);
    const items = rows.map((row) => presentWatched(config.siteUrl, row));
    return { items, total: await countWatched(db, agentId) };
  });
}
