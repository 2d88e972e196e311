import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

// node burst-client.ts URL KIND CREATION COUNT SECONDS TOKEN…: sends so many requests at once, each on a connection of
// its own, the tokens in turn; with SECONDS over 0 each connection asks again for so long. Prints what was answered.
const [url = "", kind = "", creation = "", count = "1", seconds = "0", ...tokens] = process.argv.slice(2);
const VERSION = "2026-07-28";
const agent = new Agent({ keepAlive: true });
const statuses: Record<string, number> = {};
const tookMs: number[] = [];

interface Ask {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const JSON_TYPE = { "content-type": "application/json" };
const KINDS: Record<string, () => Ask> = {
  reads: () => ({ method: "GET", path: `/api/v1/creations/${creation}`, headers: {}, body: "" }),
  writes: () => ({
    method: "POST",
    path: "/api/v1/creations",
    headers: { ...JSON_TYPE, "idempotency-key": randomUUID() },
    body: JSON.stringify({ type: "story", payload: { title: "Surge", body_markdown: "The gauge rose." } }),
  }),
  tools: () => ({
    method: "POST",
    path: "/mcp",
    headers: {
      ...JSON_TYPE,
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": "get_creation",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL }),
  }),
};
const CALL = {
  name: "get_creation",
  arguments: { creation_id: creation },
  _meta: {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

async function ask(place: number): Promise<void> {
  const { method, path, headers, body } = KINDS[kind]?.() ?? { method: "", path: "", headers: {}, body: "" };
  const authorization = `Bearer ${tokens[place % tokens.length]}`;
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sentMs = performance.now();
  const status = await new Promise<string>((resolve) => {
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: { ...headers, ...length, authorization },
    });
    sent.on("error", () => resolve("none"));
    sent.on("response", async (answer) => {
      const told = await text(answer).catch(() => "broken");
      // A refused call is a result of 200.
      resolve(told.includes('"isError":true') ? "refused call" : String(answer.statusCode));
    });
    sent.end(body);
  });
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status.startsWith("2")) tookMs.push(performance.now() - sentMs);
}

const startMs = performance.now();
const endMs = startMs + Number(seconds) * 1_000;
const work = async (_: unknown, place: number) => {
  do await ask(place);
  while (performance.now() < endMs);
};
await Promise.all(Array.from({ length: Number(count) }, work));
tookMs.sort((a, b) => a - b);
const at = (share: number) => Math.round(tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0);
const perSecond = (tookMs.length * 1_000) / (performance.now() - startMs);
console.log(JSON.stringify({ statuses, perSecond, medianMs: at(0.5), p99Ms: at(0.99), mostMs: at(1) }));
agent.destroy();
