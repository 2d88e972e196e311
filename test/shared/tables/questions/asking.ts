import { planQuery, type QueryLimits, toRowsPlan } from "../../../../shared/tables/questions/plan.ts";
import { isOnePass } from "../../../../shared/tables/questions/question.ts";
import { readQuestion } from "../../../../shared/tables/questions/read-question.ts";
import type { QueryInput } from "../../../../shared/tables/questions/run.ts";
import { answerByPage, answerQuery } from "../../../../shared/tables/questions/write-page.ts";
import type { RowsRefusal } from "../../../../shared/tables/rows/plan.ts";
import { buildIndex } from "../../../../shared/tables/rows/windows.ts";
import { streamOnce } from "../inspection/sources.ts";
import { LIMITS, prepareFile, type ReadyFile, readPlanned, SMALL_WINDOW } from "../rows/reading.ts";

export const QUERY_LIMITS: QueryLimits = { ...LIMITS, queryBytes: 67_108_864, queryGroups: 100_000 };
const FILE = { assetId: "01M7WVM8W0T8NYB19BE1ATAT9N", contentSha256: "2cf2" };

/** The query of an address that asks a question as JSON. */
export function asJson(question: object): string {
  return new URLSearchParams({ question: JSON.stringify(question) }).toString();
}

/** What the product needs to run a question, or the refusal. */
export async function makeInput(
  ready: ReadyFile,
  query: string,
  limits: QueryLimits = QUERY_LIMITS,
  form: "page" | "csv" | "ndjson" = "page",
): Promise<{ ok: true; input: QueryInput } | Pick<RowsRefusal, "ok" | "code" | "message" | "errors">> {
  const { question, errors } = readQuestion(query, form, limits.rowsPerCall);
  if (Object.keys(errors).length > 0) return { ok: false, code: "validation_failed", message: "", errors };
  const plan = planQuery(ready.file, question, form, limits);
  if (!plan.ok) return plan;
  const index = ready.index ?? (await buildIndex(streamOnce(ready.content), ready.file.format));
  const table = index.tables.find(({ position }) => position === plan.position);
  const bytes = Buffer.concat([ready.content, Buffer.from("\n")]);
  return { ok: true, input: { plan, firstRowAt: table?.offsets[0] ?? 0, bytes, coded: null, seed: 7 } };
}

/** Asks a prepared file a question, as the query of an address. */
export async function ask(ready: ReadyFile, query: string, limits: QueryLimits = QUERY_LIMITS) {
  const made = await makeInput(ready, query, limits);
  if (!made.ok) return made;
  const { plan } = made.input;
  if (!isOnePass(plan.question)) return answerQuery(made.input, FILE);
  return answerByPage(plan, FILE, await readPlanned(ready, toRowsPlan(plan), SMALL_WINDOW));
}

/** The `data` of an answer. */
export async function askData(ready: ReadyFile, query: string, limits?: QueryLimits) {
  const answer = await ask(ready, query, limits);
  if (!answer.ok)
    throw new Error(`refused: ${answer.code} ${answer.message} ${JSON.stringify(answer.errors)}`);
  return JSON.parse(Buffer.from(answer.json).toString());
}

/** The code and the errors of a refused question. */
export async function askRefused(ready: ReadyFile, query: string, limits?: QueryLimits) {
  const answer = await ask(ready, query, limits);
  if (answer.ok) throw new Error("accepted");
  return answer;
}

export { prepareFile };
