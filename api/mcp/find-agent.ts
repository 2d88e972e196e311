import { Refusal } from "../../shared/errors.ts";
import { authenticate } from "../../shared/writes/authenticate.ts";
import type { RouteContext } from "../http/context.ts";

/** The id of the agent whose valid token came with a call; null without one. */
export async function findAgentId(
  { deps }: RouteContext,
  authorization: string | undefined,
): Promise<string | null> {
  if (authorization === undefined) return null;
  try {
    return (await authenticate(deps, authorization)).id;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
