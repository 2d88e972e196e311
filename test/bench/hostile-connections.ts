import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { headOf } from "../support/raw-socket.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { startProcess, until } from "../support/service-process.ts";
import type { Stall } from "../support/stalled-connections.ts";

const CONNECTIONS = 2_000;
const ADDRESSES = 400;
const AGENTS = 20;
const MOST_BYTES = 300_000_000;
/** What is held settles within this time: places are waited for two seconds. */
const HELD_MS = 4_000;
const FILE_BYTES = 10_000_000;
const MIB = 1024 * 1024;
const CLIENT = join(import.meta.dirname, "..", "support", "stalled-connections.ts");
const JSON_TYPE = { "Content-Type": "application/json" };

type Kind = Pick<Stall, "heads" | "bodyBytes" | "reads">;

/** What a process holds while 2,000 connections of each kind stand still; tells where it is over 300 MB. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: { LIMIT_AGENTS_PER_OWNER: "100" } });
  try {
    const scene = await setScene(service);
    const rows: Record<string, Row> = {};
    for (const [kindName, kind] of Object.entries(kindsOf(scene))) {
      for (const addresses of [1, ADDRESSES]) {
        const name = `${kindName}, ${addresses === 1 ? "one address" : `${addresses} addresses`}`;
        const row = await hold(service, scene, { ...kind, addresses });
        // Each is told as it comes: all of them take some minutes.
        console.log(`${name}: ${JSON.stringify(row)}`);
        rows[name] = row;
      }
    }
    console.log(`\n${CONNECTIONS} connections of each kind against a process of its own; MB are 10^6 bytes`);
    console.table(rows);
    return Object.entries(rows).flatMap(([name, row]) => findMisses(name, row));
  } finally {
    await service.close();
  }
}

interface Row {
  "before MB": number;
  "most MB": number;
  "then MB": number;
  open: number;
  answers: string;
  "others refused": number;
  "others, longest ms": number;
}

interface Scene {
  tokens: string[];
  assetId: string;
}

/** Agents, and a file of 10 MB that the first of them may download. */
async function setScene(service: RealService): Promise<Scene> {
  const api = await service.startApi();
  const tokens: string[] = [];
  for (let each = 0; each < AGENTS; each++) {
    tokens.push((await enrolAgent(service.deps, api.url, `stalled-${each}`)).token);
  }
  const form = formOf("large.txt", "The gauge rose.\n".repeat(FILE_BYTES / 16));
  const headers = { prefer: "respond-async" };
  const upload = {
    method: "POST",
    path: "/api/v1/assets",
    token: tokens[0] ?? "",
    key: randomUUID(),
  } as const;
  const reply = await send(api.url, { ...upload, headers, body: form });
  if (reply.status !== 201) throw new Error(`the upload answered ${reply.status}: ${reply.text}`);
  await end(api);
  return { tokens, assetId: reply.json.data.id };
}

function kindsOf({ tokens, assetId }: Scene): Record<string, Kind> {
  const body = (line: string, length: number, headers = {}) =>
    headOf(line, { ...JSON_TYPE, ...headers, "Content-Length": length });
  const authorized = tokens.map((token) => ({ Authorization: `Bearer ${token}` }));
  const part = headOf("GET /healthz", { "X-Long": "a".repeat(8_000) }).slice(0, -2);
  const [download = ""] = authorized.map((token) => headOf(`GET /api/v1/assets/${assetId}/content`, token));
  return {
    silent: { heads: [], bodyBytes: 0, reads: false },
    "heads that stop": { heads: [part], bodyBytes: 0, reads: false },
    "codes, 16 KiB but a byte": {
      heads: [body("POST /api/v1/agents", 16_384)],
      bodyBytes: 16_383,
      reads: true,
    },
    "codes, 64 KiB but a byte": {
      heads: [body("POST /api/v1/agents", 65_536)],
      bodyBytes: 65_535,
      reads: true,
    },
    "codes of 2 MB": { heads: [body("POST /api/v1/agents", 2 * MIB)], bodyBytes: 2 * MIB - 1, reads: true },
    "stories of nobody, 2 MB": {
      heads: [body("POST /api/v1/creations", 2 * MIB)],
      bodyBytes: 2 * MIB - 1,
      reads: true,
    },
    "tool calls of nobody, in pieces": {
      heads: [`${headOf("POST /mcp", { ...JSON_TYPE, "Transfer-Encoding": "chunked" })}1fffff\r\n`],
      bodyBytes: 2 * MIB - 2,
      reads: true,
    },
    [`stories of ${AGENTS} agents, 2 MB`]: {
      heads: authorized.map((token) => body("POST /api/v1/creations", 2 * MIB, token)),
      bodyBytes: 2 * MIB - 1,
      reads: true,
    },
    "unread downloads of 10 MB": { heads: [download], bodyBytes: 0, reads: false },
    "unread descriptions of the interface": {
      heads: [headOf("GET /api/v1/openapi.json", {})],
      bodyBytes: 0,
      reads: false,
    },
  };
}

async function hold(
  service: RealService,
  { tokens }: Scene,
  kind: Omit<Stall, "port" | "count">,
): Promise<Row> {
  const api = await service.startApi();
  const port = Number(new URL(api.url).port);
  await save(api, tokens.at(-1) ?? "");
  const before = await readMemory(api, "VmRSS");
  const stall: Stall = { port, count: CONNECTIONS, ...kind };
  const client = startProcess({
    command: process.execPath,
    args: [CLIENT, JSON.stringify(stall)],
    env: process.env,
  });
  try {
    await client.said("all stalled", 120_000);
    const others = await Promise.all(Array.from({ length: 10 }, () => save(api, tokens.at(-1) ?? "")));
    await delay(HELD_MS);
    const told = client.lines.findLast(({ msg }) => msg === "answers") ?? { open: Number.NaN, answers: {} };
    return {
      "before MB": before,
      "most MB": await readMemory(api, "VmHWM"),
      "then MB": await readMemory(api, "VmRSS"),
      open: Number(told.open),
      answers: JSON.stringify(told.answers),
      "others refused": others.filter(({ status }) => status !== 201).length,
      "others, longest ms": Math.round(Math.max(...others.map(({ tookMs }) => tookMs))),
    };
  } finally {
    client.child.kill("SIGKILL");
    await client.ended;
    await end(api);
  }
}

async function end(api: ApiProcess): Promise<void> {
  api.child.kill("SIGTERM");
  await until(() => api.child.exitCode !== null || api.child.signalCode !== null, 20_000);
}

async function save(api: ApiProcess, token: string): Promise<{ status: number; tookMs: number }> {
  const body = { type: "story", payload: { title: "Beside", body_markdown: "The gauge rose." } };
  const startMs = performance.now();
  const { status } = await send(api.url, {
    method: "POST",
    path: "/api/v1/creations",
    token,
    key: randomUUID(),
    body,
  });
  return { status, tookMs: performance.now() - startMs };
}

/** Of a process on Linux, in MB. */
async function readMemory({ pid }: ApiProcess, which: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kib = Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]);
  return Math.round((kib * 1024) / 1e6);
}

function findMisses(name: string, row: Row): string[] {
  const misses: string[] = [];
  if (row["most MB"] * 1e6 > MOST_BYTES) misses.push(`the process held ${row["most MB"]} MB`);
  if (row["others refused"] > 0) misses.push(`${row["others refused"]} of 10 other requests were refused`);
  return misses.map((miss) => `hostile-connections, ${name}: ${miss}`);
}
