import { expect, test } from "vitest";
import { openIdleGate } from "../../../shared/concurrency/idle-gate.ts";

const LONG_MS = 60_000;

test("where nothing works there is nothing to wait for", async () => {
  const idleGate = openIdleGate({ restMs: LONG_MS, mostMs: LONG_MS });
  await idleGate.wait();
});

test("it waits for the end of all work, and for a rest behind it", async () => {
  const restMs = 40;
  const idleGate = openIdleGate({ restMs, mostMs: LONG_MS });
  const ends = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const works = ends.map(({ promise }) => idleGate.busy(() => promise));
  let endedMs = Number.POSITIVE_INFINITY;
  const waited = idleGate.wait().then(() => performance.now() - endedMs);
  ends[0]?.resolve("first");
  expect(await works[0]).toBe("first");
  endedMs = performance.now();
  ends[1]?.resolve("second");
  await works[1];
  // Timers may come up to a millisecond early.
  expect(await waited).toBeGreaterThanOrEqual(restMs - 1);
});

test("work that fails ends as well, and its failure is given on", async () => {
  const idleGate = openIdleGate({ restMs: 1, mostMs: LONG_MS });
  await expect(idleGate.busy(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await idleGate.wait();
});

test("it waits no longer than it may, however much there is to do", async () => {
  const idleGate = openIdleGate({ restMs: LONG_MS, mostMs: 5 });
  const end = Promise.withResolvers<void>();
  const work = idleGate.busy(() => end.promise);
  await idleGate.wait();
  end.resolve();
  await work;
});
