import type { FastifyInstance } from "fastify";
import { httpError } from "../../../shared/ground/errors.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";

const MAKING_MS = 30_000;

/** The refusal of a request whose answer was not ready in time. */
export const TOO_SLOW = httpError(503, "The answer took too long; send the same request again.", 2);

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route itself limits the time of rendering its answers. */
    boundsItself?: boolean;
  }
}

/** Gives every handler a time limit: its route's own, or the usual one. */
export function addTimeLimits(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.config?.boundsItself) route.handlerTimeout ??= MAKING_MS;
  });
}

/** The same limit for rendering alone: a timer for each request costs as much as the rest of a cached page. */
export function boundRendering<Rendered>(
  rendering: Promise<Rendered>,
  mostMs = MAKING_MS,
): Promise<Rendered> {
  return withTimeout(rendering, mostMs, () => TOO_SLOW);
}
