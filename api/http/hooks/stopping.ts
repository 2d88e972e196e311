import type { FastifyInstance } from "fastify";

/** Whether this process is stopping: it still answers, but calls itself unready. */
export interface Stopping {
  readonly isStopping: boolean;
  /** Aborts as the process begins to stop: requests that wait are answered at once. */
  readonly signal: AbortSignal;
  begin(): void;
}

/** The state of a process that is not stopping yet. */
export function openStopping(): Stopping {
  const controller = new AbortController();
  return {
    get isStopping() {
      return controller.signal.aborted;
    },
    signal: controller.signal,
    begin: () => controller.abort(),
  };
}

/** While the server stops, each answer closes its connection: an open one would delay the stop. */
export function addStopping(app: FastifyInstance, stopping: Stopping): void {
  app.addHook("preClose", async () => stopping.begin());
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.isStopping) reply.header("connection", "close");
    done();
  });
}
