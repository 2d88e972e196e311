import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Requester } from "../../shared/platform/concurrency/places.ts";
import { groupAddress } from "./hooks/rate-limits.ts";
import { currentInnerCall } from "./inner-calls.ts";

/** Who waits for an answer, named as for the limits a minute: the agent of a tool's call, or the address. */
export function requesterOf(request: FastifyRequest, reply: FastifyReply): Required<Requester> {
  const call = currentInnerCall();
  const key = call?.countedAgentId ?? groupAddress(request.ip);
  return { key, signal: watchResponse(call?.response ?? reply.raw) };
}

const ANSWERED = "the answer has ended";

const watched = new WeakMap<ServerResponse, AbortSignal>();

/** Aborted when the connection closes or the answer has ended; the request itself closes once its body is read. */
function watchResponse(response: ServerResponse): AbortSignal {
  if (response.closed || response.destroyed) return AbortSignal.abort();
  const known = watched.get(response);
  if (known !== undefined) return known;
  const ended = new AbortController();
  watched.set(response, ended.signal);
  // Without a reason an error would be made for each answer, with its stack.
  response.once("close", () => ended.abort(ANSWERED));
  return ended.signal;
}
