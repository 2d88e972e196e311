import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../shared/deps.ts";
import { stringifyJson } from "../../shared/raw-json.ts";
import type { PageSubject } from "../../shared/readers/page-cache.ts";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import type { RouteDocs } from "../openapi/route-docs.ts";
import { type Bucket, groupAddress } from "../plugins/rate-limits.ts";
import { renderInTime } from "../plugins/time-limits.ts";
import type { Door } from "./context.ts";
import { readFinished } from "./read-finished.ts";
import { type FinishedAnswer, finishAnswer, headersOf, isKnown, nameAnswer } from "./response.ts";

/** What a public route's own function gets; no token is read on these addresses, valid or not. */
export interface PublicRequest {
  deps: Deps;
  door: Door;
  params: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A finished public answer. */
export interface PublicAnswer {
  type: string;
  body: string | Buffer;
  /** A hash of what is shown; made from the body where it is left out. */
  etag?: string;
  lastModifiedMs?: number;
  /** Unlisted: opened by its address, never found. */
  noindex?: boolean;
}

export interface PublicRoute {
  /** From the site's root, parameters as :name. */
  url: string;
  bucket: Bucket;
  cacheSeconds: number;
  docs: RouteDocs;
  /** How long an answer may take to be sent, where that is more than its making. */
  timeoutMs?: number;
  /** What all that the answer shows depends on: it is made once for each state of that. Left out: made at each request. */
  subjectOf?(params: Record<string, string>): PageSubject | null;
  /** Gives null where it has sent its answer itself. */
  handle(input: PublicRequest): Promise<PublicAnswer | null>;
}

/** Registers a route without token or cookie, readable from other origins, cached and limited by address. */
export function addPublicRoute(app: FastifyInstance, door: Door, route: PublicRoute): void {
  const { url, bucket, docs } = route;
  door.routes.push({ method: "GET", url, audience: "public", bucket, docs });
  // One that is kept as a rule: only its making is timed.
  const boundsItself = route.subjectOf !== undefined;
  app.get(url, { handlerTimeout: route.timeoutMs, config: { boundsItself } }, async (request, reply) => {
    allowOtherOrigins(reply);
    await countRequest(door, bucket, request, reply);
    const params = request.params as Record<string, string>;
    const make = async (within: Door) => {
      const answer = await route.handle({ deps: within.deps, door: within, params, request, reply });
      return answer && finishAnswer(answer);
    };
    const subject = route.subjectOf?.(params) ?? null;
    const makeInTime = boundsItself ? (within: Door) => renderInTime(make(within)) : make;
    const answer = await readFinished(door, subject, nameAnswer(url, params), makeInTime);
    if (answer === null) return reply;
    reply.header("cache-control", `public, max-age=${route.cacheSeconds}`);
    return sendFinished(request, reply, answer);
  });
  allowPreflight(app, url);
}

/** Hosted tool clients share few addresses: a public tool's call counts towards the agent whose token came with it. */
async function countRequest(door: Door, bucket: Bucket, request: FastifyRequest, reply: FastifyReply) {
  const agentId = currentInnerCall()?.countedAgentId ?? null;
  if (agentId !== null) await door.rateLimits.take("reads", agentId, reply);
  else await door.rateLimits.take(bucket, groupAddress(request.ip), reply);
}

/** Answers the question that a browser asks before it reads an address from another origin. */
export function allowPreflight(app: FastifyInstance, url: string): void {
  app.options(url, async (_request, reply) => {
    allowOtherOrigins(reply);
    reply.header("access-control-allow-methods", "GET, HEAD, OPTIONS");
    reply.header("access-control-allow-headers", "Accept, If-None-Match, If-Modified-Since");
    reply.header("access-control-max-age", "86400");
    return reply.status(204).send();
  });
}

/** CORS for addresses that anybody may read: no credentials, and the headers that a reader needs. */
export function allowOtherOrigins(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header(
    "access-control-expose-headers",
    "ETag, Retry-After, RateLimit, RateLimit-Policy, Link, X-Request-Id",
  );
  reply.header("cross-origin-resource-policy", "cross-origin");
}

/** Sends a public answer under an ETag of what it shows, or 304 to a reader who has it. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, answer: PublicAnswer): FastifyReply {
  return sendFinished(request, reply, finishAnswer(answer));
}

/** The same for an answer whose bytes are made. */
export function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: FinishedAnswer,
): FastifyReply {
  reply.headers(headersOf(answer));
  if (isKnown(request.headers, answer.etag, answer.lastModifiedMs)) return reply.status(304).send();
  return reply.type(answer.type).send(answer.body);
}

/** JSON around `data` as a public answer. */
export function publicJson(data: unknown): PublicAnswer {
  return { type: "application/json; charset=utf-8", body: stringifyJson({ data }) };
}
