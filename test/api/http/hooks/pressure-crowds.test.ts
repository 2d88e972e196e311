import { describe, expect, test } from "vitest";
import { openPressure } from "../../../../api/http/hooks/pressure.ts";
import { openCrowd, TICK_MS } from "./crowd.ts";

describe("requests that come at once", () => {
  const settings = { mostAtOnce: 64, leastAtOnce: 32, answerMs: 200, waitMs: 300, crowd: 128 };

  /** So many at once, of which so many a second are answered in turn, until none is left. */
  function play(count: number, perSecond: number, seconds = 4) {
    const pressure = openPressure(settings);
    const crowd = openCrowd(pressure);
    let [nowMs, answered, lastMs] = [0, 0, 0];
    pressure.tick(nowMs);
    crowd.come(count, nowMs);
    for (; nowMs < seconds * 1_000; nowMs += TICK_MS) {
      while (answered < crowd.begun && answered < (nowMs * perSecond) / 1_000) {
        answered++;
        lastMs = nowMs;
        pressure.end(nowMs, nowMs);
      }
      pressure.tick(nowMs);
    }
    return { answered, lastMs, turnedAway: crowd.turnedAway, refused: crowd.refused };
  }

  test.each([
    [96, 60],
    [200, 120],
    [240, 130],
    [500, 270],
    [2_000, 1_100],
  ])(
    "%i are all answered where %i a second are done: that takes less than two seconds",
    (count, perSecond) => {
      expect(play(count, perSecond)).toMatchObject({ answered: count, turnedAway: 0, refused: 0 });
    },
  );

  test.each([
    [500, 150],
    [1_000, 300],
    [5_000, 1_000],
  ])(
    "of %i more than are done in two seconds at %i a second, those are answered that are soon done",
    (count, perSecond) => {
      const { answered, lastMs, turnedAway } = play(count, perSecond);
      expect(answered + turnedAway).toBe(count);
      expect(answered).toBeGreaterThan(perSecond / 5);
      expect(lastMs).toBeLessThan(1_000);
    },
  );

  test("all of a burst are answered though others go on coming behind it", () => {
    const pressure = openPressure(settings);
    const crowd = openCrowd(pressure);
    const perTick = (count: number, tick: number) =>
      Math.floor((count * (tick + 1)) / 50) - Math.floor((count * tick) / 50);
    let answered = 0;
    pressure.tick(0);
    crowd.come(450, 0);
    for (let tick = 0; tick < 300; tick++) {
      if (tick < 200) crowd.come(perTick(100, tick), tick * TICK_MS);
      for (let each = 0; each < perTick(300, tick) && answered < crowd.begun; each++, answered++)
        pressure.end(200, tick * TICK_MS);
      pressure.tick(tick * TICK_MS);
    }
    expect([answered, crowd.turnedAway, crowd.refused]).toEqual([450 + 400, 0, 0]);
  });

  test("callers that left are not begun", () => {
    const pressure = openPressure({ ...settings, mostAtOnce: 1 });
    pressure.begin();
    let begun = 0;
    const gone = { begin: () => void begun++, turnAway: () => void begun++, hasLeft: () => true };
    for (let each = 0; each < 3; each++) pressure.wait(gone, 0);
    pressure.end(1, 1);
    pressure.tick(20);
    expect([begun, pressure.beginAtOnce()]).toEqual([0, true]);
  });
});

describe("a flood", () => {
  /** Three times what is done, for so many seconds, in turn; the waits of what was answered. */
  function flood(perSecond: number, times: number, seconds: number) {
    const pressure = openPressure();
    const waits: number[] = [];
    const begun: number[] = [];
    let [refused, due, came, done] = [0, 0, 0, 0];
    for (let nowMs = 0; nowMs < seconds * 1_000; nowMs += TICK_MS) {
      pressure.tick(nowMs);
      for (came += (perSecond * times * TICK_MS) / 1_000; due < came; due++) {
        const cameMs = nowMs;
        const queued = {
          begin: () => void begun.push(cameMs),
          turnAway: () => void refused++,
          hasLeft: () => false,
        };
        if (!pressure.mayCome(nowMs)) refused++;
        else if (pressure.beginAtOnce()) begun.push(nowMs);
        else pressure.wait(queued, nowMs);
      }
      for (done += (perSecond * TICK_MS) / 1_000; done >= 1 && begun.length > 0; done--) {
        const tookMs = nowMs - (begun.shift() ?? 0);
        waits.push(tookMs);
        pressure.end(tookMs, nowMs);
      }
      done = Math.min(done, 1);
    }
    return { refused, waits: waits.sort((a, b) => a - b), pressure, endMs: seconds * 1_000 };
  }

  test.each([
    [200, 3],
    [1_000, 3],
    [500, 1.5],
  ])(
    "of %i a second, %d times over: nearly all is used, and 99 of 100 answers come within a second",
    (perSecond, times) => {
      const { refused, waits } = flood(perSecond, times, 10);
      expect(refused).toBeGreaterThan(0);
      expect(waits.length).toBeGreaterThan(perSecond * 10 * 0.95);
      expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(1_000);
    },
  );

  test("is known before its first requests have waited for a second", () => {
    for (const times of [2, 3, 5]) expect(flood(300, times, 4).waits.at(-1)).toBeLessThan(900);
  });

  test("leaves the process as it was a few seconds later", () => {
    const { pressure, endMs } = flood(200, 3, 5);
    for (let nowMs = endMs; nowMs < endMs + 3_000; nowMs += TICK_MS) {
      pressure.tick(nowMs);
      pressure.end(1, nowMs);
    }
    expect(pressure.isOverloaded()).toBe(false);
  });
});
