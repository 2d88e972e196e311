import type { FastifyInstance } from "fastify";

/** Whether this process is stopping: it still answers, but calls itself unready. */
export interface Stopping {
  isStopping: boolean;
}

/** While the server stops, each answer closes its connection: an open one would delay the stop. */
export function addStopping(app: FastifyInstance, stopping: Stopping): void {
  app.addHook("preClose", async () => {
    stopping.isStopping = true;
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.isStopping) reply.header("connection", "close");
    done();
  });
}
