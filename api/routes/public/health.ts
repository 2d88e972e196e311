import { isReady } from "../../../shared/process/readiness.ts";
import type { RouteGroup } from "../../http/context.ts";

/** GET /healthz: the process lives. GET /readyz: database and migrations answer, and it is not about to stop. */
export const addHealthRoutes: RouteGroup = (app, context) => {
  app.get("/healthz", async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok" }),
  );
  app.get("/readyz", async (_request, reply) => {
    const ready = !context.stopping.isStopping && (await isReady(context.deps));
    reply.header("cache-control", "no-store").status(ready ? 200 : 503);
    return reply.send({ status: ready ? "ready" : "not ready" });
  });
};
