import { expect, test } from "vitest";
import { z } from "zod";
import { openPageCache } from "../../../shared/reading/page-cache.ts";
import { sql } from "../../../sql/connection/pool.ts";
import type { PageSubject } from "../../../sql/reading/page-versions.ts";
import { connectAuthor, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const subject: PageSubject = { kind: "creation", handle: "tide", slug: "one" };
const raise = sql.type(z.strictObject({}))`UPDATE creations SET page_version = page_version + 1`;

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide" });
await publishNew(agent, { slug: "one" });

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
  // Each page has some bytes around it.
  const again = rendererOf(5_000);
  for (let n = 32; n < 40; n++) await pages.read(subject, `page ${n}`, again.render);
  expect(again.count).toBe(0);
  for (let n = 0; n < 30; n++) await pages.read(subject, `page ${n}`, again.render);
  expect(again.count).toBe(30);
  // A page larger than the cache is shown and not cached.
  const large = rendererOf(60_000);
  for (let n = 0; n < 2; n++)
    expect((await pages.read(subject, "large", large.render)).body.length).toBe(60_000);
  expect(large.count).toBe(2);
});

test("a page that lacks a drawing is shown and rendered anew for the next reader", async () => {
  const pages = open(1_000_000);
  const torn = rendererOf(10, false);
  await pages.read(subject, "page", torn.render);
  await pages.read(subject, "page", torn.render);
  expect(torn.count).toBe(2);
});

test.each([1_000_000, 0])("a page whose version moved is rendered again, with %i bytes", async (bytes) => {
  const pages = open(bytes);
  for (const [moves, renderings] of [
    [1, 2],
    [9, 5],
  ] as const) {
    const slow = rendererOf(10);
    await pages.read(subject, `moves ${moves} times`, async () => {
      const made = await slow.render();
      if (slow.count <= moves) await service.deps.pool.query(raise);
      return made;
    });
    expect(slow.count).toBe(renderings);
  }
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
