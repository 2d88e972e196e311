import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "../../shared/deps.ts";
import { httpError } from "../../shared/errors.ts";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import type { Pressure } from "./pressure.ts";

const BEAT_MS = 20;
const TELL_EVERY_MS = 1_000;
const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Its handler reads what a caller sends at its own pace, and waits for a verdict: long, and with little work. */
const UPLOADS = "POST /api/v1/assets";
/** A handler's own time limit answers before this, so what is not answered by now never will be. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Callers that all come back at the same moment would be the next crowd. */
const RETRY_AFTER_SECONDS = [1, 2, 3, 4, 5];

const begun = new WeakMap<FastifyRequest, number>();
const shed = new WeakSet<FastifyRequest>();

/** Whether this request was turned away because there was too much to do. */
export function wasShed(request: FastifyRequest): boolean {
  return shed.has(request);
}

/**
 * Turns requests away with 503 while there is more to do than can be done soon, so that the others are answered fast.
 * A request counts while its handler works: neither a body that comes slowly nor a reader who takes slowly holds a
 * place. Health checks always pass, and a tool's own request is part of its call.
 */
export function addShedding(app: FastifyInstance, deps: Deps, pressure: Pressure): void {
  const told = { turnedAway: 0, sinceMs: 0 };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    pressure.beat(nowMs);
    if (told.turnedAway === 0 || nowMs - told.sinceMs < TELL_EVERY_MS) return;
    deps.log.warn({ requests: told.turnedAway }, "too much to do: requests were turned away");
    Object.assign(told, { turnedAway: 0, sinceMs: nowMs });
  }, BEAT_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));

  let turn = 0;
  const turnAway = (request: FastifyRequest) => {
    shed.add(request);
    told.turnedAway++;
    const retryAfter = RETRY_AFTER_SECONDS[turn++ % RETRY_AFTER_SECONDS.length];
    return httpError(503, "There is too much to do at the moment; send the same request again.", retryAfter);
  };
  app.addHook("onRequest", (request, _reply, done) => {
    if (mayBeShed(request) && !pressure.mayBegin(performance.now())) done(turnAway(request));
    else done();
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (mayBeShed(request) && `${request.method} ${request.routeOptions.url}` !== UPLOADS) {
      begun.set(request, performance.now());
      pressure.begin();
      reply.raw.once("close", () => endIfForgotten(request, pressure));
    }
    done();
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    end(request, pressure);
    done();
  });
}

function mayBeShed(request: FastifyRequest): boolean {
  return currentInnerCall() === undefined && !HEALTH.has(request.routeOptions.url ?? "");
}

function end(request: FastifyRequest, pressure: Pressure): void {
  const sinceMs = begun.get(request);
  if (sinceMs === undefined) return;
  begun.delete(request);
  pressure.end(performance.now() - sinceMs);
}

/** Who left early leaves work behind, which still counts until it ends: callers that give up must not make room. */
function endIfForgotten(request: FastifyRequest, pressure: Pressure): void {
  if (begun.has(request)) setTimeout(() => end(request, pressure), FORGOTTEN_AFTER_MS).unref();
}
