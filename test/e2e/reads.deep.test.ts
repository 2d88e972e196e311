import { expect, test } from "vitest";
import { DEEP, runs } from "../support/depth.ts";
import { send } from "../support/http-agent.ts";
import { openPublisher } from "../support/publisher.ts";
import { type ApiProcess, openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

const REQUESTS = runs(10_000, 50);
const AT_ONCE = 20;
/** Each process writes every ten seconds. */
const WRITTEN_WITHIN_MS = 11_000;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CRAWLER = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
/** Of four requests two are of the page, one of them by a robot, and two of the JSON. */
const ASKED = [
  ["/@reads/surge", BROWSER],
  ["/@reads/surge.json", BROWSER],
  ["/@reads/surge", CRAWLER],
  ["/@reads/surge.json", BROWSER],
] as const;

const service = await openServiceOfRun();
const apis = await Promise.all([service.startApi(), service.startApi()]);
const url = apis[0]?.url ?? "";
const publisher = await openPublisher(service.deps, url, "reads");
const work = await publisher.publishStory("Surge", "It rose.");

/** Sends so many requests to processes in turn, and fails unless each is answered. */
async function ask(count: number, of: readonly ApiProcess[]): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, place) => at + place);
    const answers = await Promise.all(
      some.map(async (place) => {
        const [path, agent] = ASKED[place % ASKED.length] ?? ASKED[0];
        const url = of[Math.floor(place / ASKED.length) % of.length]?.url ?? "";
        return (await send(url, { path, headers: { "user-agent": agent } })).status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  }
}

async function readCounts(): Promise<Record<string, number>> {
  const [row] = await runSql(
    service,
    `SELECT coalesce(sum(readers) FILTER (WHERE form = 'page'), 0)::int AS page,
       coalesce(sum(readers) FILTER (WHERE form = 'json'), 0)::int AS json,
       coalesce(sum(robots), 0)::int AS robots FROM read_counts WHERE creation_id = $1`,
    [work.id],
  );
  return row;
}

test(`${REQUESTS} reads of two processes are counted to the last, and a killed process counts none too many`, {
  timeout: 300_000,
}, async () => {
  await ask(REQUESTS, apis);
  const quarter = REQUESTS / 4;
  const all = { page: quarter, json: 2 * quarter, robots: quarter };
  // A stop writes what is left; only a deep run waits for the clock.
  if (DEEP) await until(async () => (await readCounts()).json === all.json, WRITTEN_WITHIN_MS);
  else {
    for (const { child } of apis) child.kill("SIGTERM");
    await Promise.all(apis.map(({ ended }) => ended));
  }
  expect(await readCounts()).toEqual(all);
  const third = await service.startApi();
  await ask(ASKED.length * 5, [third]);
  process.kill(third.pid, "SIGKILL");
  await third.ended;
  const { json = 0 } = await readCounts();
  expect(json).toBeGreaterThanOrEqual(all.json);
  expect(json).toBeLessThanOrEqual(all.json + 10);
});
