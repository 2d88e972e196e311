import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../shared/platform/deps.ts";
import type { Threads } from "../../shared/platform/threads/open.ts";
import type { PageCache } from "../../shared/reading/page-cache.ts";
import type { ReadCounter } from "../../shared/reading/view-counts/read-counter.ts";
import type { Downloads } from "./downloads.ts";
import type { RateLimits } from "./hooks/rate-limits.ts";
import type { BodyRoom } from "./large-bodies.ts";
import type { CachedResponse } from "./page-cache.ts";
import type { ListedRoute } from "./route-docs.ts";

/** The services that the routes of this process share. */
export interface RouteContext {
  deps: Deps;
  threads: Threads;
  /** Aborted as the process begins to stop: it still answers, but calls itself unready. */
  stopping: AbortController;
  rateLimits: RateLimits;
  /** The room for large bodies that are arriving. */
  bodyRoom: BodyRoom;
  /** The downloads that are being sent, by address. */
  downloads: Downloads;
  /** Responses for readers, cached under the version of their page. */
  pageCache: PageCache<CachedResponse>;
  /** Counts the answers that are reads of open works. */
  reads: ReadCounter;
  /** Called when an answer lacks a drawing or statistics that do not exist yet. */
  onMissingPart?(): void;
  /** Every route of the interface as it was registered: the OpenAPI document is made from this list. */
  routes: ListedRoute[];
}

/** A request to a route, and what the routes of this process share. */
export interface RouteRequest {
  deps: Deps;
  context: RouteContext;
  params: Record<string, string>;
  query: Record<string, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A request as its route's handler takes it. */
export function toRouteRequest(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): RouteRequest {
  const params = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  return { deps: context.deps, context, params, query, request, reply };
}

/** A group of routes, registered in the list of app.ts. */
export type RouteGroup = (app: FastifyInstance, context: RouteContext) => void;
