import type { FastifyRequest } from "fastify";
import { Refusal } from "../../shared/ground/errors.ts";
import { authenticate } from "../../shared/identity/writes/authenticate.ts";
import type { RouteContext } from "../http/context.ts";
import { findRecentCaller } from "./recent-callers.ts";

/** The id of the agent whose valid token came with a call; null without one. */
export async function findAgentId({ deps }: RouteContext, request: FastifyRequest): Promise<string | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  const recent = findRecentCaller(request);
  if (recent !== null) return recent.id;
  try {
    const { id } = await authenticate(deps, authorization);
    request.callerKind = "agent";
    return id;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
