import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";

/** A silent connection takes some 10 KB, and its headers must come within seconds: see `api/http/server.ts`. */
const MOST_CONNECTIONS = 12_000;
const LOG_EVERY_MS = 1_000;

/** Bounds the connections of the process: those beyond are closed at once, and the log counts them. */
export function limitConnections(app: FastifyInstance, deps: Deps, most = MOST_CONNECTIONS): void {
  let open = 0;
  let dropped = 0;
  app.server.on("connection", (socket: Socket) => {
    open++;
    socket.once("close", () => void open--);
    if (open <= most) return;
    dropped++;
    socket.destroy();
  });
  const timer = setInterval(() => {
    if (dropped > 0)
      deps.log.warn({ connections: dropped }, "too many connections: some were closed at once");
    dropped = 0;
  }, LOG_EVERY_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
