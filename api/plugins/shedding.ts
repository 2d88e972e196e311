import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "../../shared/deps.ts";
import { tooMuchToDo } from "../../shared/errors.ts";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import type { Pressure, Pressures } from "./pressure.ts";

const TICK_MS = 20;
const LOG_EVERY_MS = 1_000;
const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/**
 * The handler of uploads reads at the caller's pace and waits for a verdict: it takes long and works little.
 */
const UPLOADS = "/api/v1/assets";
/** Each handler's own time limit ends before this, so a request without an answer by now never gets one. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Callers that all come back at once would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];

const shed = new WeakSet<FastifyRequest>();

/** Whether this request was turned away because there was too much to do. */
export function wasShed(request: FastifyRequest): boolean {
  return shed.has(request);
}

/**
 * Turns requests away with 503 while the process is overloaded, so that the others are answered fast. A
 * request counts while its handler works: neither a body that arrives slowly nor a slow reader holds a place.
 * Health checks always pass, and a tool's own request is part of its call.
 */
export function addShedding(app: FastifyInstance, deps: Deps, pressures: Pressures): void {
  const logged = { turnedAway: 0, sinceMs: 0 };
  const places = openPlaces();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    pressures.reads.tick(nowMs);
    pressures.writes.tick(nowMs);
    places.endForgotten(nowMs);
    if (logged.turnedAway === 0 || nowMs - logged.sinceMs < LOG_EVERY_MS) return;
    deps.log.warn({ requests: logged.turnedAway }, "overload: requests were refused");
    Object.assign(logged, { turnedAway: 0, sinceMs: nowMs });
  }, TICK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));

  // A tool's call may be either, and most read.
  const pressureOn = ({ method, url }: FastifyRequest) =>
    READING.has(method) || url.startsWith("/mcp") ? pressures.reads : pressures.writes;
  let shedCount = 0;
  const turnAway = (request: FastifyRequest) => {
    shed.add(request);
    logged.turnedAway++;
    const retryAfter = RETRY_AFTER_SECONDS[shedCount++ % RETRY_AFTER_SECONDS.length];
    return tooMuchToDo(retryAfter);
  };
  app.addHook("onRequest", (request, _reply, done) => {
    if (mayBeShed(request) && !pressureOn(request).mayBegin(performance.now())) done(turnAway(request));
    else done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (mayBeShed(request) && !isUpload(request)) {
      places.begin(request, pressureOn(request), performance.now());
    }
    done();
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    places.end(request, performance.now());
    done();
  });
}

function mayBeShed(request: FastifyRequest): boolean {
  return currentInnerCall() === undefined && !HEALTH.has(request.routePattern);
}

function isUpload(request: FastifyRequest): boolean {
  return request.method === "POST" && request.routePattern === UPLOADS;
}

/** The requests that hold a place, in the order in which they took it. */
interface Places {
  begin(request: FastifyRequest, pressure: Pressure, nowMs: number): void;
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
    place.pressure.end(nowMs - place.sinceMs);
  };
  return {
    begin(request, pressure, nowMs) {
      begun.set(request, { pressure, sinceMs: nowMs });
      pressure.begin();
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
