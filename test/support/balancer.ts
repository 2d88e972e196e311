import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const PROBE_MS = 200;

/** A balancer as operators put one before the API: no retries, so each failure of a process is seen. */
export interface Balancer {
  url: string;
  /** The processes that answered the last probe with 200. */
  ready(): string[];
  close(): Promise<void>;
}

/** Shares requests out in turn over the roots that are ready: each is asked for /readyz every 200 ms. */
export async function startBalancer(roots: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const timers = roots.map((root) =>
    setInterval(async () => {
      if (await isReady(root)) ready.add(root);
      else ready.delete(root);
    }, PROBE_MS),
  );
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const candidates = [...ready];
    const root = candidates[turn++ % candidates.length];
    if (root === undefined) outgoing.writeHead(502).end("no process is ready");
    else forward(agent, root, incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    async close() {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, "close");
    },
  };
}

/** Connections to a process are kept; the agent drops one that was answered with `connection: close`. */
function forward(agent: Agent, root: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const passed = request(`${root}${incoming.url}`, {
    agent,
    method,
    headers: { ...headers, connection: "keep-alive" },
  });
  passed.on("response", (answer) => {
    // A header of one hop: what the process says of its connection is not about the client's.
    const { connection: _connection, "keep-alive": _keepAlive, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
  });
  passed.on("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(error.message);
  });
  incoming.pipe(passed);
}

async function isReady(root: string): Promise<boolean> {
  const headers = { connection: "close" };
  const signal = AbortSignal.timeout(5 * PROBE_MS);
  const reply = await fetch(`${root}/readyz`, { headers, signal }).catch(() => null);
  await reply?.body?.cancel();
  return reply?.status === 200;
}
