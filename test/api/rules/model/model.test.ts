import fc from "fast-check";
import { expect, test } from "vitest";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAgent, makeCreation } from "../../../support/agent.ts";
import { DEEP } from "../../../support/depth.ts";
import { openService } from "../../../support/service.ts";
import { PLANTED } from "./planted.ts";
import { aSequence, MODEL_LIMITS, nextMorning, play } from "./play.ts";
import { openSystem, type System } from "./system.ts";

const RUNS = Number(process.env.MODEL_RUNS ?? (DEEP ? 500 : 4));
// npm test plays the same sequences each time; the deep run plays new ones.
const SEED = Number(process.env.MODEL_SEED ?? (DEEP ? Date.now() % 2 ** 31 : 20_260_711));
/** From any seed a planted bug is found well within these; from its own in the first sequence. */
const PLANTED_RUNS = DEEP ? 150 : 15;

const service = await openService({
  workers: false,
  limits: {
    creations: MODEL_LIMITS.creations,
    revisionsPerCreation: MODEL_LIMITS.revisions,
    publicationsPerDay: MODEL_LIMITS.publications,
    updatesPerDay: MODEL_LIMITS.updates,
  },
});
const foreignId = (await makeCreation(await connectAgent(service))).id;

/** An agent of its own for each sequence, on a new day. */
async function openForNewAgent(): Promise<System> {
  service.clock.nowMs = nextMorning(service.clock.nowMs);
  const agent = await connectAgent(service);
  const { deps, clock } = service;
  return openSystem({
    agent,
    deps,
    foreignId,
    async wait(untilMs, sweeps) {
      clock.nowMs = untilMs;
      if (!sweeps) return;
      await sweepDueSchedules(deps);
      await sweepAgedFiles(deps);
    },
  });
}

function aProperty(plant: (system: System) => System) {
  return fc.asyncProperty(aSequence, async (sequence) => {
    const system = plant(await openForNewAgent());
    await play(system, sequence, service.clock.nowMs);
  });
}

test(`the service does what the model does, over ${RUNS} sequences of 30 steps`, {
  timeout: 2_400_000,
}, async () => {
  console.info(`model: seed ${SEED}, ${RUNS} sequences (MODEL_SEED, MODEL_RUNS)`);
  await fc.assert(
    aProperty((system) => system),
    { numRuns: RUNS, seed: SEED },
  );
});

test.each(PLANTED)(
  "the model finds the planted bug: $bug",
  { timeout: 300_000 },
  async ({ bug, plant, ...known }) => {
    const seed = DEEP ? SEED : known.seed;
    const outcome = await fc.check(aProperty(plant), { numRuns: PLANTED_RUNS, seed, endOnFailure: true });
    console.info(`planted "${bug}": seed ${seed}, found in sequence ${outcome.numRuns}`);
    expect(outcome.failed).toBe(true);
  },
);
