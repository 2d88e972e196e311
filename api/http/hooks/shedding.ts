import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Refusal, tooMuchToDo } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** How much one process works on at once, and how long requests wait for that; times in milliseconds. */
export interface LoadLimits {
  reads: number;
  writes: number;
  /** The longest wait for a place. */
  waitMs: number;
  /** Requests that come so soon after the first that had to wait are one burst, and all of them may wait. */
  burstMs: number;
  /** Who comes later is turned away at once while the first in the queue has waited for longer than this. */
  crowdMs: number;
  connections: number;
}

// Seen with `npm run bench -- overload bursts api-reads` on two cores.
const LIMITS: LoadLimits = {
  // Fifty connections that read one after the other never wait. Some reads wait for a thread, a file or each other, so
  // the places are more than the ten connections to the database. At 300 reads a second all are done in 0.2 s.
  reads: 64,
  // One for each connection to the database: a further write would wait for one of these.
  writes: 10,
  // What a caller waits for anyway.
  waitMs: 2_000,
  // Five hundred new connections are taken and read in less. At three times what is done in time, those who came in
  // this time wait twice as long, so that with their work they are answered within a second.
  burstMs: 400,
  // At three times what is done in time, the last to join meanwhile waits three times as long.
  crowdMs: 150,
  // A silent one takes some 10 KB, and its headers must come within seconds: see `api/http/server.ts`.
  connections: 12_000,
};

const LOG_EVERY_MS = 1_000;
/** Callers that all come back at once would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];
const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
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
 * pass, and a tool's own request is part of its call. Connections beyond their bound are closed at once.
 */
export function addShedding(app: FastifyInstance, deps: Pick<Deps, "log">, given: Partial<LoadLimits>): void {
  const limits = { ...LIMITS, ...given };
  const reads = openPlaces(limits.reads, limits);
  const writes = openPlaces(limits.writes, limits);
  const turnAway = openRefusals(app, deps);
  limitConnections(app, deps, limits.connections);
  app.decorateRequest("heldPlaces", null);
  app.decorateRequest("isShed", false);
  app.decorateRequest("giveBackPlace", giveBackPlace);
  // A tool's call may be either, and most read.
  const placesFor = ({ method, url }: FastifyRequest) =>
    READING.has(method) || url.startsWith("/mcp") ? reads : writes;
  app.addHook("onRequest", (request, _reply, done) => {
    done(mayBeShed(request) && placesFor(request).isCrowded() ? turnAway(request) : undefined);
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

function mayBeShed(request: FastifyRequest): boolean {
  return currentInnerCall() === undefined && !HEALTH.has(request.routePattern);
}

/** Does nothing for a request that holds no place. */
function giveBackPlace(this: FastifyRequest): void {
  this.heldPlaces?.giveBack();
  this.heldPlaces = null;
}

/** Places for the requests that are worked on, and the queue before them. */
interface Places {
  /** Whether more comes than is done in time. */
  isCrowded(): boolean;
  /** Resolves to true once a place is taken; to false where there is none in time, or the caller has left by then. */
  take(hasLeft: () => boolean): Promise<boolean>;
  giveBack(): void;
}

interface Waiting {
  sinceMs: number;
  hasLeft(): boolean;
  end(hasPlace: boolean): void;
}

/** Opens so many places. Those who wait are served in their order. */
function openPlaces(most: number, { waitMs, burstMs, crowdMs }: LoadLimits): Places {
  let taken = 0;
  let queuedSinceMs = 0;
  const queue = new Set<Waiting>();
  const wait = (hasLeft: () => boolean, sinceMs: number) =>
    new Promise<boolean>((resolve) => {
      const end = (hasPlace: boolean) => {
        clearTimeout(timer);
        queue.delete(one);
        resolve(hasPlace);
      };
      const one = { sinceMs, hasLeft, end };
      const timer = setTimeout(end, waitMs, false);
      queue.add(one);
    });
  return {
    isCrowded() {
      const [first] = queue;
      const nowMs = performance.now();
      return first !== undefined && nowMs - queuedSinceMs > burstMs && nowMs - first.sinceMs > crowdMs;
    },
    async take(hasLeft) {
      if (taken < most) {
        taken++;
        return true;
      }
      const nowMs = performance.now();
      if (queue.size === 0) queuedSinceMs = nowMs;
      return await wait(hasLeft, nowMs);
    },
    giveBack() {
      // A place goes to the first who waits and is still there.
      for (const one of queue) {
        const hasLeft = one.hasLeft();
        one.end(!hasLeft);
        if (!hasLeft) return;
      }
      taken--;
    },
  };
}

/** Makes the refusal of a request that is turned away, and logs the number of them once a second. */
function openRefusals(
  app: FastifyInstance,
  { log }: Pick<Deps, "log">,
): (request: FastifyRequest) => Refusal {
  let refused = 0;
  const count = countInLog(app, (requests) => log.warn({ requests }, "overload: requests were refused"));
  return (request) => {
    request.isShed = true;
    count();
    return tooMuchToDo(RETRY_AFTER_SECONDS[refused++ % RETRY_AFTER_SECONDS.length]);
  };
}

/** Bounds the connections of the process, whichever of its sockets took them. */
function limitConnections(app: FastifyInstance, { log }: Pick<Deps, "log">, most: number): void {
  let open = 0;
  const count = countInLog(app, (connections) =>
    log.warn({ connections }, "too many connections: some were closed at once"),
  );
  app.server.on("connection", (socket: Socket) => {
    open++;
    socket.once("close", () => void open--);
    if (open <= most) return;
    count();
    socket.destroy();
  });
}

/** Counts what a line for each of would add to the load, and writes the number once a second. */
function countInLog(app: FastifyInstance, write: (count: number) => void): () => void {
  let counted = 0;
  const timer = setInterval(() => {
    if (counted > 0) write(counted);
    counted = 0;
  }, LOG_EVERY_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return () => void counted++;
}
