import type { FastifyInstance } from "fastify";

/** While the server stops, each answer closes its connection: one that is kept alive would hold the stop up. */
export function addStopping(app: FastifyInstance): void {
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping) reply.header("connection", "close");
    done();
  });
}
