import type { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal, refuse } from "../../shared/ground/errors.ts";
import { askWhetherMeant } from "../../shared/ground/nearest-name.ts";
import type { RouteContext, RouteGroup } from "../http/context.ts";
import { JSON_BODY_BYTES } from "../http/hooks/json-bodies.ts";
import { refuseMethod } from "../http/hooks/method-hints.ts";
import { takeLargeBodies } from "../http/large-bodies.ts";
import { AGENT_PATH, type CallScope, findAgentId, requireToken } from "./callers.ts";
import { addDiscoveryCards } from "./cards.ts";
import { openEvents } from "./events.ts";
import { type Message, RPC, RpcError, readMessage, readMessageBody } from "./messages.ts";
import { INSTRUCTIONS, type Methods, openMethods, READING_INSTRUCTIONS, SERVER_INFO } from "./methods.ts";
import { openPrompts } from "./prompts.ts";
import { openResources } from "./resources.ts";
import { SUBSCRIPTION_METHODS } from "./subscriptions.ts";
import { TOOLS } from "./tools.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Refuses web pages of other origins, and names that were rebound to this service (DNS rebinding). */
function checkOriginAndHost(request: FastifyRequest, siteUrl: string): void {
  const site = new URL(siteUrl);
  const { origin } = request.headers;
  if (origin !== undefined && !isOurOrigin(origin, site)) {
    throw refuse(
      "forbidden",
      "Pages of this origin may not call the tool server.",
      "Call it without a browser.",
    );
  }
  const host = hostnameOf(`http://${request.host}`);
  // An address cannot be rebound, a name can.
  if (host !== site.hostname && !LOOPBACK.has(host) && !isAddress(host)) {
    throw refuse("forbidden", "The Host header names another service.", `Call ${site.origin}/mcp.`);
  }
}

/** On a loopback address all loopback names count as one origin, at any port. */
function isOurOrigin(origin: string, site: URL): boolean {
  return origin === site.origin || (LOOPBACK.has(site.hostname) && LOOPBACK.has(hostnameOf(origin)));
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function isAddress(hostname: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) || hostname.startsWith("[");
}

/**
 * POST /mcp, stateless, for clients of both eras (contract section 6). /mcp/agent offers the same to tokens alone, so that
 * clients ask the owner for one; /mcp/readonly offers the tools that need none.
 */
export const addMcpRoutes: RouteGroup = (app, context) => {
  const resources = openResources(context.deps.config);
  const reading = TOOLS.filter((tool) => tool.ability === null);
  const working = openMethods(TOOLS, INSTRUCTIONS, [
    ...openPrompts(),
    ...resources,
    ...openEvents(),
    ...SUBSCRIPTION_METHODS,
  ]);
  const open = { context, resource: "/mcp" } as const;
  app.register(async (mcp) => {
    mcp.removeContentTypeParser("application/json");
    mcp.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_request: unknown, body: Buffer) => readMessageBody(body),
    );
    addEndpoint(mcp, open, "/mcp", working);
    addEndpoint(mcp, open, "/mcp/readonly", openMethods(reading, READING_INSTRUCTIONS, resources));
    addEndpoint(mcp, { context, resource: AGENT_PATH }, AGENT_PATH, working);
  });
  refuseOtherMethods(app, context);
  addDiscoveryCards(app, context);
};

type Endpoint = Pick<CallScope, "context" | "resource">;

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, url: string, methods: Methods): void {
  const { context, resource } = endpoint;
  app.route({
    method: "POST",
    url,
    ...takeLargeBodies(context.bodyRoom, JSON_BODY_BYTES, (request) => findAgentId(context, request)),
    onRequest: async (request, reply) => {
      checkOriginAndHost(request, context.deps.config.siteUrl);
      if (resource === AGENT_PATH) await requireToken(context, request, reply);
    },
    // A body that is not JSON gets a JSON-RPC error; a request refused before its body is read, an HTTP
    // error.
    errorHandler: (error, request, reply) => {
      if (!(error instanceof Refusal && error.status === 400)) throw error;
      sendError(request, reply, null, new RpcError(RPC.parse, error.message, { httpStatus: 400 }));
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        return await answer(methods, { app, ...endpoint, request, reply });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return sendError(request, reply, findId(request.body), error);
      }
    },
  });
}

/** A client may look for a stream first: without a token it hears of the sign-in there too. */
function refuseOtherMethods(app: FastifyInstance, context: RouteContext): void {
  app.route({
    method: ["GET", "DELETE"],
    url: AGENT_PATH,
    config: { refusesMethod: true },
    handler: async (request, reply) => {
      checkOriginAndHost(request, context.deps.config.siteUrl);
      await requireToken(context, request, reply);
      throw refuseMethod(AGENT_PATH, request.method, ["POST"]);
    },
  });
}

async function answer(methods: Methods, scope: CallScope): Promise<FastifyReply> {
  const { request, reply } = scope;
  const message = readMessage(request.body, request.headers);
  if (message.kind === "notice") return reply.status(202).send();
  const method = methods[message.era].get(message.method);
  if (method === undefined) {
    const httpStatus = message.era === "modern" ? 404 : 200;
    const meant = askWhetherMeant(message.method, [...methods[message.era].keys()]);
    throw new RpcError(RPC.unknownMethod, `There is no such method here.${meant}`, { httpStatus });
  }
  const result = await method(scope, message.params);
  return sendMessage(
    request,
    reply,
    `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${frame(message, result)}}`,
  );
}

const SERVER_INFO_KEY: typeof SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo";
const SERVER_META = JSON.stringify({ [SERVER_INFO_KEY]: SERVER_INFO }).slice(1, -1);
const OWN_META = '{"_meta":{';

/** Results of the new era state that they are complete, and name the server. */
function frame(message: Extract<Message, { kind: "request" }>, result: string): string {
  if (message.era === "legacy") return result;
  const complete = `{"resultType":"complete","_meta":{${SERVER_META}`;
  // A result with members of its own there keeps them beside the server's.
  if (result.startsWith(OWN_META)) return `${complete},${result.slice(OWN_META.length)}`;
  return result === "{}" ? `${complete}}}` : `${complete}},${result.slice(1)}`;
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string | number | null,
  error: RpcError,
): FastifyReply {
  const { code, message, data, httpStatus } = error;
  const body = { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  return sendMessage(request, reply.status(httpStatus), JSON.stringify(body));
}

/** Sends a message as JSON; to a client that reads streams alone as a stream that ends behind it. */
function sendMessage({ headers }: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const { accept = "" } = headers;
  if (!/text\/event-stream/i.test(accept) || /application\/(json|\*)|\*\/\*/i.test(accept)) {
    return reply.type("application/json; charset=utf-8").send(body);
  }
  return reply
    .type("text/event-stream")
    .send(`event: message\ndata: ${body.replaceAll("\n", "\ndata: ")}\n\n`);
}

/** The id of the message that an error belongs to; null where the body gives none. */
function findId(body: unknown): string | number | null {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
