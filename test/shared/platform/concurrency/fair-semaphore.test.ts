import { describe, expect, test } from "vitest";
import { createFairSemaphore } from "../../../../shared/platform/concurrency/fair-semaphore.ts";

const LONG_MS = 60_000;
const stays = new AbortController().signal;

/** A semaphore on a clock that stands, and works that end when the test says so. */
function openScene(options: { most: number; mostOfKey: number; mostWaitMs?: number }) {
  const clock = { nowMs: 0 };
  const inTurn = createFairSemaphore({ mostWaitMs: LONG_MS, ...options, now: () => clock.nowMs });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  /** Asks for a work; its label begins with its key. */
  const ask = (label: string, { signal = stays, isPatient = false } = {}) =>
    inTurn(
      { key: label.charAt(0), signal },
      async () => {
        begun.push(label);
        await new Promise<void>((resolve) => ends.set(label, resolve));
        return label;
      },
      isPatient,
    );
  const end = async (label: string, tookMs = 0) => {
    await expect.poll(() => ends.has(label)).toBe(true);
    clock.nowMs += tookMs;
    ends.get(label)?.();
  };
  return { ask, end, begun };
}

describe("a fair semaphore", () => {
  test("runs two works of ten of one key at a time, and refuses none", async () => {
    const { ask, end, begun } = openScene({ most: 4, mostOfKey: 2 });
    const labels = Array.from({ length: 10 }, (_, at) => `a${at}`);
    const works = labels.map((label) => ask(label));
    await expect.poll(() => begun).toEqual(["a0", "a1"]);
    for (const [at, label] of labels.entries()) {
      await end(label, 1_000);
      await expect.poll(() => begun.length).toBe(Math.min(at + 3, 10));
    }
    expect(await Promise.all(works)).toEqual(labels);
    expect(begun).toEqual(labels);
  });

  test("gives the next turn to the key with the fewest works, however many another one has waiting", async () => {
    const { ask, end, begun } = openScene({ most: 2, mostOfKey: 2 });
    const works = ["a1", "a2", "a3", "a4", "b1", "c1"].map((label) => ask(label));
    await expect.poll(() => begun).toEqual(["a1", "a2"]);
    for (const label of ["a1", "b1", "a2", "c1", "a3", "a4"]) await end(label);
    await Promise.all(works);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
    const alone = openScene({ most: 1, mostOfKey: 1 });
    const inLine = ["a1", "a2", "a3", "b1", "b2"].map((label) => alone.ask(label));
    for (const label of ["a1", "b1", "a2", "b2", "a3"]) await alone.end(label);
    await Promise.all(inLine);
    expect(alone.begun).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  });

  test("drops a work whose requester left, and one whose requester had left before", async () => {
    const { ask, end, begun } = openScene({ most: 1, mostOfKey: 1 });
    const leaving = new AbortController();
    const first = ask("a1");
    const dropped = expect(ask("b1", { signal: leaving.signal })).rejects.toMatchObject({ status: 503 });
    const next = ask("c1");
    leaving.abort();
    await dropped;
    await expect(ask("d1", { signal: leaving.signal })).rejects.toMatchObject({ status: 503 });
    await end("a1");
    await end("c1");
    expect(await Promise.all([first, next])).toEqual(["a1", "c1"]);
    expect(begun).toEqual(["a1", "c1"]);
  });

  test("refuses at once what would wait too long, says when to come back, and lets in whoever waits less", async () => {
    const { ask, end, begun } = openScene({ most: 1, mostOfKey: 1, mostWaitMs: 10_000 });
    const works = ["a1", "a2", "a3", "a4"].map((label) => ask(label));
    // The mean is then 6 seconds: with two of its own waiting, the next one would wait 18.
    await end("a1", 24_000);
    await expect.poll(() => begun).toContain("a2");
    await expect(ask("a5")).rejects.toMatchObject({ status: 503, retryAfterSeconds: 18 });
    // Another key comes after one of them, and a patient work waits as long as it takes.
    await expect(ask("b1")).rejects.toMatchObject({ status: 503, retryAfterSeconds: 12 });
    const patient = ask("b2", { isPatient: true });
    for (const label of ["a2", "b2", "a3", "a4"]) await end(label, 0);
    await Promise.all([...works, patient]);
    // What was slow before is forgotten once nothing runs.
    const again = ["a6", "a7", "a8"].map((label) => ask(label));
    for (const label of ["a6", "a7", "a8"]) await end(label);
    await Promise.all(again);
  });

  test("refuses after the longest wait, whatever it had expected", async () => {
    const { ask, end, begun } = openScene({ most: 1, mostOfKey: 1, mostWaitMs: 5 });
    const first = ask("a1");
    await expect(ask("b1")).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
    await end("a1");
    expect(await first).toBe("a1");
    expect(begun).toEqual(["a1"]);
  });

  test("goes on after a work that failed", async () => {
    const inTurn = createFairSemaphore({ most: 1, mostOfKey: 1, mostWaitMs: LONG_MS });
    const requester = { key: "a", signal: stays };
    const failing = inTurn(requester, () => Promise.reject(new Error("broken")));
    const next = inTurn(requester, async () => "done");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("done");
  });
});
