import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressesOf } from "../../shared/ground/addresses.ts";
import { type FieldErrors, refuseFaults } from "../../shared/ground/errors.ts";
import { frameList, readPageQuery } from "../../shared/ground/pagination.ts";
import { stringifyJson } from "../../shared/ground/raw-json.ts";
import { MINUTE_MS } from "../../shared/ground/times.ts";
import { ABILITIES, type Ability } from "../../shared/identity/credentials/abilities.ts";
import {
  authenticate,
  type Caller,
  checkAbility,
  checkClaimed,
  checkRunning,
  checkSuspensions,
  quoteVersion,
} from "../../shared/identity/writes/authenticate.ts";
import { type Answer, waitForAnswer } from "../../shared/identity/writes/idempotency.ts";
import {
  runWrite,
  type Subject,
  type WriteKind,
  type WriteRequest,
} from "../../shared/identity/writes/run-write.ts";
import { requireValue } from "../../shared/requests/explain.ts";
import { readBody } from "../../shared/requests/read-body.ts";
import { EmptyRequest } from "../../shared/requests/small-requests.ts";
import { type RouteContext, type RouteRequest, toRouteRequest } from "./context.ts";
import { JSON_BODY_BYTES } from "./hooks/json-bodies.ts";
import { currentInnerCall } from "./inner-calls.ts";
import { takeLargeBodies } from "./large-bodies.ts";
import { readHeader, readPreferences } from "./preferences.ts";
import { findQueryFaults } from "./query.ts";
import type { RouteDocs } from "./route-docs.ts";

export const API_ROOT = "/api/v1";

/** The input of a route's handler: a request whose agent passed every check. */
export interface AgentRequest extends RouteRequest {
  caller: Caller;
  /** Unknown and repeated parameters of a route that takes some, or a key: its handler refuses them in their turn. */
  faults: FieldErrors;
}

/** A route of the agent interface. Without an ability it neither compiles nor lets the process start. */
export interface AgentRoute extends RouteDocs {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the interface's root, parameters as :name. */
  url: string;
  ability: Ability | "any";
  /** Which limit a request counts towards; writes are also stopped by a pause. */
  kind: "read" | "write" | "check";
  /** Works before the owner has confirmed the claim link. */
  whilePending?: boolean;
  /** Works while the owner has paused the agent, although it is a write. */
  whilePaused?: boolean;
  /**
   * The time limit of a route that needs more than the usual one: an upload arrives at its sender's speed.
   */
  timeoutMs?: number;
  /** How its bodies are read, where that is another way than the usual one. */
  config?: FastifyContextConfig;
  handle(input: AgentRequest): Promise<Answer | null>;
}

const BUCKETS = { read: "reads", write: "writes", check: "checks" } as const;

/** Registers a route; the checks run in the order of contract section 4 (2 to 7). */
export function addAgentRoute(app: FastifyInstance, context: RouteContext, route: AgentRoute): void {
  const { method, ability } = route;
  // Node strips the types before this runs, so the start checks the ability again.
  if (ability !== "any" && !ABILITIES.includes(ability)) {
    throw new Error(`the route ${method} ${route.url} declares no ability`);
  }
  const bucket = BUCKETS[route.kind];
  const url = `${API_ROOT}${route.url}`;
  context.routes.push({ ...route, url, audience: "agent", bucket });
  const passed = new WeakMap<FastifyRequest, Caller>();
  // A large body is read behind the checks; each request passes them once.
  const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const caller = passed.get(request) ?? (await checkAgent(context, route, request, reply));
    passed.set(request, caller);
    return caller;
  };
  app.route({
    method,
    url,
    handlerTimeout: route.timeoutMs,
    config: route.config ?? {},
    ...(method === "GET"
      ? {}
      : takeLargeBodies(
          context.bodyRoom,
          JSON_BODY_BYTES,
          async (...sent) => (await pass(...sent)).agent.id,
        )),
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      const caller = await pass(request, reply);
      // A route with a query tells these faults together with those of its values, a keyed one after replay and If-Match.
      const faults = findQueryFaults(request.query, route.query ?? null);
      if (route.idempotencyKey === undefined) {
        if (route.query === undefined) refuseFaults(faults);
        if (method !== "GET" && route.body === undefined) requireValue(readBody(EmptyRequest, request.body));
      }
      const handle = () => route.handle({ ...toRouteRequest(context, request, reply), caller, faults });
      // A transport that repeats a message while the first still runs would take a refusal for its outcome.
      const answer = await (currentInnerCall() === undefined ? handle() : waitForAnswer(handle));
      return answer === null ? reply : sendAnswer(reply, answer);
    },
  });
}

/** The agent of a request, once its token, its standing and its limits let it in. */
export async function checkAgent(
  context: RouteContext,
  route: Pick<AgentRoute, "kind" | "ability" | "whilePending" | "whilePaused">,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const agent = await authenticate(context.deps, request.headers.authorization);
  request.callerKind = "agent";
  checkSuspensions(agent);
  if (!route.whilePending) checkClaimed(agent);
  if (route.ability !== "any") checkAbility(agent, route.ability);
  await context.rateLimits.take(BUCKETS[route.kind], agent.id, reply);
  if (route.kind === "write" && !route.whilePaused) checkRunning(agent);
  return { agent, address: request.ip, requestId: request.id };
}

/** Sends an answer with its own headers, and marks a replayed one. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.status(answer.status).headers(answer.headers);
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  if (answer.status === 204) return reply.send();
  return reply.type("application/json; charset=utf-8").send(answer.body);
}

/** An answer of 200 around `data` and what stands beside it, with an ETag where the resource has a lock_version. */
export function ok(data: unknown, lockVersion: number | null = null, beside: object | null = null): Answer {
  const headers: Record<string, string> = lockVersion === null ? {} : { etag: quoteVersion(lockVersion) };
  return { status: 200, headers, body: stringifyJson({ data, ...beside }) };
}

/** The handler of a route that is one write: one shared function reads the request and answers it. */
export function writes<Prepared, Found extends Subject | null>(kind: WriteKind<Prepared, Found>) {
  return async (input: AgentRequest): Promise<Answer> =>
    await runWrite(input.deps, input.caller, kind, toWrite(input));
}

/** A client that lost the answer to a message sends it again within this time. */
const OWN_KEY_MS = 2 * MINUTE_MS;

/** A request as a write takes it. */
export function toWrite({ params, faults, request }: AgentRequest): WriteRequest {
  const sentKey = readHeader(request, "idempotency-key");
  const ownKey = currentInnerCall()?.ownKey;
  return {
    faults,
    method: request.method,
    route: request.routePattern,
    params,
    body: request.body,
    idempotencyKey: sentKey ?? ownKey,
    keyHoldsMs: sentKey === undefined && ownKey !== undefined ? OWN_KEY_MS : undefined,
    ifMatch: readHeader(request, "if-match"),
    isMinimal: readPreferences(request).isMinimal,
  };
}

/** A route without what its method and its group say of it: GET reads, and every other method writes. */
interface Wanted
  extends Omit<AgentRoute, "method" | "url" | "kind" | "tag">,
    Partial<Pick<AgentRoute, "kind" | "tag">> {}

/**
 * Adds routes of agents, each by its method, under one tag of the document unless they name another; what comes before
 * them is what most need, unless they say more.
 */
export function openAgentRoutes(app: FastifyInstance, context: RouteContext, tag: RouteDocs["tag"]) {
  const add = (method: AgentRoute["method"]) => (url: string, route: Wanted) =>
    addAgentRoute(app, context, {
      ...{ method, url, tag, kind: method === "GET" ? "read" : "write" },
      before: url.startsWith("/creations/:creation") ? OWN_CREATION : CONFIRMED,
      ...route,
    });
  return { get: add("GET"), post: add("POST"), put: add("PUT"), patch: add("PATCH"), remove: add("DELETE") };
}

/** What most routes need first. */
export const CONFIRMED = "Your owner has to have confirmed the claim.";
/** What routes of one creation need first. */
export const OWN_CREATION = "The creation has to be yours.";

/** A whole body as an answer, such as that of a list. */
export function answerBody(body: object): Answer {
  return { status: 200, headers: {}, body: stringifyJson(body) };
}

/** The asked page of a list at a path below the interface's root, in the frame of every list; faults are refused first. */
export async function answerPage(
  { deps, query, faults }: AgentRequest,
  path: string,
  read: (part: { limit: number; offset: number }) => Promise<{ items: readonly unknown[]; total: number }>,
): Promise<Answer> {
  const page = readPageQuery(query, faults);
  refuseFaults(faults);
  const list = await read({ limit: page.perPage, offset: (page.page - 1) * page.perPage });
  return answerBody(frameList(`${addressesOf(deps.config.siteUrl).api}${path}`, query, page, list));
}

/** The answer of a write that leaves nothing to tell. */
export const NO_CONTENT: Answer = { status: 204, headers: {}, body: "" };
