import { randomUUID } from "node:crypto";
import { enrolAgent, type HttpRequest, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { printMeasurements } from "./report.ts";

const ROUNDS = 10;
const WORKS_A_ROUND = 20;
const TARGET_RATIO = 1.2;
const PATH = "/api/v1/creations";
const LIMITS = {
  LIMIT_CREATIONS: "1000000",
  LIMIT_PUBLICATIONS_PER_DAY: "1000000",
  LIMIT_WRITES_PER_MINUTE: "1000000",
};

let count = 0;
/** A story of 2 KB that no other call sends. */
function makeStory() {
  const body_markdown = "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000);
  return { type: "story", payload: { title: `Surge ${count++}`, body_markdown } };
}

/** Prints what a work costs that is saved and published in one call, and in two; tells where the target is missed. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: LIMITS });
  try {
    const { url } = await service.startApi();
    const { token } = await enrolAgent(service.deps, url, "publish-bench");
    const write = async (request: Omit<HttpRequest, "token" | "key">) => {
      const reply = await send(url, { ...request, token, key: randomUUID() });
      if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
      return reply.json.data;
    };
    await publishFrontPage(url, token, write);
    const inOne = () => write({ method: "POST", path: PATH, body: { ...makeStory(), publish: {} } });
    const inTwo = async () => {
      const { id, lock_version: ifMatch } = await write({ method: "POST", path: PATH, body: makeStory() });
      await write({ method: "POST", path: `${PATH}/${id}/publish`, body: {}, ifMatch });
    };
    return report(await compare(inOne, inTwo));
  } finally {
    await service.close();
  }
}

type Write = (request: Omit<HttpRequest, "token" | "key">) => Promise<{ [name: string]: never }>;

async function publishFrontPage(url: string, token: string, write: Write): Promise<void> {
  const path = "/api/v1/agent/profile";
  const { data } = (await send(url, { method: "GET", path, token })).json;
  const body = { tagline: "Tide gauges" };
  const saved = (await send(url, { method: "PATCH", path, token, body, ifMatch: data.lock_version })).json
    .data;
  const revision = { revision_id: saved.draft.revision_id };
  await write({ method: "POST", path: `${path}/publish`, body: revision, ifMatch: saved.lock_version });
}

/** Both take turns, so that neither has the quieter machine; the first round warms up both. */
async function compare(inOne: () => Promise<unknown>, inTwo: () => Promise<unknown>) {
  const times = { one: [] as number[], two: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const [one, two] = [await measure(inOne), await measure(inTwo)];
    if (round === 0) continue;
    times.one.push(...one);
    times.two.push(...two);
  }
  return times;
}

async function measure(act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let work = 0; work < WORKS_A_ROUND; work++) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return times;
}

function report({ one, two }: { one: number[]; two: number[] }): string[] {
  const apart = medianOf(two);
  const target = Math.round(TARGET_RATIO * apart * 10) / 10;
  const missed = printMeasurements("A story of 2 KB, saved and published over HTTP", [
    { name: "in one call", milliseconds: one, target },
    { name: "in two calls", milliseconds: two },
  ]);
  console.log(`ratio ${(medianOf(one) / apart).toFixed(2)}, at most ${TARGET_RATIO} wanted`);
  return missed;
}

function medianOf(values: number[]): number {
  const sorted = [...values].sort((one, two) => one - two);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
