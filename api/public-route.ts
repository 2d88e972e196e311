import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sha256 } from "../shared/checksum.ts";
import type { Deps } from "../shared/deps.ts";
import { stringifyJson } from "../shared/raw-json.ts";
import type { Door } from "./door.ts";
import { currentInnerCall } from "./mcp/inner-calls.ts";
import type { RouteDocs } from "./openapi/route-docs.ts";
import { type Bucket, groupAddress } from "./plugins/rate-limits.ts";

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
  body: string;
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
  /** Gives null where it has sent its answer itself. */
  handle(input: PublicRequest): Promise<PublicAnswer | null>;
}

/** Registers a route without token or cookie, readable from other origins, cached and limited by address. */
export function addPublicRoute(app: FastifyInstance, door: Door, route: PublicRoute): void {
  const { url, bucket, docs } = route;
  door.routes.push({ method: "GET", url, audience: "public", bucket, docs });
  app.get(url, { handlerTimeout: route.timeoutMs }, async (request, reply) => {
    allowOtherOrigins(reply);
    await countRequest(door, bucket, request, reply);
    const params = request.params as Record<string, string>;
    const answer = await route.handle({ deps: door.deps, door, params, request, reply });
    if (answer === null) return reply;
    reply.header("cache-control", `public, max-age=${route.cacheSeconds}`);
    return sendPublic(request, reply, answer);
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
  const etag = `"${answer.etag ?? sha256(answer.body).slice(0, 32)}"`;
  reply.header("etag", etag);
  if (answer.noindex) reply.header("x-robots-tag", "noindex");
  if (answer.lastModifiedMs !== undefined) {
    reply.header("last-modified", new Date(answer.lastModifiedMs).toUTCString());
  }
  if (isKnown(request, etag, answer.lastModifiedMs)) return reply.status(304).send();
  return reply.type(answer.type).send(answer.body);
}

/** If-None-Match decides where it is sent; If-Modified-Since only without it (RFC 9110, 13.1.3). */
export function isKnown(request: FastifyRequest, etag: string, lastModifiedMs?: number): boolean {
  const known = request.headers["if-none-match"];
  if (known !== undefined) {
    return (
      known.trim() === "*" || known.split(",").some((entry) => entry.trim().replace(/^W\//, "") === etag)
    );
  }
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  return lastModifiedMs !== undefined && since >= Math.floor(lastModifiedMs / 1000) * 1000;
}

/** JSON around `data` as a public answer. */
export function publicJson(data: unknown): PublicAnswer {
  return { type: "application/json; charset=utf-8", body: stringifyJson({ data }) };
}
