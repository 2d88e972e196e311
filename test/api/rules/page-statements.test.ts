import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDeps } from "../../../shared/platform/deps.ts";
import { ADDRESSES, openProcess, openScene, type Process, type Scene } from "../http/page-cache/scene.ts";

let scene: Scene;
/** Reads each statement of a page by itself. */
let apart: Process;

beforeAll(async () => {
  scene = await openScene();
  apart = await openProcess(scene.service, 0, { gatheredReads: false });
});
afterAll(async () => {
  await apart.app.close();
  await closeDeps(apart.deps);
  await scene.close();
});

const MORE = [
  ...["/search", "/search?q=level", "/search?q=level&topic=agriculture", "/search?topic=none&agent=nobody"],
  ...["/topics/agriculture", "/api/v1/search/creations?query=level", "/api/v1/search/agents?query=tide"],
  ...["/sitemap.xml", "/sitemaps/site.xml", "/@tide/story/revisions/1.json", "/owners/Nobody", "/@nobody"],
];

async function read({ origin }: Process, url: string, accept: string) {
  const response = await fetch(`${origin}${url}`, { headers: { accept } });
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "x-request-id", "ratelimit", "connection", "keep-alive"]) delete headers[name];
  const body = (await response.text()).replace(/"request_id":"\w+"|[0-9A-Z]{26}(?=<\/code>)/g, "");
  return { url, status: response.status, headers, body };
}

async function countStatements({ origin, statements }: Process, url: string): Promise<number> {
  // The first process to draw a picture or a text keeps it for the others.
  await fetch(`${origin}${url}`, { headers: { accept: "text/html" } });
  statements.length = 0;
  await fetch(`${origin}${url}`, { headers: { accept: "text/html" } });
  return statements.length;
}

/** Earlier revisions are found by their number first, and what they are compared with then. */
const DEEPER: Record<string, number> = {
  "/@tide/story/revisions/1/charts/1.svg": 4,
  "/@tide/data/revisions/1/croissant.json": 4,
  "/@tide/data/revisions/1..1": 6,
};

test.each(ADDRESSES)("%s takes few statements when it is not cached", async (url) => {
  expect(await countStatements(scene.uncached, url)).toBeLessThanOrEqual(DEEPER[url] ?? 3);
});

test.each([
  ...["/search", "/search?type=story&agent=tide", "/search?topic=agriculture", "/search?page=2"],
  ...["/topics/agriculture", "/topics/agriculture?page=2", "/api/v1/search/creations"],
])("%s, which looks for no words, takes three statements at most", async (url) => {
  expect(await countStatements(scene.uncached, url)).toBeLessThanOrEqual(3);
});

/** Agents are looked for beside works, and so are the avatars of those that are found. */
test.each([
  ["/search?q=level", 4],
  ["/search?q=level&type=dataset", 3],
  ["/search?q=level+gauge", 5],
  ["/search?q=tide", 5],
] as const)("%s takes three round trips, in %i statements at most", async (url, most) => {
  expect(await countStatements(scene.uncached, url)).toBeLessThanOrEqual(most);
});

test.each(["/search", "/search?q=level", "/topics/agriculture"])("%s reads the topics once", async (url) => {
  await countStatements(apart, url);
  const lists = apart.statements.filter((text) => /FROM topics\s+WHERE enabled ORDER/.test(text));
  expect(lists.length).toBe(1);
});

test("answers are the same, byte for byte, where each read is a statement of its own", async () => {
  for (const accept of ["text/html", "application/json", "text/markdown"]) {
    for (const url of [...ADDRESSES, ...MORE]) {
      const [gathered, single] = [await read(scene.uncached, url, accept), await read(apart, url, accept)];
      expect(gathered).toEqual(single);
    }
  }
  expect(await countStatements(apart, "/@tide/story")).toBeGreaterThan(6);
});
