import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ResourcePath } from "../../shared/identity/oauth/resources.ts";
import type { RouteContext } from "../http/context.ts";

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
