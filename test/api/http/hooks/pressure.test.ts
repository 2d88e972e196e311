import { describe, expect, test } from "vitest";
import { openPressure, type Pressure } from "../../../../api/http/hooks/pressure.ts";
import { openCrowd, SETTINGS, TICK_MS } from "./crowd.ts";

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
