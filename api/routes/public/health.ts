import { VERSION } from "../../../shared/ground/version.ts";
import { findUnreadiness, type Unreadiness } from "../../../shared/platform/process/readiness.ts";
import type { RouteGroup } from "../../http/context.ts";

/** GET /healthz: the process lives, and its version. GET /readyz: database and migrations answer, and it is not about to stop. */
export const addHealthRoutes: RouteGroup = (app, context) => {
  app.get("/healthz", async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok", version: VERSION }),
  );
  app.get("/readyz", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    const problem = context.stopping.signal.aborted ? STOPPING : await findUnreadiness(context.deps);
    if (problem === null) return reply.send({ status: "ready" });
    return reply.status(503).send({ status: "not ready", ...problem });
  });
};

const STOPPING: Unreadiness = {
  reason: "This process was asked to stop.",
  mend: "Send requests to another process.",
};
