import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepOrphanFiles } from "../../shared/datasets/uploads/sweeps.ts";
import { ageFiles } from "../support/age-files.ts";
import { makeOwnerWithCode, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { seededRandom } from "../support/seeded-csv.ts";
import { until } from "../support/service-process.ts";
import { type Chaos, startChaos, VICTIMS } from "./chaos.ts";
import { type Player, untilDone } from "./insist.ts";
import { countUnsettled, findViolations } from "./invariants.ts";
import { type Made, playMainPath } from "./main-path.ts";

const KILLS = 24;
/** A play takes about 150 ms, and several times that in processes that have just started. */
const KILL_WITHIN_MS = 700;
/** A killed worker's job comes back after ten seconds, a lost one after thirty. */
const SETTLES_WITHIN_MS = 90_000;

const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);
const players: (Player & { made: Made })[] = [];
let service: RealService;
let chaos: Chaos;

beforeAll(async () => {
  console.log(`FAULT_SEED=${seed} plays the same kills again`);
  service = await openRealService();
  chaos = await startChaos(service);
});
afterAll(async () => {
  for (const failure of service.failures()) console.error(failure);
  expect(await service.close()).toEqual([]);
});

test(`${KILLS} kills at random timestamps of the main path leave one of everything`, {
  // A machine that does much else takes three times as long.
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < KILLS; round += 1) {
    const victim = VICTIMS[round % VICTIMS.length] ?? "API";
    const moment = delay(random() * KILL_WITHIN_MS).then(() => chaos.kill(victim));
    expect(`${victim}: ${await playUntil(moment)}`).toBe(`${victim}: SIGKILL`);
  }
  await playUntil(Promise.resolve(null));
  await until(async () => (await countUnsettled(service.databaseUrl)) === 0, SETTLES_WITHIN_MS);
  await ageFiles(join(service.dataDir, "files"), 2);
  await sweepOrphanFiles(service.deps);
  expect(await findViolations(service.databaseUrl, join(service.dataDir, "files"))).toEqual([]);
  const setbacks = players.flatMap((player) => player.setbacks);
  console.log(`${players.length} agents, setbacks: ${JSON.stringify(countEach(setbacks))}`);
  expect(setbacks.length).toBeGreaterThan(KILLS / 3);
});

test("whoever had to try again was told when, never that the fault is unexpected", () => {
  const told = new Set(players.flatMap((player) => player.setbacks));
  told.delete("no answer");
  for (const refusal of told)
    expect(refusal).toMatch(/^(503 http_error|409 idempotency_in_progress), Retry-After \d+$/);
});

test("each keyed write that is sent again gets the bytes of its first answer", {
  timeout: 240_000,
}, async () => {
  for (const { journal } of players) {
    for (const { request, reply } of journal) {
      const again = await send(chaos.url, request);
      expect(`${again.status} ${again.headers.get("idempotent-replayed")}`).toBe(`${reply.status} true`);
      expect(again.text).toBe(reply.text);
      expect(again.headers.get("etag")).toBe(reply.headers.get("etag"));
    }
  }
  expect(await findViolations(service.databaseUrl, join(service.dataDir, "files"))).toEqual([]);
});

test("every publication that was acknowledged is open to readers", { timeout: 240_000 }, async () => {
  for (const { handle, made } of players) {
    for (const { id, slug } of [made.dataset, made.story]) {
      const reply = await send(chaos.url, { path: `/@${handle}/${slug}.json` });
      expect(`${reply.status} ${reply.json?.data.id}`).toBe(`200 ${id}`);
    }
  }
});

/** Plays agent after agent until the event has happened, whose value it gives. */
async function playUntil<T>(event: Promise<T>): Promise<T> {
  const happened = event.then(() => true);
  do {
    const { ownerId, code } = await untilDone(() => makeOwnerWithCode(service.deps));
    const handle = `player-${players.length + 1}`;
    const player = { url: chaos.url, deps: service.deps, ownerId, code, handle, journal: [], setbacks: [] };
    players.push({ ...player, made: await playMainPath(player) });
  } while (!(await Promise.race([happened, delay(0, false)])));
  return await event;
}

function countEach(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
