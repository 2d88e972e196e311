import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openBatchLoader } from "../../../shared/platform/concurrency/batch-loader.ts";
import { openPageCache } from "../../../shared/reading/page-cache.ts";
import { sql } from "../../../sql/connection/pool.ts";
import type { PageSubject } from "../../../sql/reading/page-versions.ts";
import { connectAgent, makeCreation, publish, publishFrontPage } from "../../support/agent.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
const subject: PageSubject = { kind: "creation", handle: "tide", slug: "one" };
const raise = sql.type(z.strictObject({}))`UPDATE creations SET page_version = page_version + 1`;

beforeAll(async () => {
  service = await openService({ workers: false });
  const agent = await connectAgent(service, { handle: "tide" });
  await publishFrontPage(agent);
  await publish(agent, await makeCreation(agent, { slug: "one" }));
});
afterAll(() => service.close());

function open(pageCacheBytes: number) {
  const { config, pageVersions, banner } = service.deps;
  const limits = { ...config.limits, pageCacheBytes };
  return openPageCache<{ body: Buffer }>({
    config: { ...config, limits },
    pageVersions,
    banner,
    now: service.deps.now,
  });
}

/** Renders pages of so many bytes and counts them. */
function rendererOf(bytes: number, isComplete = true) {
  const made = {
    count: 0,
    render: async () => ({ page: { body: Buffer.alloc(bytes, ++made.count) }, isComplete }),
  };
  return made;
}

test("a page is rendered once per version, and once for all who ask for it at the same time", async () => {
  const pages = open(1_000_000);
  const renderer = rendererOf(10);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => pages.read(subject, "page", renderer.render)),
  );
  expect([renderer.count, new Set(all).size]).toEqual([1, 1]);
  expect(await pages.read(subject, "page", renderer.render)).toBe(all[0]);
  expect(await pages.read(subject, "other page", renderer.render)).not.toBe(all[0]);
});

test("the cache stays within its bytes, however many pages there are", async () => {
  const pages = open(50_000);
  for (let n = 0; n < 40; n++) await pages.read(subject, `page ${n}`, rendererOf(5_000).render);
  expect(pages.cachedBytes()).toBeGreaterThan(40_000);
  expect(pages.cachedBytes()).toBeLessThanOrEqual(50_000);
  // A page larger than the cache is shown and not cached.
  expect((await pages.read(subject, "large", rendererOf(60_000).render)).body.length).toBe(60_000);
  expect(pages.cachedBytes()).toBeLessThanOrEqual(50_000);
});

test("with 0 bytes every page is rendered anew", async () => {
  const pages = open(0);
  const anew = rendererOf(10);
  await pages.read(subject, "page", anew.render);
  await pages.read(subject, "page", anew.render);
  expect([anew.count, pages.cachedBytes()]).toEqual([2, 0]);
});

test("a page that lacks a drawing is shown and rendered anew for the next reader", async () => {
  const pages = open(1_000_000);
  const torn = rendererOf(10, false);
  await pages.read(subject, "page", torn.render);
  await pages.read(subject, "page", torn.render);
  expect([torn.count, pages.cachedBytes()]).toEqual([2, 0]);
});

test("a page whose version moved while it was rendered is not cached", async () => {
  const pages = open(1_000_000);
  const slow = rendererOf(10);
  await pages.read(subject, "page", async () => {
    const made = await slow.render();
    await service.deps.pool.query(raise);
    return made;
  });
  expect(pages.cachedBytes()).toBe(0);
  await pages.read(subject, "page", slow.render);
  expect(slow.count).toBe(2);
});

test("a failure of one rendering is that reader's alone", async () => {
  const pages = open(1_000_000);
  const good = rendererOf(10);
  const failing = pages.read(subject, "page", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("torn");
  });
  const other = pages.read(subject, "page", good.render);
  await expect(failing).rejects.toThrow("torn");
  expect((await other).body.length).toBe(10);
});

test("a look holds only what was asked before it began, each name once, and the next waits for a free lane", async () => {
  const looks: { keys: readonly string[]; end(): void }[] = [];
  const ask = openBatchLoader<string, string>({
    nameOf: (key) => key,
    concurrency: 1,
    nextAfterMs: 0,
    load: (keys) =>
      new Promise((resolve) => {
        looks.push({ keys, end: () => resolve(keys.map((key) => `${key}!`)) });
      }),
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const first = [ask("a"), ask("b"), ask("a")];
  await turn();
  const late = ask("a");
  await turn();
  expect(looks.map(({ keys }) => keys)).toEqual([["a", "b"]]);
  looks[0]?.end();
  expect(await Promise.all(first)).toEqual(["a!", "b!", "a!"]);
  await turn();
  expect(looks.map(({ keys }) => keys)).toEqual([["a", "b"], ["a"]]);
  looks[1]?.end();
  expect(await late).toBe("a!");
});

test("beside a look that has not come back for a while a second one begins, and no third", async () => {
  const looks: { keys: readonly string[]; end(): void }[] = [];
  const begun: (() => void)[] = [];
  const ask = openBatchLoader<string, string>({
    nameOf: (key) => key,
    concurrency: 2,
    nextAfterMs: 5,
    load: (keys) =>
      new Promise((resolve) => {
        looks.push({ keys, end: () => resolve(keys) });
        begun[looks.length - 1]?.();
      }),
  });
  const second = new Promise<void>((resolve) => {
    begun[1] = resolve;
  });
  const answers = [ask("a")];
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  answers.push(ask("b"), ask("c"));
  await second;
  answers.push(ask("d"));
  looks[1]?.end();
  expect(await Promise.all(answers.slice(1, 3))).toEqual(["b", "c"]);
  expect(looks.slice(0, 2).map(({ keys }) => keys)).toEqual([["a"], ["b", "c"]]);
  looks[0]?.end();
  expect(await answers[0]).toBe("a");
  await expect.poll(() => looks.length).toBe(3);
  looks[2]?.end();
  expect(await answers[3]).toBe("d");
});

test("a look that fails fails for all in it, and the next one is made", async () => {
  let isFirst = true;
  const ask = openBatchLoader<string, string>({
    nameOf: (key) => key,
    concurrency: 1,
    nextAfterMs: 0,
    load: async (keys) => {
      if (!isFirst) return keys;
      isFirst = false;
      throw new Error("away");
    },
  });
  const both = await Promise.allSettled([ask("a"), ask("b")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("a")).toBe("a");
});
