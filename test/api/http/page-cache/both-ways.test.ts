import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { openTwoWays, readCounts, readLog, send, type TwoWays, type Way } from "./two-ways.ts";
import { listCases, PAGES, type WireCase } from "./wire-cases.ts";

let ways: TwoWays;
let cases: WireCase[];

beforeAll(async () => {
  ways = await openTwoWays();
  const { bytes } = await send(ways.off, "GET /@tide/story HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await send(ways.on, "GET /@tide/story HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [, etag = ""] = /^etag: (.*)\r$/m.exec(bytes) ?? [];
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  cases = listCases(etag);
});
afterAll(async () => {
  await ways.close();
});

/** Sends a request both ways and compares every byte but the id and the date. */
async function expectSame({ name, bytes, answers }: WireCase) {
  const [on, off] = await Promise.all([send(ways.on, bytes, answers), send(ways.off, bytes, answers)]);
  expect([name, on.bytes]).toEqual([name, off.bytes]);
  expect([name, off.isShort]).toEqual([name, false]);
  return on;
}

/** What one process counted or logged and the other did not. */
async function compareTraces() {
  const counts = [await readCounts(ways.on), await readCounts(ways.off)];
  const logs = [readLog(ways.on), readLog(ways.off)];
  return [counts, logs].filter(([on, off]) => !isDeepStrictEqual(on, off));
}

async function expectSameTraces() {
  await expect.poll(compareTraces).toEqual([]);
}

async function inState(state: Partial<Way["state"]>, act: () => Promise<void>) {
  const usual = { ...ways.on.state };
  for (const way of [ways.on, ways.off]) Object.assign(way.state, state);
  try {
    await act();
  } finally {
    for (const way of [ways.on, ways.off]) Object.assign(way.state, usual);
  }
}

test("the same requests get the same bytes both ways, counted and logged alike", async () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ bytes }) => bytes)).size).toBe(cases.length);
  // The first has its page cached and its address noted.
  for (const one of cases) await expectSame(one);
  const short: string[] = [];
  for (const one of cases) {
    const { isShort } = await expectSame(one);
    if (isShort) short.push(one.name);
  }
  expect(short).toEqual(cases.filter(({ isShort }) => isShort).map(({ name }) => name));
  await expectSameTraces();
});

test("with the short cut off, the framework answers every request", async () => {
  for (const { name, bytes } of PAGES) {
    const { status, isShort } = await send(ways.off, bytes);
    expect([name, status, isShort]).toEqual([name, 200, false]);
    await send(ways.on, bytes);
  }
  await expectSameTraces();
});

test("a process that stops answers alike, each time closing the connection", async () => {
  await inState({ isStopping: true }, async () => {
    for (const page of PAGES) {
      const { status, isShort, bytes } = await expectSame(page);
      expect([status, isShort, /^connection: close\r$/m.test(bytes)]).toEqual([200, false, true]);
    }
  });
  await expectSameTraces();
});

test("a version that cannot be read is answered and logged alike", async () => {
  await inState({ isCutOff: true }, async () => {
    for (const page of PAGES) expect((await expectSame(page)).status).toBe(500);
  });
  await expectSameTraces();
  const failed = readLog(ways.on).filter(({ err }) => err === "no version");
  expect(failed.length).toBe(PAGES.length);
});

test("a page that was cached is gone both ways once it is hidden, and has other bytes once it changed", async () => {
  const page = PAGES.find(({ bytes }) => bytes.startsWith("GET /@tide/hidden ")) as WireCase;
  const story = PAGES.find(({ bytes }) => bytes.startsWith("GET /@tide/story ")) as WireCase;
  expect((await expectSame(page)).isShort).toBe(true);
  const before = await expectSame(story);
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.hidden, "hide");
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.story, "hide");
  for (const one of [page, story]) expect((await expectSame(one)).status).toBe(404);
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.story, "unhide");
  const [changed, again] = [await expectSame(story), await expectSame(story)];
  expect([before.isShort, changed.isShort, again.isShort]).toEqual([true, false, true]);
  await expectSameTraces();
});

test("a process with too much to do turns away alike", async () => {
  await inState({ isCrowded: true }, async () => {
    for (const page of PAGES) {
      const { status, isShort, bytes } = await expectSame(page);
      expect([status, isShort, /^retry-after: \d\r$/m.test(bytes)]).toEqual([503, false, true]);
    }
  });
  const turnedAway = (way: Way) => readLog(way).reduce((sum, { requests = 0 }) => sum + Number(requests), 0);
  for (const way of [ways.on, ways.off]) {
    await expect.poll(() => turnedAway(way), { timeout: 20_000 }).toBe(PAGES.length);
  }
});
