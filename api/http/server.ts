import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Deps } from "../../shared/platform/deps.ts";
import { refuseUnreadable } from "./hooks/errors.ts";
import { SMALL_BODY_BYTES } from "./hooks/json-bodies.ts";
import { answerClientError } from "./hooks/wire-failures.ts";
import { currentInnerCall } from "./inner-calls.ts";
import { hasLongQuery } from "./query.ts";
import { UPLOAD_TIMEOUT_MS } from "./receive-file.ts";

/** Node closes a connection whose request headers are incomplete after this time and at most one more check. */
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Longer than a balancer keeps a connection open (usually 60 seconds), so that the balancer closes it first. */
const KEEP_ALIVE_MS = 72_000;
/** Some libraries encode the @ of an agent's addresses; the router compares routes with what was sent. */
const ENCODED_AT = "/%40";
// A file's name of 255 characters, each of four bytes and percent-encoded.
const MAX_PARAMETER_LENGTH = 255 * 4 * 3;

/** Opens the HTTP server without a route: its time limits, its sizes, and the log and id of each request. */
export function openServer(deps: Deps): FastifyInstance {
  return fastify({
    rewriteUrl: ({ url = "/" }) =>
      cutLongQuery(url.startsWith(ENCODED_AT) ? `/@${url.slice(ENCODED_AT.length)}` : url),
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => currentInnerCall()?.requestId ?? deps.newId(),
    // Its lines name the request by its context; a child for each request would cost more than a cached page's route.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    trustProxy: deps.config.trustProxy,
    bodyLimit: SMALL_BODY_BYTES,
    // Other bodies are bounded by the time limits of their handlers; no upload waits longer for its turn.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: UPLOAD_TIMEOUT_MS,
    forceCloseConnections: "idle",
    // What was let in is answered, also where it arrives whole as the process stops.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(deps, error, socket),
    http: {
      // Our own hook refuses a missing Host, in the format of every other failure.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    frameworkErrors: (error, request, reply) => refuseUnreadable(deps, error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_LENGTH },
  });
}

/** The router would read a query of any length before a hook refuses it. */
function cutLongQuery(url: string): string {
  return hasLongQuery(url) ? url.slice(0, url.indexOf("?")) : url;
}
