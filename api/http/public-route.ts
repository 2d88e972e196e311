import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { stringifyJson } from "../../shared/ground/raw-json.ts";
import type { PageSubject } from "../../sql/reading/page-versions.ts";
import { type RouteContext, type RouteRequest, toRouteRequest } from "./context.ts";
import { type Bucket, groupAddress } from "./hooks/rate-limits.ts";
import { boundRendering } from "./hooks/time-limits.ts";
import { currentInnerCall } from "./inner-calls.ts";
import { nameResponse, type PublicAnswer, readCached, respond, toResponse } from "./page-cache.ts";
import type { RouteDocs } from "./route-docs.ts";

/** A public route of the interface; no token is read at these addresses, valid or not. */
export interface PublicRoute extends RouteDocs {
  /** From the site's root, parameters as :name. */
  url: string;
  bucket: Bucket;
  cacheSeconds: number;
  /** Set where the answer at an address never changes. */
  isLasting?: boolean;
  /** The time limit for sending an answer, where it exceeds that for rendering. */
  timeoutMs?: number;
  /** The time limit for rendering, where it is not the usual one. */
  renderingMs?: number;
  /**
   * The answer's subject: it is rendered once per version of it, or for each request where this is left out.
   */
  subjectOf?(params: Record<string, string>, request: FastifyRequest): PageSubject | null;
  /** What of the query its answer depends on; nothing where this is left out. */
  variantOf?(query: Record<string, unknown>): Record<string, string>;
  /** Returns null where it has sent its answer itself. */
  handle(input: RouteRequest): Promise<PublicAnswer | null>;
}

/** Registers a route without token or cookie, readable from other origins, cached and limited by address. */
export function addPublicRoute(app: FastifyInstance, context: RouteContext, route: PublicRoute): void {
  const { url, bucket } = route;
  context.routes.push({ ...route, method: "GET", audience: "public" });
  // For a cached answer only the rendering has a time limit.
  const boundsItself = route.subjectOf !== undefined;
  const caching = `${publicFor(route.cacheSeconds)}${route.isLasting ? ", immutable" : ""}`;
  app.get(
    url,
    { handlerTimeout: route.timeoutMs ?? route.renderingMs, config: { boundsItself } },
    async (request, reply) => {
      allowOtherOrigins(reply);
      await countRequest(context, bucket, request, reply);
      const input = toRouteRequest(context, request, reply);
      const { params, query } = input;
      const render = async (onMissingPart: () => void) => {
        const answer = await route.handle({ ...input, context: { ...context, onMissingPart } });
        return answer && toResponse(answer, caching);
      };
      const renderInTime = (onMissingPart: () => void) =>
        boundRendering(render(onMissingPart), route.renderingMs);
      const subject = route.subjectOf?.(params, request) ?? null;
      const variant = route.variantOf?.(query) ?? {};
      const name = nameResponse(url, { ...params, ...variant });
      const response = await readCached(
        context.pageCache,
        subject,
        name,
        boundsItself ? renderInTime : render,
      );
      return response === null ? reply : respond(request, reply, response);
    },
  );
  allowPreflight(app, url);
}

/** Counts a request by its address, or by the agent of the tool's call that it is part of. */
export async function countRequest(
  context: RouteContext,
  bucket: Bucket,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const call = currentInnerCall();
  if (call?.isCounted) return;
  await countPublicRequest(
    context,
    bucket,
    { agentId: call?.countedAgentId ?? null, address: request.ip },
    reply,
  );
}

/** Hosted tool clients share few addresses: a public tool's call counts towards the agent whose token came with it. */
export async function countPublicRequest(
  { rateLimits }: RouteContext,
  bucket: Bucket,
  { agentId, address }: { agentId: string | null; address: string },
  reply: FastifyReply,
): Promise<void> {
  if (agentId !== null) await rateLimits.take("reads", agentId, reply);
  else await rateLimits.take(bucket, groupAddress(address), reply);
}

/** Answers the preflight request (CORS) that a browser sends before it reads from another origin. */
export function allowPreflight(
  app: FastifyInstance,
  url: string,
  { methods = "GET, HEAD, OPTIONS", headers = READ_HEADERS } = {},
): void {
  app.options(url, async (_request, reply) => {
    allowOtherOrigins(reply);
    reply.header("access-control-allow-methods", methods);
    reply.header("access-control-allow-headers", headers);
    reply.header("access-control-max-age", "86400");
    return reply.status(204).send();
  });
}

const READ_HEADERS = "Accept, If-None-Match, If-Modified-Since, Range, If-Range";

/** Sets the CORS headers of public addresses: no credentials, and the headers that a reader needs. */
export function allowOtherOrigins(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header(
    "access-control-expose-headers",
    "ETag, Retry-After, RateLimit, RateLimit-Policy, Link, X-Request-Id, Accept-Ranges, Content-Range, AI-Disclosure",
  );
  reply.header("cross-origin-resource-policy", "cross-origin");
}

/** Sends a public answer under an ETag of its content, or 304 to a reader who has it. */
export function sendPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PublicAnswer,
  cacheSeconds: number,
): FastifyReply {
  return respond(request, reply, toResponse(answer, publicFor(cacheSeconds)));
}

/** Any cache may hold the answer for this many seconds. */
export const publicFor = (seconds: number) => `public, max-age=${seconds}`;

/** JSON around `data` as a public answer. */
export function publicJson(data: unknown): PublicAnswer {
  return { type: "application/json; charset=utf-8", body: stringifyJson({ data }) };
}
