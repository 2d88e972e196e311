import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { httpError, type Refusal } from "../../shared/ground/errors.ts";
import { type OAuthCode, OAuthError } from "../../shared/identity/oauth/parameters.ts";
import { OTHER_FORM, toRefusal } from "./hooks/errors.ts";
import { refuseWhereRead } from "./hooks/text-check.ts";
import { allowOtherOrigins, allowPreflight } from "./public-route.ts";

/** A request of OAuth, and its answer to come. */
export interface OAuthRequest {
  body: Record<string, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface OAuthRoute {
  url: string;
  /** What the body is: OAuth's own requests are forms, a registration is JSON. */
  body: "application/x-www-form-urlencoded" | "application/json";
  handle(input: OAuthRequest): Promise<FastifyReply>;
}

/** Registers an address of OAuth: no cookie, readable from other origins, never cached, errors as clients parse them. */
export function addOAuthRoute(app: FastifyInstance, { url, body, handle }: OAuthRoute): void {
  const sentence = `Send the body as ${body}.`;
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    sendOAuthError(error.code === OTHER_FORM ? httpError(415, sentence) : error, request, reply);
  app.post(url, { errorHandler }, async (request, reply) => {
    allowOtherOrigins(reply);
    reply.header("cache-control", "no-store");
    if (
      request.body !== undefined &&
      !(request.headers["content-type"] ?? "").toLowerCase().startsWith(body)
    ) {
      throw new OAuthError("invalid_request", sentence);
    }
    if (body !== "application/json") refuseWhereRead(request.body);
    return await handle({ body: (request.body ?? {}) as Record<string, unknown>, request, reply });
  });
  allowOAuthPreflight(app, url, "POST, OPTIONS");
}

/** Answers the preflight request of a browser; clients of the tool server name its version at every address. */
export function allowOAuthPreflight(app: FastifyInstance, url: string, methods: string): void {
  allowPreflight(app, url, { methods, headers: "Accept, Authorization, Content-Type, MCP-Protocol-Version" });
}

function sendOAuthError(
  error: FastifyError | Refusal | OAuthError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { code, status, message, retryAfterSeconds } = describe(error, request);
  if (retryAfterSeconds !== null) reply.header("retry-after", String(retryAfterSeconds));
  if (status === 408) reply.header("connection", "close");
  allowOtherOrigins(reply);
  reply
    .status(status)
    .headers({ "cache-control": "no-store", pragma: "no-cache" })
    .type("application/json; charset=utf-8")
    .send({ error: code, error_description: message });
}

function describe(error: FastifyError | Refusal | OAuthError, request: FastifyRequest) {
  if (error instanceof OAuthError) {
    const { code, status, message } = error;
    return { code, status, message, retryAfterSeconds: null };
  }
  const { status, message, retryAfterSeconds } = toRefusal(error, request);
  // OAuth has one status for what is wrong with a request.
  return { code: toCode(status), status: status === 422 ? 400 : status, message, retryAfterSeconds };
}

function toCode(status: number): OAuthCode {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  if (status === 403) return "access_denied";
  return status >= 500 ? "server_error" : "invalid_request";
}
