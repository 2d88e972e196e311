import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../shared/ground/errors.ts";
import { writeChallenge } from "../../shared/identity/oauth/metadata.ts";
import type { ResourcePath } from "../../shared/identity/oauth/resources.ts";
import { authenticate } from "../../shared/identity/writes/authenticate.ts";
import type { RouteContext } from "../http/context.ts";
import type { CallScope } from "./call-scope.ts";
import { keepCaller } from "./recent-callers.ts";

/** The address that asks for a token at every request. */
export const AGENT_PATH = "/mcp/agent" satisfies ResourcePath;

/** Throws `unauthenticated`, with the challenge in its header, for a request without a token that works. */
export async function requireToken(
  { deps }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    keepCaller(request, await authenticate(deps, request.headers.authorization));
    request.callerKind = "agent";
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated") {
      reply.header("www-authenticate", challengeWithoutToken(deps.config.siteUrl, AGENT_PATH, request));
    }
    throw error;
  }
}

/**
 * The challenge that goes with a tool's refusal; null for a refusal that no sign-in mends. At the address for agents it
 * is told in HTTP too, where clients look for it.
 */
export async function challengeOf(
  scope: CallScope,
  code: string,
  ability: string | null,
): Promise<string | null> {
  const { context, request, reply, resource } = scope;
  const { siteUrl } = context.deps.config;
  let challenge: string | null = null;
  if (code === "unauthenticated") challenge = challengeWithoutToken(siteUrl, resource, request);
  if (code === "missing_ability" && ability !== null) {
    const { abilities } = await authenticate(context.deps, request.headers.authorization);
    const reason = { error: "insufficient_scope", has: abilities, needs: ability } as const;
    challenge = writeChallenge(siteUrl, resource, reason);
  }
  if (challenge !== null && resource === AGENT_PATH) {
    reply.status(code === "unauthenticated" ? 401 : 403).header("www-authenticate", challenge);
  }
  return challenge;
}

function challengeWithoutToken(siteUrl: string, resource: ResourcePath, { headers }: FastifyRequest): string {
  return writeChallenge(siteUrl, resource, {
    error: headers.authorization === undefined ? null : "invalid_token",
  });
}
