import { once } from "node:events";
import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../shared/platform/config.ts";
import type { Unreadiness } from "../../shared/platform/process/readiness.ts";

/**
 * Connections that the system holds until this process takes them, as far as it allows. Node's 511 are full after one
 * second of a flood; the system then drops the next ones without a word, and they try again after 1, 3 and 7 seconds.
 */
const BACKLOG = 4096;

/** Begins to serve, and returns the port. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, "host" | "port">,
): Promise<number> {
  await app.listen({ host, port, backlog: BACKLOG });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Answers for an API that cannot work yet: /healthz with 200, else 503 and the reason. Returns its end. */
export async function openWaitingServer(
  { port, host }: Pick<Config, "port" | "host">,
  version: string,
  { reason, mend }: Unreadiness,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const lives = request.url?.split("?")[0] === "/healthz";
    const body = lives ? { status: "ok", version } : { status: "not ready", reason, mend };
    const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
    response.writeHead(lives ? 200 : 503, { ...headers, connection: "close", "retry-after": "5" });
    response.end(JSON.stringify(body));
  });
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
