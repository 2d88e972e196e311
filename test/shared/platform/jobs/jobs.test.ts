import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JobRun, Jobs } from "../../../../shared/platform/jobs/queue.ts";
import { openPool, type Pool } from "../../../../sql/connection/pool.ts";
import type { QueueRow } from "../../../../sql/platform/job-queues.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/cluster.ts";
import { startProcess } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { ENGINES, type Engine } from "./job-engines.ts";

const LONG = { timeout: 60_000, interval: 20 };

for (const engine of ENGINES) {
  describe.skipIf(!engine.isOffered())(`jobs on ${engine.name}`, () => describeEngine(engine));
}

function describeEngine(engine: Engine): void {
  let database: TestDatabase;
  let pool: Pool;
  let jobs: Jobs;
  let runs: { key: string; attempt: number; atMs: number }[] = [];
  let handle: (key: string, run: JobRun) => Promise<void> = async () => {};

  beforeAll(async () => {
    await engine.start();
    database = await createTestDatabase();
    pool = await openPool(database.url, { maxConnections: 4 });
    jobs = await engine.open(database.url, pool);
    await jobs.work(
      "build-feed",
      async ({ feed_key }, run) => {
        runs.push({ key: feed_key, attempt: run.attempt, atMs: performance.now() });
        await handle(feed_key, run);
      },
      1,
    );
  });
  afterAll(async () => {
    await jobs.close();
    await pool.end();
    await database.drop();
    await engine.stop();
  });
  beforeEach(() => {
    runs = [];
    handle = async () => {};
  });

  const ring = (feed_key: string) =>
    pool.transaction((tx) => jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key } }]));
  const keysRun = () => runs.map((run) => run.key);
  const statusOf = async (queue: string): Promise<QueueRow | undefined> =>
    (await jobs.status()).find((row) => row.queue === queue);

  test("a committed ring wakes the worker at once", async () => {
    const times: number[] = [];
    for (let count = 0; count < 5; count++) {
      const key = `wake-${count}`;
      await ring(key);
      const committedMs = performance.now();
      await expect.poll(keysRun, LONG).toContain(key);
      times.push((runs.find((run) => run.key === key)?.atMs ?? 0) - committedMs);
    }
    // Polling alone would take a second on average; the bench measures the real figure.
    expect(Math.min(...times)).toBeLessThan(300);
  });

  test("a ring that is rolled back never was", async () => {
    const rolledBack = pool.transaction(async (tx) => {
      await jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key: "rolled-back" } }]);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    await ring("after");
    await expect.poll(keysRun, LONG).toContain("after");
    expect(keysRun()).not.toContain("rolled-back");
  });

  test("a ring is not heard before its transaction commits", async () => {
    await pool.transaction(async (tx) => {
      await jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key: "late" } }]);
      const rows = await runSql({ databaseUrl: database.url }, "SELECT pg_sleep(0.2)");
      expect([rows.length, keysRun()]).toEqual([1, []]);
    });
    await expect.poll(keysRun, LONG).toEqual(["late"]);
  });

  test("of jobs for several feeds in one transaction none is lost, and one feed enqueued again is harmless", async () => {
    await pool.transaction(async (tx) => {
      for (const feed_key of ["x", "y", "y", "z"])
        await jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key } }]);
    });
    await expect.poll(() => [...new Set(keysRun())].sort(), LONG).toEqual(["x", "y", "z"]);
  });

  test("a feed that is enqueued while its job runs, runs again afterwards", async () => {
    let enqueuedAgain = false;
    handle = async (key) => {
      if (enqueuedAgain) return;
      enqueuedAgain = true;
      await ring(key);
    };
    await ring("again");
    await expect.poll(keysRun, LONG).toEqual(["again", "again"]);
  });

  test("a job that fails runs again after a pause, with the next attempt's number", async () => {
    handle = async (_key, run) => {
      if (run.attempt === 1) throw new Error("once");
    };
    await ring("retried");
    await expect
      .poll(
        async () => {
          await engine.wake(database.url);
          return runs.map((run) => run.attempt);
        },
        { timeout: 60_000, interval: 150 },
      )
      .toEqual([1, 2]);
    const [first, second] = runs;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(500);
  });

  test("a job that fails every time ends as a dead letter that is seen and can be put back", async () => {
    handle = async () => {
      throw new Error("always");
    };
    await ring("dead");
    await expect
      .poll(
        async () => {
          await engine.hurry(database.url);
          return (await statusOf("build-feed"))?.failed;
        },
        { timeout: 100_000, interval: 150 },
      )
      .toBe(1);
    expect(runs.map((run) => run.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const [failed] = await jobs.failures(10);
    expect(failed).toMatchObject({ queue: "build-feed", reason: "always", payload: { feed_key: "dead" } });
    handle = async () => {};
    runs = [];
    expect(await jobs.retryDead("build-feed")).toBe(1);
    await engine.wake(database.url);
    await expect.poll(keysRun, LONG).toEqual(["dead"]);
    await expect.poll(async () => (await statusOf("build-feed"))?.failed, LONG).toBe(0);
    expect(await jobs.retryDead("build-feed")).toBe(0);
  });

  test("a payload that is not of its kind runs nothing and ends as a dead letter too", async () => {
    await pool.transaction((tx) =>
      jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key: "x".repeat(201) } }]),
    );
    await expect
      .poll(
        async () => {
          await engine.hurry(database.url);
          return (await statusOf("build-feed"))?.failed;
        },
        { timeout: 100_000, interval: 150 },
      )
      .toBe(1);
    expect(runs).toEqual([]);
  });

  test("the status counts what waits where nobody works", async () => {
    const before = await statusOf("inspect-asset");
    expect(before).toMatchObject({ waiting: 0, active: 0, delayed: 0, failed: 0, oldest: null });
    for (const attempt of [1, 2]) {
      const payload = { asset_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", attempt };
      await pool.transaction((tx) => jobs.enqueue(tx, [{ name: "inspect-asset", payload }]));
    }
    const after = await statusOf("inspect-asset");
    expect(after).toMatchObject({ waiting: 2, active: 0 });
    expect(after?.oldest).toBeGreaterThanOrEqual(0);
  });

  test("closing waits for the running job, and a job of a closed process waits for the next one", async () => {
    const other = await engine.open(database.url, pool);
    let ended = false;
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await other.work(
      "inspect-asset",
      async () => {
        begin();
        await new Promise((resolve) => setTimeout(resolve, 300));
        ended = true;
      },
      1,
    );
    await begun;
    await other.close();
    expect(ended).toBe(true);
    await pool.transaction((tx) =>
      jobs.enqueue(tx, [
        { name: "inspect-asset", payload: { asset_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", attempt: 9 } },
      ]),
    );
    const attempts: number[] = [];
    await jobs.work(
      "inspect-asset",
      async ({ attempt }) => {
        attempts.push(attempt);
      },
      1,
    );
    await expect.poll(() => attempts, LONG).toContain(9);
  });

  test("a job whose worker is killed is taken up by another one", { timeout: 240_000 }, async () => {
    const script = join(import.meta.dirname, "..", "..", "..", "support", "hanging-worker.ts");
    const args = [script, database.url, ...(engine.redisUrl?.() ?? [])];
    const victim = startProcess({ command: process.execPath, args, env: process.env });
    try {
      await victim.said("waits");
      const revision_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
      await pool.transaction((tx) =>
        jobs.enqueue(tx, [{ name: "draw-blocks", payload: { of: "creation", revision_id, attempt: 1 } }]),
      );
      await victim.said("taken");
    } finally {
      victim.child.kill("SIGKILL");
    }
    expect(await victim.ended).toEqual({ code: null, signal: "SIGKILL" });
    const taken: string[] = [];
    await jobs.work(
      "draw-blocks",
      async ({ revision_id }) => {
        taken.push(revision_id);
      },
      1,
    );
    await expect
      .poll(
        async () => {
          await engine.hurry(database.url);
          return taken;
        },
        { timeout: 180_000, interval: 500 },
      )
      .toEqual(["01ARZ3NDEKTSV4RRFFQ69G5FAV"]);
  });
}
