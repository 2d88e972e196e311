import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PROBES } from "../../../shared/ground/addresses.ts";
import { type Refusal, tooMuchToDo } from "../../../shared/ground/errors.ts";
import { type Requester, workFor, workInPlace } from "../../../shared/platform/concurrency/places.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { currentInnerCall } from "../inner-calls.ts";
import { LIMITS, type LoadLimits, openPlace, openPlaces } from "../places.ts";
import { groupAddress } from "./rate-limits.ts";

const TICK_MS = 20;
const LOG_EVERY_MS = 1_000;
/** Callers that all come back at once would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** The handlers of files read at the caller's pace and wait for a verdict: they take long and work little. */
const UPLOADS: ReadonlySet<string> = new Set([
  "POST /api/v1/creations/:creation/append",
  "POST /api/v1/assets",
  "POST /api/v1/uploads/:upload",
  "PUT /api/v1/uploads/:upload",
]);

declare module "fastify" {
  interface FastifyRequest {
    /** Where this request works; null before it may. */
    place: ReturnType<typeof openPlace> | null;
    /** Whether this request was turned away because there was too much to do. */
    isShed: boolean;
  }
}

/**
 * Lets requests wait for a place, and turns those away with 503 that get none in time, so that the others are answered
 * soon. Reads and writes have places of their own: a crowd of the one holds up none of the other. A request holds its
 * place while its handler works: not while its body arrives, it waits for something else or its answer is read. Health
 * checks always pass, and a tool's own request is part of its call.
 */
export function addShedding(app: FastifyInstance, deps: Pick<Deps, "log">, given: Partial<LoadLimits>): void {
  const limits = { ...LIMITS, ...given };
  const reads = openPlaces(limits.reads, limits);
  const writes = openPlaces(limits.writes, limits);
  const timer = setInterval(() => {
    reads.tick();
    writes.tick();
  }, TICK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  const turnAway = openRefusals(app, deps);
  app.decorateRequest("place", null);
  app.decorateRequest("isShed", false);
  // A tool's call may be either, and most read.
  const placesFor = ({ method, url }: FastifyRequest) =>
    READING.has(method) || url.startsWith("/mcp") ? reads : writes;
  app.addHook("onRequest", (request, _reply, done) => {
    done(mayBeShed(request) && !placesFor(request).mayCome() ? turnAway(request) : undefined);
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (!mayBeShed(request)) return workFor(requesterOf(request, reply), done);
    const requester = () => requesterOf(request, reply);
    if (UPLOADS.has(`${request.method} ${request.routePattern}`)) {
      return workInPlace({ requester, leaveDuring: (wait) => wait() }, done);
    }
    const places = placesFor(request);
    const begin = (hasPlace: boolean) => {
      if (!hasPlace) return done(turnAway(request));
      request.place = openPlace(places, requester);
      workInPlace(request.place, done);
    };
    void places.take(() => reply.raw.destroyed).then(begin);
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    request.place?.end();
    done();
  });
}

const mayBeShed = ({ routePattern }: FastifyRequest) =>
  currentInnerCall() === undefined && !PROBES.has(routePattern);

/** Makes the refusal of a request that is turned away, and logs the number of them once a second. */
function openRefusals(app: FastifyInstance, { log }: Pick<Deps, "log">) {
  let refused = 0;
  let logged = 0;
  const timer = setInterval(() => {
    if (refused > logged) log.warn({ requests: refused - logged }, "overload: requests were refused");
    logged = refused;
  }, LOG_EVERY_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return (request: FastifyRequest): Refusal => {
    request.isShed = true;
    return tooMuchToDo(RETRY_AFTER_SECONDS[refused++ % RETRY_AFTER_SECONDS.length]);
  };
}

/** Who waits for an answer, named as for the limits a minute: the agent of a tool's call, or the address. */
function requesterOf(request: FastifyRequest, reply: FastifyReply): Required<Requester> {
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
