import { expect, test } from "vitest";
import { openProcess, openScene } from "../http/page-cache/scene.ts";

// The reads that count: what a first view and what an agent's most frequent calls cost in statements.

const scene = await openScene();
const PAGES = ["/", "/@tide/story", "/@tide/story.json", "/@tide/data", "/@tide/data.json", "/@tide/list"];
// The very first view of a page, by whatever process, also keeps the recipes of its pictures, by one statement.
for (const url of PAGES) await fetch(`${scene.uncached.origin}${url}`);

/** The statements of a request to a process that has read nothing before, beside the reads of page versions. */
async function countFirst(url: string): Promise<number> {
  const { limits } = scene.service.deps.config;
  const { origin, statements } = await openProcess(scene.service, limits.pageCacheBytes);
  statements.length = 0;
  const { status } = await fetch(`${origin}${url}`, { headers: { accept: "text/html" } });
  expect(status).toBe(200);
  return statements.length;
}

// Two reads of the page's version come on top, one before and one behind: five in all.
test.each(PAGES)(
  "a first view of %s takes three statements at most, and two reads of its version",
  async (url) => {
    expect(await countFirst(url)).toBeLessThanOrEqual(3);
  },
);

/** The statements of an agent's call; the first call of a minute also notes that the token was used. */
async function countCall(path: string): Promise<number> {
  const { tide, service } = scene;
  await tide.get("/agent");
  service.statements.length = 0;
  const { status } = await tide.get(path);
  expect(status).toBe(200);
  return service.statements.length;
}

test("GET /agent takes two statements at most, that of its token included", async () => {
  expect(await countCall("/agent")).toBeLessThanOrEqual(2);
});

test("a list of creations and one creation take three at most, that of the token included", async () => {
  const { story, data, list } = scene.ids;
  for (const path of ["/creations?per_page=20", ...[story, data, list].map((id) => `/creations/${id}`)]) {
    expect(await countCall(path), path).toBeLessThanOrEqual(3);
  }
});
