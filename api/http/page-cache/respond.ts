import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { ReadCounter } from "../../../shared/reading/view-counts/read-counter.ts";
import { openRequestLines } from "../hooks/request-log.ts";
import { usualHeaders } from "../hooks/security-headers.ts";
import { isFresh } from "./freshness.ts";
import { openPreparedHeads } from "./prepared-heads.ts";
import type { CachedResponse } from "./response.ts";

/** Sends a response with its body, or 304 without; one for the framework's way and one for the short cut. */
type Send<Sent> = (response: CachedResponse, status: 200 | 304) => Sent;

/** Answers a request with a response, or with 304 where the reader has it. */
export function respond<Sent>(
  headers: IncomingHttpHeaders,
  response: CachedResponse,
  send: Send<Sent>,
): Sent {
  return send(response, isFresh(headers, response.headers[304]) ? 304 : 200);
}

/** Sends by the framework, whose hooks set the headers of every answer and count it (`hooks.ts`). */
export function sendByFramework(reply: FastifyReply): Send<FastifyReply> {
  return ({ headers, body, read }, status) => {
    if (read !== null) reply.request.countedRead = read;
    reply.status(status).headers(headers[status]);
    return reply.send(status === 200 ? body : undefined);
  };
}

/** The target of an answer by the short cut, and the route under which it is counted. */
interface Outgoing {
  raw: ServerResponse;
  userAgent: string | undefined;
  /** The pattern of the page's route. */
  route: string;
  tookMs: number;
}

/** Opens the sending past the framework: it does what the hooks do (`hooks.ts`). */
export function openShortCutSend(
  deps: Pick<Deps, "config" | "log" | "metrics" | "newId">,
  reads: ReadCounter,
): (to: Outgoing) => Send<void> {
  const writeHead = openPreparedHeads(usualHeaders(deps));
  const writeLine = openRequestLines(deps);
  return ({ raw, userAgent, route, tookMs }) =>
    (response, status) => {
      const requestId = deps.newId();
      writeHead(raw, response, status, requestId);
      raw.end(status === 200 ? response.body : undefined);
      if (response.read !== null) reads.count(response.read, userAgent);
      deps.metrics.requests.add("GET", route, status, tookMs / 1_000);
      const took = { took_ms: Math.round(tookMs), caller: "public" } as const;
      writeLine({ request_id: requestId, method: "GET", route, status, ...took });
    };
}
