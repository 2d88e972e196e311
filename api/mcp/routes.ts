import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../shared/errors.ts";
import type { RouteContext, RouteGroup } from "../http/context.ts";
import { takeLargeBodies } from "../http/large-bodies.ts";
import { JSON_BODY_BYTES } from "../plugins/json-bodies.ts";
import { addDiscoveryCards } from "./cards.ts";
import { findAgentId } from "./find-agent.ts";
import { checkOriginAndHost } from "./guards.ts";
import { type Message, RPC, RpcError, readMessage } from "./messages.ts";
import { INSTRUCTIONS, type Methods, openMethods, READING_INSTRUCTIONS, SERVER_INFO } from "./methods.ts";
import { openPrompts } from "./prompts.ts";
import { openResources } from "./resources.ts";
import { TOOLS } from "./tools.ts";

/** POST /mcp, stateless, for clients of both eras (contract section 6); /mcp/readonly offers the tools that need no token alone. */
export const addMcpRoutes: RouteGroup = (app, context) => {
  const resources = openResources(context.deps.config);
  const reading = TOOLS.filter((tool) => tool.ability === null);
  const working = openMethods(TOOLS, INSTRUCTIONS, [...openPrompts(), ...resources]);
  addEndpoint(app, context, "/mcp", working);
  addEndpoint(app, context, "/mcp/readonly", openMethods(reading, READING_INSTRUCTIONS, resources));
  addDiscoveryCards(app, context);
};

function addEndpoint(app: FastifyInstance, context: RouteContext, url: string, methods: Methods): void {
  app.route({
    method: "POST",
    url,
    ...takeLargeBodies(context.bodyRoom, JSON_BODY_BYTES, (request) => findAgentId(context, request)),
    onRequest: async (request) => checkOriginAndHost(request, context.deps.config.siteUrl),
    // A body that is not JSON gets a JSON-RPC error; a request refused before its body is read, an HTTP
    // error.
    errorHandler: (error, _request, reply) => {
      if (!(error instanceof Refusal && error.status === 400)) throw error;
      sendError(reply, null, new RpcError(RPC.parse, error.message, { httpStatus: 400 }));
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        return await answer(app, context, methods, request, reply);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return sendError(reply, findId(request.body), error);
      }
    },
  });
}

async function answer(
  app: FastifyInstance,
  context: RouteContext,
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const message = readMessage(request.body, request.headers);
  if (message.kind === "notice") return reply.status(202).send();
  const method = methods[message.era].get(message.method);
  if (method === undefined) {
    const httpStatus = message.era === "modern" ? 404 : 200;
    throw new RpcError(RPC.unknownMethod, "There is no such method here.", { httpStatus });
  }
  const result = await method({ app, context, request, reply }, message.params);
  return sendJson(
    reply,
    `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${frame(message, result)}}`,
  );
}

const MODERN_FRAME = `"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: SERVER_INFO })}`;

/** Results of the new era state that they are complete, and name the server. */
function frame(message: Extract<Message, { kind: "request" }>, result: string): string {
  return message.era === "legacy" ? result : `{${MODERN_FRAME},${result.slice(1)}`;
}

function sendError(reply: FastifyReply, id: string | number | null, error: RpcError): FastifyReply {
  const { code, message, data, httpStatus } = error;
  const body = { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  return sendJson(reply.status(httpStatus), JSON.stringify(body));
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(body);
}

/** The id of the message that an error belongs to; null where the body gives none. */
function findId(body: unknown): string | number | null {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
