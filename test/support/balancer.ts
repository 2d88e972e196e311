import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const PROBE_MS = 200;

/** A balancer as operators put one before the API: only a request whose connection was refused is sent elsewhere. */
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
      const says = await askReady(root);
      if (says === true) ready.add(root);
      if (says === false) ready.delete(root);
    }, PROBE_MS),
  );
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    void incoming.toArray().then((chunks) => {
      const candidates = [...ready];
      const [first, ...others] = candidates.map((_, at) => candidates[(turn + at) % candidates.length] ?? "");
      turn++;
      if (first === undefined) outgoing.writeHead(502).end("no process is ready");
      else forward(agent, [first, ...others], { incoming, body: Buffer.concat(chunks), outgoing });
    });
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

interface Passage {
  incoming: IncomingMessage;
  body: Buffer;
  outgoing: ServerResponse;
}

/** Connections to a process stay open; the agent drops one that was answered with `connection: close`. */
function forward(agent: Agent, [root, ...others]: [string, ...string[]], passage: Passage): void {
  const { incoming, body, outgoing } = passage;
  const { "transfer-encoding": _chunked, ...given } = incoming.headers;
  const headers = { ...given, connection: "keep-alive", "content-length": String(body.length) };
  const passed = request(`${root}${incoming.url}`, { agent, method: incoming.method, headers });
  passed.on("response", (answer) => {
    // The process's own connection header says nothing about the client's connection.
    const { connection: _connection, "keep-alive": _keepAlive, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
  });
  passed.on("error", (error: NodeJS.ErrnoException) => {
    const [next, ...rest] = others;
    // The connection was refused, so nothing was sent yet.
    if (error.code === "ECONNREFUSED" && next !== undefined) forward(agent, [next, ...rest], passage);
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`${root} ${error.message}`);
  });
  passed.end(body);
}

/** The readiness that a process reports; null where it takes too long to answer, as on a busy machine. */
async function askReady(root: string): Promise<boolean | null> {
  const headers = { connection: "close" };
  const signal = AbortSignal.timeout(5 * PROBE_MS);
  try {
    const reply = await fetch(`${root}/readyz`, { headers, signal });
    await reply.body?.cancel();
    return reply.status === 200;
  } catch {
    return signal.aborted ? null : false;
  }
}
