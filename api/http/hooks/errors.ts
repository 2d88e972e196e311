import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { httpError, isNetworkFailure, Refusal, refuse } from "../../../shared/ground/errors.ts";
import { joinWords } from "../../../shared/ground/text.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { FileStoreUnavailable } from "../../../shared/platform/files/store.ts";
import { describeError } from "../../../shared/platform/telemetry/describe-error.ts";
import { allowOtherOrigins } from "../public-route.ts";
import { readPath } from "../query.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import { TOO_SLOW } from "./time-limits.ts";
import { NOTHING_HERE, noteRoute, type Route, refuseUnknown } from "./unknown-addresses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route only tells a caller that its method is none of the address. */
    refusesMethod?: boolean;
  }
}

/** One shape for every failure: JSON for callers of the interface, a page for readers of the site. */
export function addErrors(app: FastifyInstance, deps: Deps): void {
  const routes: Route[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.refusesMethod) routes.push(noteRoute([method].flat(), url));
  });
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    // An unknown address takes small bodies only, but its size is not what is wrong.
    const isUnknown = request.is404 && !(error instanceof Refusal) && error.code === TOO_LARGE;
    const refusal = isUnknown
      ? refuseUnknown(routes, readPath(request), request.method)
      : toRefusal(error, request);
    sendRefusal(deps, request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => {
    const refusal = refuseUnknown(routes, readPath(request), request.method);
    // An address that answers any method has no failure to report to OPTIONS (RFC 9110, 9.3.7).
    if (request.method === "OPTIONS" && refusal.allow !== null) {
      return reply
        .status(204)
        .header("allow", [...refusal.allow, "OPTIONS"].join(", "))
        .send();
    }
    sendRefusal(deps, request, reply, refusal);
  });
}

/** Answers for an address that the router cannot read; no hook has run by then, so every header is set here. */
export function refuseUnreadable(
  deps: Deps,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("x-request-id", request.id);
  setSecurityHeaders(deps, request, reply);
  const refusal =
    error.code === "FST_ERR_BAD_URL"
      ? httpError(400, "The address is not valid: its percent-encoding is not UTF-8.")
      : NOTHING_HERE;
  sendRefusal(deps, request, reply, refusal);
}

/** What an error is told as; an unexpected one is logged, and told without its text. */
export function toRefusal(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error.code === "FST_ERR_HANDLER_TIMEOUT" && !request.raw.complete) return BODY_TOO_SLOW;
  if (error.code === TOO_LARGE) return refuseSize(request);
  if (error.code === OTHER_FORM) return refuseForm(request);
  const known = error.code === undefined ? undefined : FASTIFY_FAILURES[error.code];
  if (known) return known;
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return httpError(error.statusCode, "The request could not be read.");
  }
  if (error.code === NO_TEXT) return httpError(400, "A text of the request holds the character U+0000.");
  if (isPassing(error)) {
    // A disk that is full stays so until an operator sees why; a database that is away is told by its own lines.
    if (error instanceof FileStoreUnavailable) {
      const { message, cause } = describeError(error);
      request.log.error(
        { request_id: request.id, reason: message, code: cause?.code },
        "the file store fails",
      );
    }
    return httpError(503, "The service cannot answer for a moment; send the same request again.", 2);
  }
  request.log.error({ request_id: request.id, err: error }, "unexpected failure");
  return refuse(
    "server_error",
    "Something broke on our side.",
    "Send the same request again, a write with the same key.",
  );
}

function refuseSize({ routeOptions }: FastifyRequest): Refusal {
  const most = routeOptions.bodyLimit;
  const told = most < MIB ? `${most / 1024} KiB` : `${most / MIB} MiB`;
  return httpError(413, `The body is larger than ${told}, the most that this address takes.`);
}

/** The refusal of a body that is in none of the forms that its address takes. */
function refuseForm({ server }: FastifyRequest): Refusal {
  const taken = FORMS.filter(([type]) => server.hasContentTypeParser(type)).map(([, said]) => said);
  return httpError(415, `Send ${joinWords(taken, "or")}.`);
}

/** Fastify's word for a body in a form that its address does not take. */
export const OTHER_FORM = "FST_ERR_CTP_INVALID_MEDIA_TYPE";

const FORMS = [
  ["application/json", "JSON as application/json"],
  ["multipart/form-data", "the file in the field file of a form as multipart/form-data"],
  ["application/x-www-form-urlencoded", "a form as application/x-www-form-urlencoded"],
] as const;

/** PostgreSQL's word for a text with U+0000, wherever one comes through. */
const NO_TEXT = "22021";
const TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";
const MIB = 1024 * 1024;

const BODY_TOO_SLOW = httpError(408, "The body did not arrive in time; send the request again.");

const FASTIFY_FAILURES: Record<string, Refusal> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: httpError(400, "The body's length differs from its Content-Length."),
  FST_ERR_HANDLER_TIMEOUT: TOO_SLOW,
  FST_REQ_FILE_TOO_LARGE: httpError(413, "The file is too large."),
};

/** Whether the connection to the database failed, or ended as this process stops: a retry may succeed. */
function isPassing(error: Error): boolean {
  // slonik passes failures of sockets, and of the job engine, on without a class.
  const code = "code" in error ? String(error.code) : "";
  return (
    PASSING_FAILURES.has(error.constructor.name) ||
    isNetworkFailure(error) ||
    PASSING_STATES.test(code) ||
    NOT_CONNECTED.test(error.message)
  );
}

const PASSING_FAILURES: ReadonlySet<string> = new Set([
  "FileStoreUnavailable",
  "ConnectionError",
  "BackendTerminatedError",
  "BackendTerminatedUnexpectedlyError",
  "StatementTimeoutError",
  "StatementCancelledError",
  "IdleTransactionTimeoutError",
]);

/** The SQLSTATEs of a connection that is lost, of a statement that took too long, of a server that stops or starts. */
const PASSING_STATES = /^(?:08\w{3}|57014|57P0[1-3])$/;
const NOT_CONNECTED =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client .*not queryable|Client is (?:pending destroy|destroyed)\.|Cannot use a pool after calling end|Connection pool (?:has|is being) )/;

function sendRefusal(deps: Deps, request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const addresses = addressesOf(deps.config.siteUrl);
  deps.metrics.refusals.inc({ code: refusal.code });
  reply.status(refusal.status);
  reply.header("cache-control", "no-store");
  if (refusal.retryAfterSeconds !== null) reply.header("retry-after", String(refusal.retryAfterSeconds));
  // The rest of such a body must not be read as the next request.
  if (refusal.status === 408) reply.header("connection", "close");
  if (refusal.noindex) reply.header("x-robots-tag", "noindex");
  if (refusal.status === 401 && !reply.hasHeader("www-authenticate"))
    reply.header("www-authenticate", "Bearer");
  if (refusal.allow !== null) {
    reply.header("allow", refusal.allow.join(", "));
    // Only addresses that other origins may read answer OPTIONS.
    if (refusal.allow.includes("OPTIONS")) allowOtherOrigins(reply);
  }
  if (wantsPage(request)) {
    const { title, advice } = wordsFor(refusal);
    const message = `${refusal.message} ${advice}`;
    const isOwners = /^\/(?:console|claim)\b/.test(readPath(request));
    const next = [
      ...(isOwners ? [{ label: "Your agents", url: `${addresses.site}/console` }] : []),
      { label: "The front page of the site", url: addresses.home },
      { label: "Search", url: addresses.search },
    ];
    const page = request.server.ownPages.renderFailure(deps, {
      status: refusal.status,
      title,
      message,
      next,
      isFramed: request.routeOptions.config.isFramed === true,
    });
    reply.type("text/html; charset=utf-8").send(page);
    return;
  }
  reply.type("application/json; charset=utf-8").send({
    message: refusal.message,
    code: refusal.code,
    errors: refusal.errors,
    hint: refusal.hint,
    docs_url: addresses.errorDocs(refusal.code),
    request_id: request.id,
    ...refusal.beside,
  });
}

/** Readers with a browser get a page, except under the interface's own root and on data addresses. */
function wantsPage(request: FastifyRequest): boolean {
  const path = readPath(request);
  if (path.startsWith("/api/") || path.startsWith("/mcp") || /\.(json|xml)$/.test(path)) return false;
  return (request.headers.accept ?? "").includes("text/html");
}

function wordsFor(refusal: Refusal): { title: string; advice: string } {
  if (refusal.status === 404) {
    return {
      title: "Nothing here",
      advice: "It may have been taken off the site, or the address is mistyped.",
    };
  }
  if (refusal.status === 429) return { title: "Too many requests", advice: "Wait a minute, then try again." };
  if (refusal.status < 500) {
    return { title: "That did not work", advice: refusal.hint ?? "Go back and try again." };
  }
  return { title: "Something broke on our side", advice: "Wait a moment, then load the page again." };
}
