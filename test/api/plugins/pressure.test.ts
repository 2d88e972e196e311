import { describe, expect, test } from "vitest";
import type { QueuedRequest } from "../../../api/plugins/burst-queue.ts";
import { openPressure, type Pressure } from "../../../api/plugins/pressure.ts";

const SETTINGS = { mostAtOnce: 20, leastAtOnce: 5, answerMs: 300, waitMs: 250, crowd: 4 };
const TICK_MS = 20;

/** A second of ticks in which so many requests were answered, each in so long. */
function passSecond(pressure: Pressure, fromMs: number, answers: number, tookMs: number): number {
  for (let tick = 0; tick < 50; tick++) {
    pressure.tick(fromMs + tick * TICK_MS);
    const due = Math.floor(((tick + 1) * answers) / 50) - Math.floor((tick * answers) / 50);
    for (let each = 0; each < due; each++) {
      pressure.begin();
      pressure.end(tookMs, fromMs + tick * TICK_MS);
    }
  }
  return fromMs + 1_000;
}

function countPlaces(pressure: Pressure, nowMs: number): number {
  let places = 0;
  for (; places < 10_000 && pressure.mayBegin(nowMs); places++) pressure.begin();
  for (let each = 0; each < places; each++) pressure.end(0, nowMs);
  return places;
}

describe("how many requests may be under way at once", () => {
  test("a number that is fixed, before anything is known", () => {
    const pressure = openPressure({ ...SETTINGS, crowd: 1_000 });
    pressure.tick(0);
    expect(countPlaces(pressure, 1)).toBe(20);
  });

  test("more where many are answered fast", () => {
    const pressure = openPressure({ ...SETTINGS, crowd: 1_000 });
    let nowMs = 0;
    for (let second = 0; second < 3; second++) nowMs = passSecond(pressure, nowMs, 1_000, 10);
    expect(countPlaces(pressure, nowMs)).toBeGreaterThan(250);
  });

  test("as many as are done in time where answers are slow, and at least a few", () => {
    for (const [answers, least, most] of [
      [50, 14, 16],
      [5, 5, 5],
    ] as const) {
      const pressure = openPressure({ ...SETTINGS, crowd: 1_000 });
      let nowMs = 0;
      for (let second = 0; second < 4; second++) nowMs = passSecond(pressure, nowMs, answers, 900);
      const places = countPlaces(pressure, nowMs);
      expect([places >= least, places <= most], String(places)).toEqual([true, true]);
    }
  });

  test("as many as before, as soon as answers are fast again", () => {
    const pressure = openPressure({ ...SETTINGS, crowd: 1_000 });
    let nowMs = 0;
    for (let second = 0; second < 4; second++) nowMs = passSecond(pressure, nowMs, 50, 900);
    nowMs = passSecond(pressure, nowMs, 50, 10);
    expect(countPlaces(pressure, nowMs)).toBe(20);
  });
});

describe("work that waits for each other", () => {
  /** So many windows in which there was always something to do, and so many a second were answered. */
  function keepBusy(pressure: Pressure, perSecond: number): number {
    let nowMs = 0;
    pressure.tick(nowMs);
    for (let place = 0; place < 5; place++) pressure.begin();
    for (let tick = 0; tick < 20; tick++) {
      nowMs += 1_000 / perSecond;
      pressure.begin();
      pressure.end(1, nowMs);
      pressure.tick(nowMs);
    }
    for (let place = 0; place < 5; place++) pressure.end(1, nowMs);
    return nowMs;
  }
  const most = { ...SETTINGS, mostAtOnce: 100, crowd: 1_000 };

  test("is let in as far as it is done in time beside a crowd, though what was let in first was fast", () => {
    const inTurn = openPressure(most, () => true);
    expect(countPlaces(inTurn, keepBusy(inTurn, 40))).toBe(12);
    const atOnce = openPressure(most);
    expect(countPlaces(atOnce, keepBusy(atOnce, 40))).toBe(100);
  });

  test("a few are always let in, and many where there was a moment without any", () => {
    const slow = openPressure(most, () => true);
    const nowMs = keepBusy(slow, 2);
    expect(countPlaces(slow, nowMs)).toBe(5);
    for (let tick = 1; tick < 20; tick++) slow.tick(nowMs + tick * TICK_MS);
    expect(countPlaces(slow, nowMs + 400)).toBe(100);
  });
});

test("while requests wait, fast answers are no sign that more can be let in", () => {
  const pressure = openPressure({ ...SETTINGS, crowd: 1_000, burstMs: 60_000 });
  let nowMs = passSecond(pressure, passSecond(pressure, 0, 5, 900), 5, 900);
  for (let place = 0; place < 5; place++) pressure.begin();
  const crowd = openCrowd(pressure);
  crowd.come(100, nowMs);
  for (let tick = 0; tick < 150; tick++, nowMs += TICK_MS) {
    pressure.tick(nowMs);
    expect(pressure.mayBegin(nowMs)).toBe(false);
    if (tick % 10 === 0) pressure.end(10, nowMs);
  }
  expect(crowd).toMatchObject({ begun: 15, turnedAway: 0 });
});

/** Requests that come at once and wait; counts what became of them. */
function openCrowd(pressure: Pressure) {
  const crowd = {
    begun: 0,
    turnedAway: 0,
    refused: 0,
    come(count: number, nowMs: number) {
      for (let each = 0; each < count; each++) {
        if (!pressure.mayCome(nowMs)) crowd.refused++;
        else if (pressure.beginAtOnce()) crowd.begun++;
        else pressure.wait(queued, nowMs);
      }
    },
  };
  const queued: QueuedRequest = {
    begin: () => void crowd.begun++,
    turnAway: () => void crowd.turnedAway++,
    hasLeft: () => false,
  };
  return crowd;
}

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

describe("a late tick", () => {
  test("turns away those at the end of a crowd that waited longer than a burst may", () => {
    const pressure = openPressure(SETTINGS);
    pressure.tick(1_000);
    const came = [1, 2, 3, 4, 5, 6].map(() => pressure.mayCome(3_001));
    expect(came).toEqual([true, true, true, true, false, false]);
    expect(pressure.isOverloaded()).toBe(true);
  });

  test("turns them away sooner during overload", () => {
    const pressure = openPressure(SETTINGS);
    pressure.tick(1_000);
    for (let each = 0; each < 6; each++) pressure.mayCome(3_001);
    pressure.tick(3_002);
    const came = [1, 2, 3, 4, 5, 6].map(() => pressure.mayCome(3_302));
    expect(came).toEqual([true, true, true, true, false, false]);
  });

  test("turns nobody away where few come, or where it is not that late", () => {
    const pressure = openPressure(SETTINGS);
    pressure.tick(1_000);
    expect([1, 2, 3, 4].map(() => pressure.mayCome(9_000))).not.toContain(false);
    expect([5, 6, 7, 8].map(() => pressure.mayCome(2_999))).not.toContain(false);
  });
});
