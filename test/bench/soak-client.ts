import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, openDeps } from "../../shared/platform/deps.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import type { Json } from "../support/agent.ts";
import { formOf, type HttpRequest, send } from "../support/http-agent.ts";
import { makeCsv, seededRandom } from "../support/seeded-csv.ts";
import { openPublisher } from "./site.ts";

const FILE_BYTES = 200_000;
const FILES = 20;
const WORKS = 40;
/** How long nobody rests: what a service compiles, and what fills its caches, comes in this time. */
const HURRY_MS = 60_000;
/** What each of them rests between two requests afterwards: together they take less than a core. */
const REST_MS = { read: 40, write: 400, upload: 2_500, ask: 300 };

/** Agents and readers of one service, who go on until they are stopped. */
export interface SoakClient {
  work(signal: AbortSignal): Promise<void>;
  /** How often each did its part so far. */
  tell(): string;
}

/** Enrols an agent on a service that runs, and publishes its first work and its first file. */
export async function openSoakClient(service: {
  url: string;
  dataDir: string;
  databaseUrl: string;
}): Promise<SoakClient> {
  const { url } = service;
  const token = await enrol(service);
  const random = seededRandom(1);
  const counts = { reads: 0, writes: 0, uploads: 0, questions: 0 };
  const works: Work[] = [];
  const files: string[] = [];
  const call = (request: Omit<HttpRequest, "token">) => ask(url, { token, ...request });
  const steps = {
    read: async () => {
      const path = choosePath(random, pick(random, works)?.path ?? "/", pick(random, files) ?? "");
      await ask(url, path.startsWith("/api/v1/creations") ? { path, token } : { path });
      counts.reads++;
    },
    write: async () => {
      const old = works.length < WORKS ? undefined : works[counts.writes % WORKS];
      const saved =
        old === undefined
          ? await publishNew(call, counts.writes)
          : await publishAgain(call, old, counts.writes);
      if (old === undefined) works.push(saved);
      else Object.assign(old, saved);
      counts.writes++;
    },
    upload: async () => {
      const asset = await publishFile(call, counts.uploads);
      files.push(asset);
      if (files.length > FILES) files.shift();
      counts.uploads++;
    },
    ask: async () => {
      const question = makeQuestion(counts.questions++);
      await ask(url, {
        path: `/media/${pick(random, files)}/query?question=${encodeURIComponent(question)}`,
      });
    },
  };
  await steps.write();
  await steps.upload();
  return {
    tell: () =>
      Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(", "),
    async work(signal) {
      const startedMs = performance.now();
      const repeat = async (name: keyof typeof steps) => {
        while (!signal.aborted) {
          await steps[name]();
          if (performance.now() - startedMs > HURRY_MS) await delay(REST_MS[name]);
        }
      };
      await Promise.all([repeat("read"), repeat("read"), repeat("write"), repeat("upload"), repeat("ask")]);
    },
  };
}

/** A published work: where readers find it, and what its next update names. */
interface Work {
  id: string;
  path: string;
  lockVersion: number;
}
type Call = (request: Omit<HttpRequest, "token">) => Promise<Json>;

async function enrol({ url, dataDir, databaseUrl }: { url: string; dataDir: string; databaseUrl: string }) {
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  const log = openLog("silent", "bench");
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 2, log });
  try {
    return (await openPublisher(deps, url, "soak")).token;
  } finally {
    await closeDeps(deps);
  }
}

function makePayload(turn: number): object {
  const rows = Array.from({ length: 12 }, (_, month) => ({
    month: `2026-${String(month + 1).padStart(2, "0")}`,
    m: (turn + month) % 17,
  }));
  const chart = {
    ...{ mark: "bar", data: { values: rows } },
    encoding: { x: { field: "month", type: "ordinal" }, y: { field: "m", type: "quantitative" } },
  };
  const text = "The gauge at the northern quay rose by 1.2 m within six hours, *as forecast*.\n\n".repeat(20);
  return { title: `Surge ${turn}`, body_markdown: `${text}\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n` };
}

async function publishNew(call: Call, turn: number): Promise<Work> {
  const body = { type: "story", payload: makePayload(turn), publish: { visibility: "public" } };
  return toWork((await call({ method: "POST", path: "/api/v1/creations", key: randomUUID(), body })).data);
}

async function publishAgain(call: Call, { id, lockVersion }: Work, turn: number): Promise<Work> {
  const path = `/api/v1/creations/${id}`;
  const body = { payload: { ...makePayload(turn), change_summary: `Reading ${turn}.` } };
  const saved = (await call({ method: "PATCH", path, key: randomUUID(), ifMatch: lockVersion, body })).data;
  const revision = { revision_id: saved.latest_revision.id };
  const order = { method: "POST", path: `${path}/publish`, key: randomUUID(), body: revision } as const;
  return toWork((await call({ ...order, ifMatch: saved.lock_version })).data);
}

function toWork({ id, public_url, lock_version }: Json): Work {
  return { id, path: new URL(public_url).pathname, lockVersion: lock_version };
}

/** Uploads a table and publishes it as a dataset; returns its id. */
async function publishFile(call: Call, turn: number): Promise<string> {
  const upload = { method: "POST", path: "/api/v1/assets", key: randomUUID() } as const;
  const asset = (await call({ ...upload, body: formOf("data.csv", makeCsv(FILE_BYTES, turn)) })).data;
  const payload = { title: `Readings ${turn}`, attachments: [{ asset_id: asset.id, label: "Readings" }] };
  const body = { type: "dataset", payload, publish: { visibility: "public" } };
  await call({ method: "POST", path: "/api/v1/creations", key: randomUUID(), body });
  return asset.id;
}

const PATHS: readonly ((work: string, file: string) => string)[] = [
  (work) => work,
  (work) => `${work}.json`,
  (work) => `${work}.md`,
  () => "/",
  () => "/@soak",
  () => "/@soak/feed.xml",
  () => "/api/v1/creations?per_page=20",
  () => "/api/v1/search/creations?query=surge",
  (_, file) => `/media/${file}/rows?limit=50`,
  (_, file) => `/media/${file}/stats`,
];

function choosePath(random: () => number, work: string, file: string): string {
  return (pick(random, PATHS) ?? (() => "/"))(work, file);
}

function pick<T>(random: () => number, all: readonly T[]): T | undefined {
  return all[Math.floor(random() * all.length)];
}

const QUESTIONS: readonly ((turn: number) => object)[] = [
  (turn) => ({ q: `e${turn % 7}`, limit: 20, offset: turn % 50 }),
  (turn) => ({ aggregate: [{ op: "count" }], limit: 1 + (turn % 50) }),
];

function makeQuestion(turn: number): string {
  return JSON.stringify(QUESTIONS[turn % QUESTIONS.length]?.(turn) ?? {});
}

/** The answer's JSON; a service that is too busy is asked again when it says. */
async function ask(url: string, request: HttpRequest): Promise<Json> {
  for (;;) {
    const { status, headers, json, text } = await send(url, request);
    if (status < 300) return json;
    if (status !== 503) throw new Error(`${request.path} answered ${status}: ${text.slice(0, 300)}`);
    await delay(1_000 * Number(headers.get("retry-after") ?? 1));
  }
}
