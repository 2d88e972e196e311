import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { openWay, openWays, readCounts, readLog, send, type Way } from "./ways.ts";
import { listCases, PAGES, type WireCase } from "./wire-cases.ts";

const ways = await openWays();
const { bytes } = await send(ways.uncached, "GET /@tide/story HTTP/1.1\r\nHost: localhost\r\n\r\n");
await send(ways.caching, "GET /@tide/story HTTP/1.1\r\nHost: localhost\r\n\r\n");
const [, etag = ""] = /^etag: (.*)\r$/m.exec(bytes) ?? [];
expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
const cases = listCases(etag);

/** Sends a request to both processes and compares every byte but the id and the date. */
async function expectSame({ name, bytes, answers }: WireCase) {
  const [cached, fresh] = await Promise.all([
    send(ways.caching, bytes, answers),
    send(ways.uncached, bytes, answers),
  ]);
  expect([name, cached.bytes]).toEqual([name, fresh.bytes]);
  return cached;
}

/** What one process counted or logged and the other did not. */
async function compareTraces() {
  const counts = [await readCounts(ways.caching), await readCounts(ways.uncached)];
  const logs = [readLog(ways.caching), readLog(ways.uncached)];
  return [counts, logs].filter(([on, off]) => !isDeepStrictEqual(on, off));
}

async function expectSameTraces() {
  await expect.poll(compareTraces).toEqual([]);
}

async function inState(state: Partial<Way["state"]>, act: () => Promise<void>) {
  const usual = { ...ways.caching.state };
  for (const way of [ways.caching, ways.uncached]) Object.assign(way.state, state);
  try {
    await act();
  } finally {
    for (const way of [ways.caching, ways.uncached]) Object.assign(way.state, usual);
  }
}

test("a page from the cache has the bytes of a page rendered anew, and is counted and logged alike", async () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ bytes }) => bytes)).size).toBe(cases.length);
  // Every page is cached before the cases.
  for (const one of [...PAGES, ...cases]) await expectSame(one);
  await expectSameTraces();
});

test("a process that stops answers alike, each time closing the connection", async () => {
  await inState({ isStopping: true }, async () => {
    for (const page of PAGES) {
      const { status, bytes } = await expectSame(page);
      expect([status, /^connection: close\r$/m.test(bytes)]).toEqual([200, true]);
    }
  });
  await expectSameTraces();
});

test("a version that cannot be read is answered and logged alike", async () => {
  await inState({ isCutOff: true }, async () => {
    for (const page of PAGES) expect((await expectSame(page)).status).toBe(500);
  });
  await expectSameTraces();
  const failed = readLog(ways.caching).filter(({ err }) => err === "no version");
  expect(failed.length).toBe(PAGES.length);
});

test("a page that was cached is gone once it is hidden, and has other bytes once it changed", async () => {
  const page = PAGES.find(({ bytes }) => bytes.startsWith("GET /@tide/hidden ")) as WireCase;
  const story = PAGES.find(({ bytes }) => bytes.startsWith("GET /@tide/story ")) as WireCase;
  expect((await expectSame(page)).status).toBe(200);
  const before = await expectSame(story);
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.hidden, "hide");
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.story, "hide");
  for (const one of [page, story]) expect((await expectSame(one)).status).toBe(404);
  await runCreationCommand(ways.service.deps, COMMAND_LINE, ways.ids.story, "unhide");
  const [changed, again] = [await expectSame(story), await expectSame(story)];
  expect([before, changed, again].map(({ status }) => status)).toEqual([200, 200, 200]);
  await expectSameTraces();
});

test("a process with too much to do turns readers away, and logs how many", async () => {
  const crowded = await openWay(ways.service, { load: { reads: 0, waitMs: 0 } });
  try {
    for (const { bytes } of PAGES) {
      const refused = await send(crowded, bytes);
      expect([refused.status, /^retry-after: \d\r$/m.test(refused.bytes)]).toEqual([503, true]);
    }
    const countLogged = () => readLog(crowded).reduce((sum, { requests = 0 }) => sum + Number(requests), 0);
    await expect.poll(countLogged, { timeout: 20_000 }).toBe(PAGES.length);
  } finally {
    await crowded.close();
  }
});
