import { isIP } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { COMMAND_LINE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { JOB_NAMES } from "../../platform/jobs/catalogue.ts";
import { explainListenFault } from "../../platform/process/explain-failure.ts";
import { listLiveProcesses } from "../../platform/process/live-processes.ts";
import { addTypefaceRoutes } from "../../platform/typefaces.ts";
import { STYLESHEET } from "../../text/stylesheets.ts";
import { renderBoard, renderRefusal } from "./board.ts";
import { addGauges } from "./gauges.ts";
import { retryDeadJobs } from "./retry-jobs.ts";

const HTML = "text/html; charset=utf-8";
const MOST_FAILURES = 100;

/** The operators' own server, never public: /healthz, /metrics, and the board of queues. */
export interface OperatorsServer {
  port: number;
  close(): Promise<void>;
}

/** Listens where the configuration says; `process` names this process, such as API. */
export async function openOperatorsServer(
  deps: Deps,
  where: { host: string; port: number; process: string },
): Promise<OperatorsServer> {
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 1024,
    requestTimeout: 15_000,
    handlerTimeout: 15_000,
    connectionTimeout: 60_000,
  });
  addHeaders(app);
  addMetrics(app, deps);
  addBoard(app, deps, where.process);
  app.setErrorHandler((error, request, reply) => {
    deps.log.error({ err: error, route: request.routeOptions.url }, "operators' page failed");
    return reply
      .status(503)
      .type(HTML)
      .send(renderRefusal("The database or the job engine does not answer."));
  });
  await app.listen({ host: where.host, port: where.port }).catch((error) => {
    const portName = where.process === "API" ? "OPERATORS_PORT" : "OPERATORS_PORT_WORKERS";
    throw explainListenFault(error, { ...where, hostName: "OPERATORS_HOST", portName });
  });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : where.port;
  deps.log.info({ host: where.host, port }, "operators' port listening");
  return { port, close: () => app.close() };
}

function addHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    });
  });
}

function addMetrics(app: FastifyInstance, deps: Deps): void {
  const refresh = addGauges(deps);
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/metrics", async (_request, reply) => {
    await refresh();
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
  addTypefaceRoutes(app);
  app.get(STYLESHEET.path, async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(STYLESHEET.css),
  );
}

function addBoard(app: FastifyInstance, deps: Deps, process: string): void {
  // The form of the board has no fields, so its body is not read.
  app.addContentTypeParser("application/x-www-form-urlencoded", (_request, payload, done) => {
    payload.resume();
    payload.on("end", () => done(null, {}));
  });
  app.get("/", async (request, reply) => {
    if (!isOwnName(request)) return refuse(reply, 421, "Open this page by its address or as localhost.");
    const [queues, failures] = [await deps.jobs.status(), await deps.jobs.failures(MOST_FAILURES)];
    const live = await listLiveProcesses(deps);
    const { retried } = request.query as { retried?: string };
    const notice = /^\d{1,9}$/.test(retried ?? "") ? `${retried} jobs were put back to work.` : null;
    return reply.type(HTML).send(renderBoard({ process, queues, failures, live, nowMs: deps.now(), notice }));
  });
  app.post("/queues/:queue/retry", async (request, reply) => {
    if (!isOwnName(request) || !isSameOrigin(request)) {
      return refuse(
        reply,
        403,
        "This form was sent from another site. Open the board and send it from there.",
      );
    }
    const { queue } = request.params as { queue: string };
    const name = JOB_NAMES.find((job) => job === queue);
    if (name === undefined) return refuse(reply, 404, "There is no such queue.");
    const { retried } = await retryDeadJobs(deps, COMMAND_LINE, name);
    return reply.redirect(`/?retried=${retried}`, 303);
  });
}

function refuse(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply.status(status).type(HTML).send(renderRefusal(sentence));
}

/**
 * Whether the request names an address or a bare name, as operators do. A name with a dot may be a stranger's
 * that points here, so that the stranger's page counts as this origin.
 */
function isOwnName(request: FastifyRequest): boolean {
  const name = (request.headers.host ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return isIP(name) !== 0 || /^[a-z0-9-]+$/i.test(name);
}

/** A browser names a form's origin in one of two headers; a client that sends neither is no browser. */
function isSameOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return origin === undefined || origin === `http://${host}`;
}
