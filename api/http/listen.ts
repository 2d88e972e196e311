import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../shared/platform/config.ts";
import type { Unreadiness } from "../../shared/platform/process/readiness.ts";

/**
 * Connections that the system holds until this process takes them, as far as it allows. Node's 511 are full after one
 * second of a flood; the system then drops the next ones without a word, and they try again after 1, 3 and 7 seconds.
 */
const BACKLOG = 4096;

/**
 * Node takes one connection from each listening socket in a turn of its event loop. A turn of a busy process lasts
 * some 5 ms, so one socket takes 200 connections a second, and new callers of a flood wait for seconds.
 */
const SOCKETS = 16;

/** Only Linux spreads connections over the sockets that share an address. */
const CAN_SHARE = process.platform === "linux";

interface Address {
  host: string;
  port: number;
}

/** Begins to serve, on several sockets that share the address where the system can, and returns the port. */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<number> {
  const beside: Server[] = [];
  const closed: Promise<unknown>[] = [];
  // They close together with the app's own socket: one that were left open would take connections that nobody answers.
  app.addHook("preClose", async () => {
    for (const server of beside) {
      closed.push(once(server, "close"));
      server.close();
    }
  });
  // The app's own server waits only for the connections that it took itself; the others are answered first too.
  app.addHook("onClose", async () => void (await Promise.all(closed)));
  if (CAN_SHARE) await refuseTaken({ host, port });
  // Fastify's types do not know `reusePort`, which it hands on.
  const options = { host, port, backlog: BACKLOG, reusePort: CAN_SHARE };
  await app.listen(options);
  const address = app.server.address();
  if (typeof address !== "object" || address === null) return port;
  const shared = { host: address.address, port: address.port };
  while (CAN_SHARE && beside.length < SOCKETS - 1) beside.push(await listenBeside(app, shared));
  return address.port;
}

/** Sockets that share an address would share it with another service of this user too: one that does not share fails. */
async function refuseTaken(address: Address): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}

/** Listens on the address of the app's server and hands it each connection, as it would have taken it. */
async function listenBeside(app: FastifyInstance, { host, port }: Address): Promise<Server> {
  const hand = (socket: Socket) => void app.server.emit("connection", socket);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, hand);
  server.listen({ host, port, backlog: BACKLOG, reusePort: true });
  await once(server, "listening");
  return server;
}

/** Answers for an API that cannot work yet: /healthz with 200, else 503 and the reason. Returns its end. */
export async function openWaitingServer(
  { port, host }: Pick<Config, "port" | "host">,
  version: string,
  { reason, mend }: Unreadiness,
): Promise<() => Promise<void>> {
  const server = createHttpServer((request, response) => {
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
