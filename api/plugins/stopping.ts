import type { FastifyInstance } from "fastify";

/** Whether this process was told to stop: it still answers, but calls itself unready. */
export interface Stopping {
  isStopping: boolean;
}

/** While the server stops, each answer closes its connection: one that is kept alive would hold the stop up. */
export function addStopping(app: FastifyInstance, stopping: Stopping): void {
  app.addHook("preClose", async () => {
    stopping.isStopping = true;
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.isStopping) reply.header("connection", "close");
    done();
  });
}
