import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { withClient } from "../../cli/embedded/database.ts";
import { enrolAgent, formOf, type HttpReply, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { load } from "./load.ts";
import { publishStory } from "./page-reads.ts";
import { medianOf } from "./race.ts";

const ROUNDS = 3;
const SECONDS = 4;
const CALLERS = 16;
const READERS = 50;
const FILE_ROWS = 5_000;
const MCP_VERSION = "2026-07-28";

const ROOMY = { LIMIT_CREATIONS: "10000000", LIMIT_FILES: "10000000", LIMIT_STORAGE_BYTES: "1000000000000" };
const CSV = `row,station,height_m\n${Array.from({ length: FILE_ROWS }, (_, row) => `${row},Husum,${row % 97}.25`).join("\n")}\n`;

/** What one API process and one inspect worker do in a second on this machine: figures to plan with, no targets. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const api = await service.startApi();
    const { token } = await enrolAgent(service.deps, api.url, "capacity");
    const page = `${api.url}${await publishStory(service, api.url)}`;
    const figures = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, measure] of cases(api, token, page)) {
        figures.set(name, [...(figures.get(name) ?? []), await measure()]);
      }
    }
    figures.set("inspections by one worker", [await inspect(service)]);
    console.log(`\na second; medians of ${ROUNDS} rounds of ${SECONDS} s; load ${loadavg()[0]?.toFixed(1)}`);
    console.table(
      Object.fromEntries(
        [...figures].map(([name, each]) => [
          name,
          { median: tell(medianOf(each)), least: tell(Math.min(...each)), most: tell(Math.max(...each)) },
        ]),
      ),
    );
    return [];
  } finally {
    await service.close();
  }
}

const tell = (perSecond: number) => Number(perSecond.toPrecision(3));

function cases(api: ApiProcess, token: string, page: string): [string, () => Promise<number>][] {
  const write = { method: "POST", token } as const;
  const story = () => ({
    type: "story",
    payload: { title: "Gauges", body_markdown: "The gauge rose. ".repeat(125) },
  });
  return [
    [
      `page reads, ${READERS} readers`,
      () => load(page, { connections: READERS, seconds: SECONDS, headers: [] }),
    ],
    ["own creations listed", () => count(() => send(api.url, { path: "/api/v1/creations", token }))],
    [
      "creations of 2 KB made",
      () =>
        count(() => send(api.url, { ...write, path: "/api/v1/creations", key: randomUUID(), body: story() })),
    ],
    ["tool calls that read", () => count(() => callTool(api, token))],
    [`uploads of ${Math.round(CSV.length / 1024)} KiB taken`, () => count(() => upload(api, token))],
  ];
}

/** Answers a second to callers that each wait for theirs; throws where one is no success. */
async function count(ask: () => Promise<HttpReply>): Promise<number> {
  const startMs = performance.now();
  const endMs = startMs + SECONDS * 1_000;
  let answered = 0;
  const work = async () => {
    while (performance.now() < endMs) {
      const { status, text } = await ask();
      if (status >= 300) throw new Error(`${status}: ${text}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, work));
  return (answered * 1_000) / (performance.now() - startMs);
}

function callTool(api: ApiProcess, token: string): Promise<HttpReply> {
  const headers = {
    "mcp-protocol-version": MCP_VERSION,
    "mcp-method": "tools/call",
    "mcp-name": "list_creations",
  };
  const about = {
    "io.modelcontextprotocol/protocolVersion": MCP_VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "list_creations", arguments: {}, _meta: about };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return send(api.url, { method: "POST", path: "/mcp", token, headers, body });
}

function upload(api: ApiProcess, token: string): Promise<HttpReply> {
  const headers = { prefer: "respond-async" };
  const path = "/api/v1/assets";
  return send(api.url, {
    method: "POST",
    path,
    token,
    key: randomUUID(),
    headers,
    body: formOf("table.csv", CSV),
  });
}

/** Files that the rounds left behind, inspected by one worker, a second. */
async function inspect(service: RealService): Promise<number> {
  const left = () =>
    withClient(service.databaseUrl, async (client) => {
      const { rows } = await client.query(
        "SELECT count(*)::int AS n FROM assets WHERE readiness = 'processing'",
      );
      return Number(rows[0]?.n);
    });
  const worker = await service.startWorkers(["inspect"]);
  const before = await left();
  const startMs = performance.now();
  await until(async () => (await left()) === 0, 600_000);
  const perSecond = (before * 1_000) / (performance.now() - startMs);
  worker.child.kill("SIGTERM");
  await worker.ended;
  return perSecond;
}
