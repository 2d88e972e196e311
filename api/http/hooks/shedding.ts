import { AsyncResource } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Refusal, tooMuchToDo } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { currentInnerCall } from "../inner-calls.ts";
import type { Pressure, Pressures } from "./pressure.ts";

const TICK_MS = 20;
const LOG_EVERY_MS = 1_000;
const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/**
 * The handlers of uploads read at the caller's pace and wait for a verdict: they take long and work little.
 */
const UPLOADS: ReadonlySet<string> = new Set([
  "POST /api/v1/assets",
  "POST /api/v1/uploads/:upload",
  "PUT /api/v1/uploads/:upload",
]);
/** Each handler's own time limit ends before this, so a request without an answer by now never gets one. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Callers that all come back at once would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];

const shed = new WeakSet<FastifyRequest>();

/** Whether this request was turned away because there was too much to do. */
export function wasShed(request: FastifyRequest): boolean {
  return shed.has(request);
}

declare module "fastify" {
  interface FastifyRequest {
    /** Lets another request begin while this one waits and does no work. */
    giveBackPlace(): void;
  }
}

/**
 * Lets bursts wait for a place, and turns requests away with 503 while the process is overloaded, so that the others
 * are answered fast. A request counts while its handler works: neither a body that arrives slowly nor a slow reader
 * holds a place. Health checks always pass, and a tool's own request is part of its call.
 */
export function addShedding(app: FastifyInstance, deps: Deps, pressures: Pressures): void {
  const places = openPlaces();
  const turnAway = openRefusals(app, deps);
  const timer = setInterval(() => {
    const nowMs = performance.now();
    pressures.reads.tick(nowMs);
    pressures.writes.tick(nowMs);
    places.endForgotten(nowMs);
  }, TICK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));

  // A tool's call may be either, and most read.
  const pressureOn = ({ method, url }: FastifyRequest) =>
    READING.has(method) || url.startsWith("/mcp") ? pressures.reads : pressures.writes;
  app.addHook("onRequest", (request, _reply, done) => {
    if (mayBeShed(request) && !pressureOn(request).mayCome(performance.now())) done(turnAway(request));
    else done();
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (!mayBeShed(request) || isUpload(request)) return done();
    const pressure = pressureOn(request);
    const hold = () => places.hold(request, pressure, performance.now());
    if (pressure.beginAtOnce()) {
      hold();
      return done();
    }
    // Another request's end begins this one, which must keep its own context.
    const proceed = AsyncResource.bind(done);
    const begin = () => {
      hold();
      proceed();
    };
    const hasLeft = () => reply.raw.destroyed;
    pressure.wait({ begin, turnAway: () => proceed(turnAway(request)), hasLeft }, performance.now());
  });
  app.decorateRequest("giveBackPlace", function (this: FastifyRequest) {
    places.end(this, performance.now());
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    places.end(request, performance.now());
    done();
  });
}

/** Makes the refusal of a request that is turned away, and logs the number of them once a second. */
function openRefusals(app: FastifyInstance, deps: Deps): (request: FastifyRequest) => Refusal {
  let refused = 0;
  let unlogged = 0;
  const timer = setInterval(() => {
    if (unlogged > 0) deps.log.warn({ requests: unlogged }, "overload: requests were refused");
    unlogged = 0;
  }, LOG_EVERY_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return (request) => {
    shed.add(request);
    unlogged++;
    return tooMuchToDo(RETRY_AFTER_SECONDS[refused++ % RETRY_AFTER_SECONDS.length]);
  };
}

function mayBeShed(request: FastifyRequest): boolean {
  return currentInnerCall() === undefined && !HEALTH.has(request.routePattern);
}

function isUpload(request: FastifyRequest): boolean {
  return UPLOADS.has(`${request.method} ${request.routePattern}`);
}

/** The requests that hold a place, in the order in which they took it. */
interface Places {
  hold(request: FastifyRequest, pressure: Pressure, nowMs: number): void;
  /** Does nothing for a request that holds no place. */
  end(request: FastifyRequest, nowMs: number): void;
  /** The work of a caller that left counts until it ends: callers that give up must not make room. */
  endForgotten(nowMs: number): void;
}

function openPlaces(): Places {
  const begun = new Map<FastifyRequest, { pressure: Pressure; sinceMs: number }>();
  const end = (request: FastifyRequest, nowMs: number) => {
    const place = begun.get(request);
    if (place === undefined) return;
    begun.delete(request);
    place.pressure.end(nowMs - place.sinceMs, nowMs);
  };
  return {
    hold(request, pressure, nowMs) {
      begun.set(request, { pressure, sinceMs: nowMs });
    },
    end,
    endForgotten(nowMs) {
      for (const [request, { sinceMs }] of begun) {
        if (nowMs - sinceMs < FORGOTTEN_AFTER_MS) return;
        end(request, nowMs);
      }
    },
  };
}
