import type { LightMyRequestResponse } from "fastify";
import { sha256 } from "../../shared/ground/checksum.ts";
import { type FieldErrors, Refusal, refuseField, validationFailed } from "../../shared/ground/errors.ts";
import { findNearestName } from "../../shared/ground/nearest-name.ts";
import { keepDigits, stringifyJson } from "../../shared/ground/raw-json.ts";
import { authenticate } from "../../shared/identity/writes/authenticate.ts";
import { saysUnknown } from "../../shared/requests/explain.ts";
import { REPLACED_IN } from "../http/counted-reads.ts";
import { type InnerCall, runAsInnerCall } from "../http/inner-calls.ts";
import { boundAnswer } from "./bound-answer.ts";
import { type Bounds, preferBytes, takeBounds } from "./bounds.ts";
import { type CallScope, challengeOf, countPublicCall, findAgentId } from "./callers.ts";
import { addOwnHints } from "./own-hints.ts";
import { findIdWay, findOwnWay } from "./own-ways.ts";
import { findUnknownArguments, nameMissing, readStringified, TAKEN_NOWHERE } from "./read-arguments.ts";
import { planRequest } from "./requests.ts";
import type { Arguments, Tool } from "./tool.ts";
import { putProblemsInToolWords, toToolWords } from "./tool-words.ts";
import { markUntrusted, stripHidden } from "./untrusted.ts";

/** Runs a tool's request and gives the tool result, or the refusal, as JSON text (contract section 5 P). */
export async function callTool(scope: CallScope, tool: Tool, sent: unknown): Promise<string> {
  const given = sent ?? {};
  const isPublic = tool.ability === null;
  try {
    if (typeof given !== "object" || Array.isArray(given)) {
      if (!isPublic) await authenticate(scope.context.deps, scope.request.headers.authorization);
      throw refuseField("arguments", "The arguments must be an object.");
    }
    const countedAgentId = isPublic ? await countPublicCall(scope, tool) : null;
    return await runTool(scope, tool, given as Arguments, { countedAgentId, isCounted: isPublic });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== null) scope.reply.header("retry-after", String(retryAfterSeconds));
    return writeRefusal(error, await challengeOf(scope, error.code, tool.ability));
  }
}

async function runTool(scope: CallScope, tool: Tool, given: Arguments, counted: Counted): Promise<string> {
  const { siteUrl } = scope.context.deps.config;
  const { args, problems: unknown } = findUnknownArguments(tool, given);
  const { read, bounds } = takeBounds(tool, readStringified(tool, args));
  const { options, ...planned } = planRequest(tool, read, siteUrl);
  if (tool.request.endsAtBytes) Object.assign(options.headers, preferBytes(bounds));
  const source = nameSource(`${siteUrl}${options.url}`);
  const problems = { ...nameMissing(tool, args, planned.problems), ...unknown };
  const ownKey = "idempotency_key" in tool.arguments.shape ? makeKey(scope, tool, given) : undefined;
  const response = await sendInside(scope, { ...counted, ownKey }, tool.ability === null, options);
  const { statusCode } = response;
  if (Object.keys(problems).length > 0) {
    // Every other check of the request comes before that of its fields; an unreadable argument that the path holds ends
    // in 404, one that was left out of a query may have ended in an answer to another question.
    const isOfPath = statusCode === 404 && Object.keys(problems).some((name) => name !== "lock_version");
    const isMisspelt = Object.keys(unknown).some((name) => findNearestName(name, ["lock_version"]) !== null);
    const isOfVersion = statusCode === 428 ? isMisspelt : statusCode === 412 && "lock_version" in problems;
    if (isOfPath || statusCode < 400 || isOfVersion) return writeRefusal(unreadable(problems));
    if (statusCode === 422)
      return writeRefusal(unreadable(joinTold(problems, JSON.parse(response.body).errors, planned.unsent)));
  }
  const { countedAgentId } = counted;
  if (statusCode >= 400) {
    const isForOthers = tool.foreign === true && countedAgentId !== null;
    const findWay = async () =>
      findIdWay(args) ??
      (isForOthers ? await findOwnWay(scope.context.deps, countedAgentId, planned.args) : null);
    const way = statusCode === 404 ? await findWay() : null;
    return await writeFailure(scope, tool, args, response, { source, way });
  }
  let { body } = response;
  if (tool.tellsHints && countedAgentId !== null)
    body = await addOwnHints(scope.context.deps, countedAgentId, body);
  if (tool.tellsStates && bounds.parts?.includes("evidence")) body = await addStates(scope, body);
  return writeSuccess(scope, tool, response, { body, bounds, source });
}

/** A key that is the same for a message that its transport repeats. */
function makeKey({ request }: CallScope, { name }: Tool, given: Arguments): string {
  const { id } = request.body as { id: unknown };
  const hash = sha256(stringifyJson([request.headers.authorization, id, name, given]));
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** The faults of arguments with those that the endpoint tells of what it was sent; what it knows of a member that no argument is stands. */
function joinTold(problems: FieldErrors, told: FieldErrors, unsent: readonly string[]): FieldErrors {
  const isUnknown = ([sentence = ""]: readonly string[]) => saysUnknown(sentence);
  const known = Object.entries(told).filter(([name, sentences]) => {
    if (name === TAKEN_NOWHERE || unsent.includes(name)) return false;
    const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
    return problem === undefined || (isUnknown(problem) && !isUnknown(sentences));
  });
  return { ...problems, ...Object.fromEntries(known) };
}

const unreadable = (problems: FieldErrors) =>
  validationFailed(problems, "Correct the named arguments and call again.");

// A call is one request, so the request's limits are the call's.
const LIMIT_HEADERS = ["ratelimit-policy", "ratelimit", "retry-after"] as const;

type InnerRequest = ReturnType<typeof planRequest>["options"];

type Counted = Pick<InnerCall, "countedAgentId" | "isCounted" | "ownKey">;

/** Runs one public request inside this process; it counts towards the agent whose valid token came with the call. */
export async function runInside(scope: CallScope, options: InnerRequest): Promise<LightMyRequestResponse> {
  const countedAgentId = await findAgentId(scope.context, scope.request);
  return await sendInside(scope, { countedAgentId, isCounted: false }, true, options);
}

async function sendInside(
  { app, request, reply }: CallScope,
  counted: Counted,
  isPublic: boolean,
  options: InnerRequest,
): Promise<LightMyRequestResponse> {
  const { authorization, "user-agent": userAgent } = request.headers;
  const token = isPublic || authorization === undefined ? {} : { authorization };
  const call = { requestId: request.id, userAgent, response: reply.raw, ...counted };
  const response = await runAsInnerCall(call, async () =>
    app.inject({ ...options, headers: { ...options.headers, ...token }, remoteAddress: request.ip }),
  );
  // No tool that needs a token gets past the check of the token without one.
  if (!isPublic && response.statusCode !== 401) request.callerKind = "agent";
  for (const name of LIMIT_HEADERS) {
    const value = response.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return response;
}

/** The last revision of the protocol whose clients may read nothing but `structuredContent`. */
const LAST_STRUCTURED = "2025-06-18";
/** A longer address is that of a question, which the answer repeats. */
const MOST_SOURCE_CHARACTERS = 500;

const nameSource = (url: string) => (url.length > MOST_SOURCE_CHARACTERS ? url.replace(/\?.*/s, "") : url);

function writeSuccess(
  { request }: CallScope,
  tool: Tool,
  response: LightMyRequestResponse,
  { body: answered, bounds, source }: { body: string; bounds: Bounds; source: string },
): string {
  const lockVersion = /^"(\d+)"$/.exec(tool.ability === null ? "" : String(response.headers.etag ?? ""))?.[1];
  const replacedIn = response.headers[REPLACED_IN];
  const head = [
    `"status":${response.statusCode}`,
    ...(lockVersion === undefined ? [] : [`"lock_version":${lockVersion}`]),
    ...(tool.foreign ? [`"untrusted":${JSON.stringify(markUntrusted(source))}`] : []),
    ...(replacedIn === undefined ? [] : [`"replaced":${JSON.stringify(sayReplaced(replacedIn))}`]),
  ].join(",");
  const mostBytes = bounds.mostBytes - Buffer.byteLength(head) - 2;
  // What is not cut stays text: parsed, its numbers would lose digits and its members their order.
  const sent =
    response.statusCode === 204 ? "" : boundAnswer(rewriteAnswer(tool, answered), { ...bounds, mostBytes });
  const body = tool.foreign ? stripHidden(sent) : sent;
  const result = response.statusCode === 204 ? `{${head}}` : `{${head},${body.slice(1)}`;
  const block = tool.foreign ? writeText(result, UNTRUSTED_BLOCK) : writeText(result);
  // A client that names no version is as old as the header.
  const version = String(request.headers["mcp-protocol-version"] ?? "").trim();
  const structured = version <= LAST_STRUCTURED ? `"structuredContent":${result},` : "";
  return `{"content":[${block}],${structured}"isError":false}`;
}

const sayReplaced = (id: unknown) =>
  `The newest revision of creation ${id} has this file no more: describe_dataset names those it has.`;

function rewriteAnswer(tool: Tool, body: string): string {
  return tool.tellsProblems ? putProblemsInToolWords(body) : (tool.answer?.(body) ?? body);
}

interface Failure {
  code: string;
  message: string;
  errors: FieldErrors;
  hint: string | null;
}

async function writeFailure(
  scope: CallScope,
  tool: Tool,
  args: Arguments,
  response: LightMyRequestResponse,
  { source, way }: { source: string; way: string | null },
): Promise<string> {
  const body = tool.foreign ? stripHidden(response.body) : response.body;
  const { code, message, errors, hint: usual } = JSON.parse(body) as Failure;
  const hint = way ?? usual;
  const retryAfter = response.headers["retry-after"];
  const told = nameMissing(tool, args, errors);
  const refusal = {
    status: response.statusCode,
    // It names columns and tables, and shows cells, that another agent wrote.
    ...(tool.foreign && response.statusCode === 422 && { untrusted: markUntrusted(source) }),
    code,
    message: code === "validation_failed" ? validationFailed(told).message : message,
    ...(response.statusCode === 422 && { errors: told }),
    ...(hint !== null && { hint }),
    ...(retryAfter !== undefined && { retry_after: Number(retryAfter) }),
  };
  return writeError(refusal, await challengeOf(scope, code, tool.ability));
}

function writeRefusal(refusal: Refusal, challenge: string | null = null): string {
  const { status, code, message, errors, hint, retryAfterSeconds, beside } = refusal;
  const told = {
    status,
    code,
    message,
    ...(status === 422 && { errors }),
    ...(hint !== null && { hint }),
    ...(retryAfterSeconds !== null && { retry_after: retryAfterSeconds }),
    ...beside,
  };
  return writeError(told, challenge);
}

/** A refusal as the caller of a tool reads it; with the challenge by which its client finds the way to the owner. */
function writeError(refusal: Record<string, unknown>, challenge: string | null = null): string {
  const text = JSON.stringify(refusal, (name, value) =>
    typeof value === "string" && name !== "code" ? toToolWords(value) : value,
  );
  // The frame of the newer era looks for a member _meta at the start.
  const meta =
    challenge === null ? "" : `"_meta":${JSON.stringify({ "mcp/www_authenticate": [challenge] })},`;
  return `{${meta}"content":[${writeText(text)}],"isError":true}`;
}

// The mark for clients on a block, beside the one for models in it.
const UNTRUSTED_BLOCK = ',"_meta":{"untrustedContentHint":true}';

function writeText(text: string, mark = ""): string {
  return `{"type":"text","text":${JSON.stringify(text)}${mark}}`;
}

/** An agent's work, with what its public JSON says of the evidence of its live text. */
async function addStates(scope: CallScope, body: string): Promise<string> {
  const { data } = JSON.parse(body) as { data: { id: string; public_url: string | null } };
  if (data.public_url === null) return body;
  const url = `/id/${data.id}`;
  const response = await runInside(scope, { method: "GET", url, headers: { accept: "application/json" } });
  if (response.statusCode !== 200) return body;
  const open = JSON.parse(response.body, keepDigits) as { data: Record<string, unknown> };
  const { evidence, figures, charts } = open.data;
  return `${body.slice(0, -1)},${stringifyJson({ evidence, figures, charts }).slice(1)}`;
}
