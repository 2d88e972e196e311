import { setTimeout as delay } from "node:timers/promises";
import { sweepParquet } from "../../../shared/datasets/parquet/make-parquet.ts";
import { sweepOrphanFiles, sweepUploads } from "../../../shared/datasets/uploads/sweeps.ts";
import { MINUTE_MS } from "../../../shared/ground/times.ts";
import { enqueueLostWork } from "../../../shared/platform/pending-work/enqueue-lost-work.ts";
import { createRandom } from "../../shared/tables/inspection/generated.ts";
import { ageFiles } from "../../support/age-files.ts";
import { checkAll, findUnsettled, type Verdict } from "./check.ts";
import type { Client } from "./client.ts";
import { watchEachOther } from "./events.ts";
import { type Fault, LANES, mend, rage } from "./faults.ts";
import { enrolClient } from "./newcomer.ts";
import { listPlays, play } from "./play.ts";
import { type Stack, waitUntilReady } from "./stack.ts";

// FAULT_AGENTS: how many agents come with each round.
const AGENTS = Number(process.env.FAULT_AGENTS ?? 4);
/** A killed worker's job comes back after ten seconds, a lost one after thirty to sixty. */
const SETTLES_WITHIN_MS = 150_000;
const HURRIES_EVERY_MS = 40_000;
/** On a slow machine agents play on after the storm, as long again at most, until so much is acknowledged. */
const ENOUGH_ACKNOWLEDGED = 15;

/** What one seed did and what came of it. */
export interface Round extends Verdict {
  seed: number;
  faults: Fault[];
  calls: number;
  acknowledged: number;
  setbacks: Record<string, number>;
  refusals: Record<string, number>;
  slowestMs: number;
  quietMs: number;
  /** What was waited for in the quiet, each with the seconds after which it was last seen to wait. */
  waited: Record<string, number>;
}

/** Lets agents work through a storm, waits for quiet, and holds every invariant over all agents so far. */
export async function playRound(
  stack: Stack,
  seed: number,
  lasts: { stormMs: number; waitMs: number },
  earlier: Client[],
): Promise<Round> {
  const faults: Fault[] = [];
  const { urls, service } = stack;
  const clients: Client[] = [];
  for (let number = 1; number <= AGENTS; number += 1) {
    const handle = `storm-${earlier.length + number}`;
    clients.push(await enrolClient(service.deps, urls, handle, createRandom(seed * 100 + number)));
  }
  await watchEachOther(clients);
  earlier.push(...clients);
  const untilMs = performance.now() + lasts.stormMs;
  const hasEnough = () =>
    sumUp(clients).acknowledged >= ENOUGH_ACKNOWLEDGED || performance.now() > untilMs + lasts.stormMs;
  const isOver = () => performance.now() > untilMs && hasEnough();
  const plays = listPlays(stack);
  const troubles: string[] = [];
  // Whoever cannot go on says why, and the others do go on.
  const note = (error: Error) => void troubles.push(`0. ${error.stack ?? error.message}`);
  await Promise.all([
    ...LANES.map((lane, index) =>
      rage(stack, lane, createRandom(seed * 100 + 50 + index), untilMs, (fault) => faults.push(fault)).catch(
        note,
      ),
    ),
    ...clients.map((client) => play(client, plays, isOver).catch(note)),
  ]);
  const quietSince = performance.now();
  await mend(stack);
  await waitUntilReady(stack.places);
  const waited: Record<string, number> = {};
  const left = await settleDown(stack, lasts.waitMs, waited);
  const quietMs = Math.round(performance.now() - quietSince);
  await ageFiles(stack.disk.folder, 2);
  await sweepOrphanFiles(service.deps);
  const verdict = await checkAll(stack, earlier);
  verdict.violations.push(...troubles);
  if (left !== null) verdict.violations.push(`15. never settled: ${left}`);
  return { ...verdict, ...sumUp(clients), seed, faults, quietMs, waited };
}

/**
 * Waits until nothing waits. Past `waitMs`, lost jobs are enqueued at once instead of with the next sweeps, and again where
 * workers that were killed held what was not lost by then.
 */
async function settleDown(
  stack: Stack,
  waitMs: number,
  waited: Record<string, number>,
): Promise<string | null> {
  const startMs = performance.now();
  let hurries = 0;
  for (;;) {
    const left = await findUnsettled(stack);
    const tookMs = performance.now() - startMs;
    for (const name of Object.keys(left)) waited[name] = Math.round(tookMs / 1_000);
    if (Object.keys(left).length === 0) return null;
    if (tookMs > SETTLES_WITHIN_MS) return JSON.stringify(left);
    if (tookMs > waitMs + hurries * HURRIES_EVERY_MS) await sweepLater(stack, ++hurries);
    await delay(250);
  }
}

/** What the sweeps of workers do, two minutes from now; at another time, two minutes after that. */
async function sweepLater({ service: { deps } }: Stack, times: number): Promise<void> {
  const later = { ...deps, now: () => deps.now() + times * 2 * MINUTE_MS };
  await sweepUploads(later);
  await sweepParquet(later);
  for (const worker of ["inspect", "draw", "feed"] as const) await enqueueLostWork(later, worker);
}

function sumUp(clients: readonly Client[]) {
  return {
    calls: clients.reduce((sum, { calls }) => sum + calls, 0),
    acknowledged: clients.reduce((sum, { journal }) => sum + journal.length, 0),
    setbacks: addUp(clients.map(({ setbacks }) => setbacks)),
    refusals: addUp(clients.map(({ refusals }) => refusals)),
    slowestMs: Math.round(Math.max(...clients.map(({ slowestMs }) => slowestMs))),
  };
}

function addUp(all: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, n] of counts) sums[name] = (sums[name] ?? 0) + n;
  return sums;
}
