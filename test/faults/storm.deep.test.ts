import { randomInt } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRedis } from "../support/redis.ts";
import { enqueueAllAgain, growOld } from "./storm/aftermath.ts";
import { checkAll } from "./storm/check.ts";
import type { Client } from "./storm/client.ts";
import { playRound, type Round } from "./storm/round.ts";
import { openStack, type Stack } from "./storm/stack.ts";

// FAULT_MINUTES: how long in all; FAULT_SEED: this one seed alone; FAULT_REPORT: a file that takes a line a round.
const MINUTES = Number(process.env.FAULT_MINUTES ?? 0);
const ONE = process.env.FAULT_SEED;
const BRIEF = { rounds: 2, stormMs: 30_000, waitMs: 3_000 };
const LONG = { rounds: Math.max(1, Math.round(MINUTES / 0.75)), stormMs: 45_000, waitMs: 10_000 };
const MIDNIGHT_AFTER_MS = 30_000;
const DAY_MS = 86_400_000;

describe.skipIf(findRedis() === null)("the whole service in a storm", () => {
  let stack: Stack;
  const clients: Client[] = [];

  beforeAll(async () => {
    // The UTC day changes while the first round is played.
    stack = await openStack(DAY_MS - (Date.now() % DAY_MS) - MIDNIGHT_AFTER_MS);
  }, 240_000);
  afterAll(async () => {
    expect(await stack.close()).toEqual([]);
  }, 240_000);

  const { rounds, ...lasts } = MINUTES > 0 ? LONG : BRIEF;

  test.for(Array.from({ length: ONE === undefined ? rounds : 1 }, (_, index) => index + 1))(
    "storm %i leaves every promise kept",
    { timeout: 500_000 },
    async () => {
      const seed = Number(ONE ?? randomInt(2 ** 20));
      console.log(`FAULT_SEED=${seed} chooses the same faults again`);
      const round = await playRound(stack, seed, lasts, clients);
      await tell(round);
      expect(round.violations).toEqual([]);
      expect(round.acknowledged).toBeGreaterThan(3);
    },
  );

  test("every job enqueued once more, long after its time, changes nothing", {
    timeout: 150_000,
  }, async () => {
    // The first of these makes the statistics whose job was lost, as a reader who asks for them does.
    await enqueueAllAgain(stack);
    const { enqueued, changed } = await enqueueAllAgain(stack);
    expect(enqueued).toBeGreaterThan(20);
    expect(changed).toBe(false);
  });

  test("a month later only files that no revision keeps are gone", { timeout: 360_000 }, async () => {
    await growOld(stack);
    expect((await checkAll(stack, clients)).violations).toEqual([]);
  });

  async function tell(round: Round): Promise<void> {
    const { faults, violations, ...counts } = round;
    console.log(
      JSON.stringify({
        ...counts,
        faults: faults.length,
        violations: violations.length,
        disk: stack.disk.kind,
      }),
    );
    if (process.env.FAULT_REPORT) await appendFile(process.env.FAULT_REPORT, `${JSON.stringify(round)}\n`);
  }
});
