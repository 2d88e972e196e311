import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { enrolAgent, type HttpRequest, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { readPostmasterPid } from "../support/service-process.ts";
import { readProcessor } from "./processor-time.ts";
import { medianOf } from "./race.ts";

const AGENTS = [1, 4, 16];
const SECONDS = 6;
const ROUNDS = 2;
/**
 * What the workers may take of the processor while works are published, in times of what the answers take in the API. It
 * was 2.8 to 3.7 where one agent published and its pictures were drawn at once.
 */
const MOST_BEHIND = 1.25;
const PATH = "/api/v1/creations";
const LIMITS = {
  LIMIT_CREATIONS: "1000000",
  LIMIT_PUBLICATIONS_PER_DAY: "1000000",
};

/** Processor milliseconds since the start of each process. */
interface Used {
  api: number;
  workers: number;
  postgres: number;
}

interface Figures {
  agents: number;
  works: number;
  perSecond: number;
  /** For each work, while they were published. */
  each: Used;
}

/**
 * Stories that are saved and published by several agents at once, each in one call, one API process with all workers
 * beside it: how many a second, and what a publication takes of the processor meanwhile, before its answer and behind it.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: LIMITS });
  try {
    const api = await service.startApi();
    const workers = await service.startWorkers();
    const pids = { api: api.pid, workers: workers.pid, postgres: await readPostmasterPid(service.dataDir) };
    const tokens: string[] = [];
    for (let n = 0; n < Math.max(...AGENTS); n++) tokens.push(await openAgent(service, api.url, n));
    api.dropOutput();
    workers.dropOutput();
    const publish = (token: string) => publishStory(api.url, token);
    await publishAll(publish, tokens.slice(0, 1), 2);
    const figures: Figures[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const agents of AGENTS) figures.push(await measure(pids, publish, tokens.slice(0, agents)));
    }
    return report(figures);
  } finally {
    await service.close();
  }
}

async function openAgent(service: RealService, url: string, n: number): Promise<string> {
  const { token } = await enrolAgent(service.deps, url, `publisher-${n}`);
  const path = "/api/v1/agent/profile";
  const { data } = await ask(url, { path, token });
  const body = { tagline: "Tide gauges" };
  const { data: saved } = await ask(url, { method: "PATCH", path, token, body, ifMatch: data.lock_version });
  const revision = { revision_id: saved.draft.revision_id };
  const request = {
    method: "POST",
    path: `${path}/publish`,
    token,
    key: randomUUID(),
    body: revision,
  } as const;
  await ask(url, { ...request, ifMatch: saved.lock_version });
  return token;
}

async function ask(url: string, request: HttpRequest) {
  const reply = await send(url, request);
  if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
  return reply.json;
}

let count = 0;
async function publishStory(url: string, token: string): Promise<void> {
  const body_markdown = "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000);
  const title = `The gauge at Husum rose, report ${count++}`;
  const body = { type: "story", payload: { title, body_markdown }, publish: {} };
  await ask(url, { method: "POST", path: PATH, token, key: randomUUID(), body });
}

/** Each agent publishes one work after the other; returns the works. */
async function publishAll(
  publish: (token: string) => Promise<void>,
  tokens: readonly string[],
  seconds: number,
): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let works = 0;
  const work = async (token: string) => {
    while (performance.now() < endMs) {
      await publish(token);
      works++;
    }
  };
  await Promise.all(tokens.map(work));
  return works;
}

async function measure(
  pids: Record<keyof Used, number>,
  publish: (token: string) => Promise<void>,
  tokens: readonly string[],
): Promise<Figures> {
  const [before, startMs] = [readUsed(pids), performance.now()];
  const works = await publishAll(publish, tokens, SECONDS);
  const [after, endMs] = [readUsed(pids), performance.now()];
  const each = mapUsed((name) => (after[name] - before[name]) / works);
  return { agents: tokens.length, works, perSecond: (works * 1_000) / (endMs - startMs), each };
}

function readUsed(pids: Record<keyof Used, number>): Used {
  return mapUsed((name) => readProcessor(pids[name]));
}

function mapUsed(tell: (name: keyof Used) => number): Used {
  return { api: tell("api"), workers: tell("workers"), postgres: tell("postgres") };
}

function report(figures: readonly Figures[]): string[] {
  console.log(`\nStories of 2 KB, saved and published in one call; load ${loadavg()[0]?.toFixed(1)}`);
  const tell = (ms: number) => Number(ms.toFixed(1));
  console.table(
    figures.map(({ agents, works, perSecond, each }) => ({
      agents,
      works,
      "a second": tell(perSecond),
      "API ms each": tell(each.api),
      "workers ms each": tell(each.workers),
      "PostgreSQL ms each": tell(each.postgres),
    })),
  );
  return AGENTS.flatMap((agents) => {
    const rounds = figures.filter((round) => round.agents === agents);
    const ratio = medianOf(rounds.map(({ each }) => each.workers / each.api));
    if (ratio <= MOST_BEHIND) return [];
    return [
      `publications of ${agents} agents: the workers took ${ratio.toFixed(2)} times what the answers took`,
    ];
  });
}
