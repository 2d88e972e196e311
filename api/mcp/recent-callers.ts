import type { FastifyRequest } from "fastify";
import type { Caller } from "../../shared/identity/writes/authenticate.ts";

/** A body may arrive slowly: a token that was looked up longer ago is looked up again. */
const RECENT_MS = 1_000;

const known = new WeakMap<FastifyRequest, { caller: Caller["agent"]; atMs: number }>();

/** Keeps the caller of a request whose token was just looked up, so that one request looks it up once. */
export function keepCaller(request: FastifyRequest, caller: Caller["agent"]): void {
  known.set(request, { caller, atMs: performance.now() });
}

/** The caller of a request whose token was looked up a moment ago; null for any other. */
export function findRecentCaller(request: FastifyRequest): Caller["agent"] | null {
  const found = known.get(request);
  return found !== undefined && performance.now() - found.atMs < RECENT_MS ? found.caller : null;
}
