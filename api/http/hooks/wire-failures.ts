import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { httpError } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { hasLongQuery, refuseLongQuery } from "../query.ts";

/**
 * Refuses requests that Node would answer in its own format or not at all: another version of HTTP, no Host or two,
 * an unknown Expect, a compressed body, a query that nobody reads.
 */
export function addWireFailures(app: FastifyInstance, deps: Deps): void {
  app.addHook("onRequest", ({ raw, originalUrl }, reply, done) => {
    if (raw.httpVersionMajor !== 1) return done(httpError(505, "This service speaks HTTP/1.1."));
    if (raw.httpVersion === "1.1" && raw.headers.host === undefined) {
      return done(httpError(400, "The Host header is missing."));
    }
    // A proxy may have read the other one.
    if (raw.rawHeaders.filter(isNameOfHost).length > 1) {
      return done(httpError(400, "The Host header was sent more than once."));
    }
    if (hasLongQuery(originalUrl)) return done(refuseLongQuery());
    // The service unpacks no body, so no small one can become a large one.
    if (!/^(?:identity)?$/i.test(raw.headers["content-encoding"] ?? "")) {
      reply.header("accept-encoding", "identity");
      return done(httpError(415, "Send the body as it is, without Content-Encoding."));
    }
    if (!/^(?:chunked)?$/i.test(raw.headers["transfer-encoding"] ?? "")) {
      return done(httpError(501, "Send the body with a Content-Length, or chunked and in no other coding."));
    }
    done();
  });
  app.server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { "content-type": JSON_TYPE, "cache-control": "no-store" });
    response.end(describe(deps, "The Expect header may only be 100-continue."));
  });
}

/** Names and values take turns in a list of raw headers. */
const isNameOfHost = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === "host";

/** Answers a connection whose bytes are no HTTP request; no route, hook or request exists for it. */
export function answerClientError(deps: Deps, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = STATUS[error.code ?? ""] ?? 400;
  if (socket.writable) {
    const body = describe(deps, "The request is not valid HTTP, too large in its headers, or too slow.");
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    drain(socket);
  } else {
    socket.destroy();
  }
}

/** Reads on behind an answer, within bounds: closed with bytes unread, a connection may lose the answer. */
function drain(socket: Socket): void {
  let bytes = 0;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS);
  socket.once("close", () => clearTimeout(timer));
  // The parser reads no more of this connection.
  socket.removeAllListeners("data");
  socket.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_DRAINED_BYTES) socket.destroy();
  });
  socket.resume();
}

/** Long enough for what is on its way; a client that stalls holds a connection no longer. */
const DRAIN_MS = 1_000;
const MOST_DRAINED_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";
const STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

function describe(deps: Deps, message: string): string {
  return JSON.stringify({
    message,
    code: "http_error",
    errors: {},
    hint: null,
    docs_url: addressesOf(deps.config.siteUrl).errorDocs("http_error"),
    request_id: deps.newId(),
  });
}
