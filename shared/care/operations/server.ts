import fastify, { type FastifyInstance } from "fastify";
import type { Deps } from "../../platform/deps.ts";
import { explainListenFault } from "../../platform/process/explain-failure.ts";
import { addGauges } from "./gauges.ts";

/** The operators' own server, never public: /healthz and /metrics. */
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
  addMetrics(app, deps);
  app.setErrorHandler((error, request, reply) => {
    deps.log.error({ err: error, route: request.routeOptions.url }, "operators' request failed");
    return reply.status(503).send({ message: "The database or the job engine does not answer." });
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

function addMetrics(app: FastifyInstance, deps: Deps): void {
  const refresh = addGauges(deps);
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/metrics", async (_request, reply) => {
    await refresh();
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
}
