import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../shared/ground/errors.ts";
import { writeChallenge } from "../../shared/identity/oauth/metadata.ts";
import type { ResourcePath } from "../../shared/identity/oauth/parameters.ts";
import { authenticate } from "../../shared/identity/writes/authenticate.ts";
import type { RouteContext } from "../http/context.ts";
import type { Bucket } from "../http/hooks/rate-limits.ts";
import { countPublicRequest } from "../http/public-route.ts";
import { typedSlash } from "../http/query.ts";
import type { Tool } from "./tool.ts";

/** The address that asks for a token at every request. */
export const AGENT_PATH = "/mcp/agent" satisfies ResourcePath;

/** Throws `unauthenticated`, with the challenge in its header, for a request without a token that works. */
export async function requireToken(
  { deps }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await authenticate(deps, request.headers.authorization);
    request.callerKind = "agent";
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated") {
      reply.header("www-authenticate", challengeWithoutToken(deps.config.siteUrl, AGENT_PATH, request));
    }
    throw error;
  }
}

/**
 * The challenge that goes with a tool's refusal; null for a refusal that no sign-in mends. It is told in HTTP too, where
 * clients look for it; an ability too few at the address for agents alone.
 */
export async function challengeOf(
  scope: CallScope,
  code: string,
  ability: string | null,
): Promise<string | null> {
  const { context, request, reply, resource } = scope;
  const { siteUrl } = context.deps.config;
  let challenge: string | null = null;
  if (code === "unauthenticated") {
    challenge = challengeWithoutToken(siteUrl, resource, request);
    reply.status(401);
  }
  if (code === "missing_ability" && ability !== null) {
    const { abilities } = await authenticate(context.deps, request.headers.authorization);
    const reason = { error: "insufficient_scope", has: abilities, needs: ability } as const;
    challenge = writeChallenge(siteUrl, `${resource}${typedSlash(request)}`, reason);
    if (resource === AGENT_PATH) reply.status(403);
  }
  if (challenge !== null && reply.statusCode !== 200) reply.header("www-authenticate", challenge);
  return challenge;
}

function challengeWithoutToken(siteUrl: string, resource: ResourcePath, request: FastifyRequest): string {
  return writeChallenge(siteUrl, `${resource}${typedSlash(request)}`, {
    error: request.headers.authorization === undefined ? null : "invalid_token",
  });
}

/** The id of the agent whose valid token came with a call; null without one. */
export async function findAgentId({ deps }: RouteContext, request: FastifyRequest): Promise<string | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  try {
    const { id } = await authenticate(deps, authorization);
    request.callerKind = "agent";
    return id;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Counts a call of a public tool before its arguments are read; throws `rate_limited`. Gives its agent. */
export async function countPublicCall(
  { context, request, reply }: { context: RouteContext; request: FastifyRequest; reply: FastifyReply },
  tool: Tool,
): Promise<string | null> {
  const agentId = await findAgentId(context, request);
  await countPublicRequest(context, findBucket(context, tool), { agentId, address: request.ip }, reply);
  return agentId;
}

function findBucket({ routes }: RouteContext, { name, request }: Tool): Bucket {
  const shapeOf = (path: string) => path.replace(/:\w+/g, ":");
  const path = shapeOf(request.path);
  const route = routes.find(({ method, url }) => method === request.method && shapeOf(url) === path);
  if (route === undefined) throw new Error(`the tool ${name} runs a request that no route answers`);
  return route.bucket;
}

/** The call from which a tool runs: its token, address and request id become the inner request's. */
export interface CallScope {
  app: FastifyInstance;
  context: RouteContext;
  request: FastifyRequest;
  /** The reply to the call, which takes over the inner request's limit headers. */
  reply: FastifyReply;
  /** The address that was called, as clients that ask an owner for a token name it. */
  resource: ResourcePath;
}
