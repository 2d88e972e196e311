import type { FastifyInstance, FastifyRequest } from "fastify";
import { PROBES } from "../../../shared/ground/addresses.ts";
import { type Refusal, tooMuchToDo } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { currentInnerCall } from "../inner-calls.ts";

// Seen with `npm run bench -- overload api-reads` on two cores; times in milliseconds.
const LIMITS = {
  // Fifty connections that read one after the other never wait. Some reads wait for a thread, a file or each other, so
  // the places are more than the ten connections to the database. At 300 reads a second all are done in 0.2 s.
  reads: 64,
  // One for each connection to the database: a further write would wait for one of these.
  writes: 10,
  // The longest wait for a place: what a caller waits for anyway.
  waitMs: 2_000,
  // The same while others are turned away: with its work a request is answered within a second.
  crowdedWaitMs: 300,
  // Where the oldest request has waited for longer than this, more comes than is done at once. Fifty connections wait
  // less at any pace that is worth serving.
  crowdMs: 100,
  // What comes so soon after a crowd began, or in the same turn of the event loop, is one burst, and may wait. At three
  // times what is done in time, those who came meanwhile are answered within a second.
  burstMs: 200,
};
/** How much one process works on at once, and how long requests wait for that. */
export type LoadLimits = typeof LIMITS;

const TICK_MS = 20;
/** A crowd is over once nobody waited and nobody was turned away for so long. */
const CALM_MS = 1_000;
const LOG_EVERY_MS = 1_000;
/** Callers that all come back at once would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** The handlers of uploads read at the caller's pace and wait for a verdict: they take long and work little. */
const UPLOADS: ReadonlySet<string> = new Set([
  "POST /api/v1/assets",
  "POST /api/v1/uploads/:upload",
  "PUT /api/v1/uploads/:upload",
]);

declare module "fastify" {
  interface FastifyRequest {
    /** The places of which this request holds one. */
    heldPlaces: Places | null;
    /** Whether this request was turned away because there was too much to do. */
    isShed: boolean;
    /** Lets another request begin while this one waits and does no work. */
    giveBackPlace(): void;
  }
}

/**
 * Lets requests wait for a place, and turns those away with 503 that get none in time, so that the others are answered
 * soon. Reads and writes have places of their own: a crowd of the one holds up none of the other. A request holds its
 * place while its handler works: neither a body that arrives slowly nor a slow reader holds one. Health checks always
 * pass, and a tool's own request is part of its call.
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
  app.decorateRequest("heldPlaces", null);
  app.decorateRequest("isShed", false);
  app.decorateRequest("giveBackPlace", giveBackPlace);
  // A tool's call may be either, and most read.
  const placesFor = ({ method, url }: FastifyRequest) =>
    READING.has(method) || url.startsWith("/mcp") ? reads : writes;
  app.addHook("onRequest", (request, _reply, done) => {
    done(mayBeShed(request) && !placesFor(request).mayCome() ? turnAway(request) : undefined);
  });
  app.addHook("preHandler", async (request, reply) => {
    if (!mayBeShed(request) || UPLOADS.has(`${request.method} ${request.routePattern}`)) return;
    const places = placesFor(request);
    if (!(await places.take(() => reply.raw.destroyed))) throw turnAway(request);
    request.heldPlaces = places;
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    request.giveBackPlace();
    done();
  });
}

const mayBeShed = ({ routePattern }: FastifyRequest) =>
  currentInnerCall() === undefined && !PROBES.has(routePattern);

function giveBackPlace(this: FastifyRequest): void {
  this.heldPlaces?.giveBack();
  this.heldPlaces = null;
}

type Places = ReturnType<typeof openPlaces>;

type Waiting = { sinceMs: number; hasLeft(): boolean; end(hasPlace: boolean): void };

/** Opens so many places for the requests that are worked on. Those who wait are served in their order. */
function openPlaces(most: number, { waitMs, crowdedWaitMs, crowdMs, burstMs }: LoadLimits) {
  const queue = new Set<Waiting>();
  let taken = 0;
  // Requests that arrived in this turn of the event loop, and when it began; unknown before the first.
  let arrived = 0;
  let turnMs = Number.POSITIVE_INFINITY;
  let crowd: { sinceMs: number; turnMs: number } | null = null;
  let turnedAwayMs = Number.NEGATIVE_INFINITY;

  // A turn with few requests is one of them that works for long, and no crowd.
  const oldestMs = (nowMs: number) => {
    const [first] = queue;
    return Math.max(first ? nowMs - first.sinceMs : 0, arrived > most ? nowMs - turnMs : 0);
  };
  const noteCrowd = (nowMs: number): boolean => {
    if (oldestMs(nowMs) <= crowdMs) return false;
    crowd ??= { sinceMs: nowMs, turnMs };
    return true;
  };
  return {
    /** Whether a request that arrives now is begun in time; called once for each. */
    mayCome(): boolean {
      const nowMs = performance.now();
      arrived++;
      if (!noteCrowd(nowMs) || crowd === null) return true;
      const isOneTurn = crowd.turnMs === turnMs && arrived > most;
      if (isOneTurn || nowMs - crowd.sinceMs < burstMs) return true;
      turnedAwayMs = nowMs;
      return false;
    },
    /** Resolves to true once a place is taken; to false where there is none in time, or the caller has left by then. */
    async take(hasLeft: () => boolean): Promise<boolean> {
      if (taken >= most) return await wait(queue, waitMs, hasLeft);
      taken++;
      return true;
    },
    giveBack(): void {
      // A place goes to the first who waits and is still there.
      for (const one of queue) {
        const hasLeft = one.hasLeft();
        one.end(!hasLeft);
        if (!hasLeft) return;
      }
      taken--;
    },
    /** Called at each turn of the event loop: a turn that lasts is a queue that nobody sees. */
    tick(): void {
      const nowMs = performance.now();
      const isCalm = nowMs - turnedAwayMs > CALM_MS;
      if (!noteCrowd(nowMs) && queue.size === 0 && isCalm) crowd = null;
      const isLate = (one: Waiting) => !isCalm && nowMs - one.sinceMs > crowdedWaitMs;
      for (const one of queue) if (isLate(one)) one.end(false);
      turnMs = nowMs;
      arrived = 0;
    },
  };
}

/** Resolves to true where a place is given in time and the caller is still there. */
function wait(queue: Set<Waiting>, mostMs: number, hasLeft: () => boolean): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const end = (hasPlace: boolean) => {
      clearTimeout(timer);
      queue.delete(one);
      resolve(hasPlace);
    };
    const one = { sinceMs: performance.now(), hasLeft, end };
    const timer = setTimeout(end, mostMs, false);
    queue.add(one);
  });
}

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
