import type { FastifyInstance } from "fastify";

/** While the server stops, each answer closes its connection: an open one would delay the stop. */
export function addStopping(app: FastifyInstance, stopping: AbortController): void {
  app.addHook("preClose", async () => stopping.abort());
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.signal.aborted) reply.header("connection", "close");
    done();
  });
}
