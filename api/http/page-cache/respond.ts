import type { FastifyReply, FastifyRequest } from "fastify";
import { isFresh } from "./freshness.ts";
import type { CachedResponse } from "./response.ts";

/** Answers a request with a response, or with 304 where the reader has it; hooks add the headers of every answer. */
export function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, body, read }: CachedResponse,
): FastifyReply {
  if (read !== null) request.countedRead = read;
  const status = isFresh(request.headers, headers[304]) ? 304 : 200;
  return reply
    .status(status)
    .headers(headers[status])
    .send(status === 200 ? body : undefined);
}
