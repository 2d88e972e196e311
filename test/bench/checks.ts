import { randomUUID } from "node:crypto";
import type { Json } from "../support/agent.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { printRace, race, type Times } from "./race.ts";

const CHARTS = 20;
const ROUNDS = 200;
const MOST_TIMES_REFUSED = 1.1;
const MOST_P99_MS = 50;
const PATH = "/api/v1/creations";
const LIMITS = { LIMIT_WRITES_PER_MINUTE: "1000000", LIMIT_READS_PER_MINUTE: "1000000" };

/** Prints what a check costs beside the refused call, of a story with twenty charts; tells where a target is missed. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: LIMITS });
  try {
    const { url } = await service.startApi();
    const { token } = await enrolAgent(service.deps, url, "check-bench");
    const missed: string[] = [];
    for (const { what, body, code } of CASES) {
      const candidates = [
        { name: "check", run: () => expectProblem(url, token, body, code) },
        { name: "refused call", run: () => expectRefused(url, token, body, code) },
      ];
      const times = await race(candidates, ROUNDS);
      const target = { ours: "check", peer: "refused call", most: MOST_TIMES_REFUSED };
      missed.push(...printRace(`A story with ${CHARTS} charts, ${what}`, times, [target]));
      missed.push(...printSlowest(what, times));
    }
    return missed;
  } finally {
    await service.close();
  }
}

/** The front page of the agent is not published, so what has no fault is refused at a gate of publishing. */
const CASES = [
  { what: "the last one wrong", body: makeStory("ordinal"), code: "validation_failed" },
  { what: "none wrong", body: makeStory("quantitative"), code: "publication_not_eligible" },
];

function makeStory(lastType: string): Json {
  const blocks = Array.from({ length: CHARTS }, (_, at) =>
    makeChart(at, at === CHARTS - 1 ? lastType : "quantitative"),
  );
  const payload = {
    title: "Twenty gauges",
    body_markdown: blocks.join("\nThe gauge rose in the night.\n\n"),
  };
  return { type: "story", payload, publish: {} };
}

function makeChart(at: number, type: string): string {
  const values = Array.from({ length: 60 }, (_, day) => ({ day: `day ${day}`, m: (day * 7 + at) % 23 }));
  const encoding = { x: { field: "day", type: "ordinal" }, y: { field: "m", type } };
  return `\`\`\`chart\n${JSON.stringify({ data: { values }, mark: "bar", encoding })}\n\`\`\`\n`;
}

async function expectProblem(url: string, token: string, body: Json, code: string): Promise<void> {
  const { status, json } = await send(url, { method: "POST", path: `${PATH}/check`, token, body });
  const codes = json.data?.problems.map((problem: Json) => problem.code);
  if (status !== 200 || !codes.includes(code)) throw new Error(`a check answered ${status} with ${codes}`);
}

async function expectRefused(url: string, token: string, body: Json, code: string): Promise<void> {
  const { status, json } = await send(url, { method: "POST", path: PATH, token, key: randomUUID(), body });
  if (json.code !== code) throw new Error(`a call answered ${status} with ${json.code}`);
}

function printSlowest(what: string, times: Times): string[] {
  const sorted = [...(times.get("check") ?? [])].sort((one, two) => one - two);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  console.log(`check, ${what}: p99 ${p99.toFixed(1)} ms (must ${MOST_P99_MS})`);
  return p99 <= MOST_P99_MS ? [] : [`checks, ${what}: p99 ${p99.toFixed(1)} ms, over ${MOST_P99_MS}`];
}
