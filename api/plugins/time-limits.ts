import type { FastifyInstance } from "fastify";
import { withTimeout } from "../../shared/concurrency/with-timeout.ts";
import { httpError } from "../../shared/errors.ts";

const MAKING_MS = 30_000;

/** What a caller is told whose answer was not made in time. */
export const TOO_SLOW = httpError(503, "The answer took too long; send the same request again.", 2);

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route bounds the making of its answers itself. */
    boundsItself?: boolean;
  }
}

/** No handler works for longer than a time that its route gives, or the usual one. */
export function addTimeLimits(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.config?.boundsItself) route.handlerTimeout ??= MAKING_MS;
  });
}

/**
 * The same limit for work that few requests of a route do: a timer and a signal for each request cost as much as the
 * rest of a cached page.
 */
export function boundRendering<Rendered>(
  rendering: Promise<Rendered>,
  mostMs = MAKING_MS,
): Promise<Rendered> {
  return withTimeout(rendering, mostMs, () => TOO_SLOW);
}
