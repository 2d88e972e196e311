import { expect, test } from "vitest";
import { openIdleGate, openIdleTurns } from "../../../../shared/platform/concurrency/idle-gate.ts";
import { createSemaphore } from "../../../../shared/platform/concurrency/semaphore.ts";

const LONG_MS = 60_000;

test("where nothing works there is nothing to wait for", async () => {
  const idleGate = openIdleGate(LONG_MS);
  expect(await idleGate.wait(LONG_MS)).toBe(true);
});

test("it waits for the end of all work, and for a rest behind it", async () => {
  const restMs = 40;
  const idleGate = openIdleGate(restMs);
  const ends = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const works = ends.map(({ promise }) => idleGate.busy(() => promise));
  let endedMs = Number.POSITIVE_INFINITY;
  const waited = idleGate.wait(LONG_MS).then(() => performance.now() - endedMs);
  ends[0]?.resolve("first");
  expect(await works[0]).toBe("first");
  endedMs = performance.now();
  ends[1]?.resolve("second");
  await works[1];
  // Timers may come up to a millisecond early.
  expect(await waited).toBeGreaterThanOrEqual(restMs - 1);
});

test("work that fails ends as well, and its failure is given on", async () => {
  const idleGate = openIdleGate(1);
  await expect(idleGate.busy(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await idleGate.wait(LONG_MS)).toBe(true);
});

test("it waits no longer than it may, however much there is to do", async () => {
  const idleGate = openIdleGate(LONG_MS);
  const end = Promise.withResolvers<void>();
  const work = idleGate.busy(() => end.promise);
  expect(await idleGate.wait(5)).toBe(false);
  end.resolve();
  await work;
});

test("what waits for the gate holds no turn: what is urgent goes past it", async () => {
  const idleGate = openIdleGate(1);
  const inOrder = createSemaphore(1);
  const inIdleOrder = openIdleTurns(inOrder, idleGate, LONG_MS);
  const end = Promise.withResolvers<void>();
  const upload = idleGate.busy(() => end.promise);
  const done: string[] = [];
  const note = (name: string) => async () => void done.push(name);
  const behind = [inIdleOrder(note("statistics")), inIdleOrder(note("more statistics"))];
  await inOrder(note("asked for"));
  end.resolve();
  await Promise.all([upload, ...behind]);
  expect(done).toEqual(["asked for", "statistics", "more statistics"]);
});

test("a turn is given back where foreground work came first, and taken in any case once it is late", async () => {
  const idleGate = openIdleGate(1);
  const inOrder = createSemaphore(1);
  const inIdleOrder = openIdleTurns(inOrder, idleGate, 30);
  const [turn, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = inOrder(() => turn.promise);
  const begun = inIdleOrder(async () => performance.now());
  // The gate is idle, and the turn another's; by the time that it ends there is an upload.
  await idleGate.wait(LONG_MS);
  const upload = idleGate.busy(() => end.promise);
  const freedMs = performance.now();
  turn.resolve();
  await before;
  expect((await begun) - freedMs).toBeGreaterThan(1);
  end.resolve();
  await upload;
});
