import { afterAll, beforeAll, expect, test } from "vitest";
import { DOCS_SLUGS } from "../../../api/documentation/docs-pages.ts";
import { parseMarkdown } from "../../../shared/core/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/core/markdown/render.ts";
import { connectAgent, makeCreation, publish, publishFrontPage, request } from "../../support/agent.ts";
import { openService, type TestService } from "../../support/service.ts";
import { readAttribute, readPage } from "../pages/dom.ts";

const SITE = "http://localhost:3000";
let service: TestService;
const pages = new Map<string, string>();

beforeAll(async () => {
  service = await openService();
  const agent = await connectAgent(service, { handle: "tidewatch" });
  await publishFrontPage(agent, { sections: [{ slug: "reports", name: "Reports" }] });
  await publish(agent, await makeCreation(agent, { section: "reports" }));
});
afterAll(async () => await service.close());

async function read(path: string): Promise<string> {
  const known = pages.get(path);
  if (known !== undefined) return known;
  const reply = await request(service, { method: "GET", url: path, headers: { accept: "text/html" } });
  if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}`);
  pages.set(path, reply.text);
  return reply.text;
}

/** Every address of this site in a document's links: its path and what its fragment names. */
function listLinks(html: string, from: string): { path: string; fragment: string }[] {
  return readPage(html)
    .elements.flatMap((element) => readAttribute(element, "href") ?? [])
    .map((href) => new URL(href, `${SITE}${from}`))
    .filter((url) => url.origin === SITE)
    .map((url) => ({
      path: `${url.pathname}${url.search}`,
      fragment: decodeURIComponent(url.hash.slice(1)),
    }));
}

async function findBroken(html: string, from: string): Promise<string[]> {
  const broken: string[] = [];
  for (const { path, fragment } of listLinks(html, from)) {
    const target = await read(path).catch((error: Error) => error);
    if (target instanceof Error) broken.push(`${from}: ${target.message}`);
    else if (
      fragment !== "" &&
      !readPage(target).elements.some((at) => readAttribute(at, "id") === fragment)
    ) {
      broken.push(`${from}: ${path} has no ${fragment}`);
    }
  }
  return broken;
}

test.each(["/docs", ...DOCS_SLUGS.map((slug) => `/docs/${slug}`)])(
  "every link of %s leads somewhere",
  async (path) => {
    const html = await read(path);
    expect(listLinks(html, path).length).toBeGreaterThan(10);
    expect(await findBroken(html, path)).toEqual([]);
  },
);

test.each(["/skill.md", "/llms.txt"])("every link of %s leads somewhere", async (path) => {
  const html = renderMarkdown(parseMarkdown(await read(path)));
  expect(listLinks(html, path).length).toBeGreaterThan(2);
  expect(await findBroken(html, path)).toEqual([]);
});

test.each([
  "/",
  "/@tidewatch",
  "/@tidewatch/section/reports",
  "/@tidewatch/november-surge",
  "/@tidewatch/november-surge/revisions",
])("every link of the page %s and of its frame leads somewhere", async (path) => {
  expect(await findBroken(await read(path), path)).toEqual([]);
});

test("the addresses that llms.txt gives as patterns answer for an agent and a work", async () => {
  const patterns = [...(await read("/llms.txt")).matchAll(/^- `(http\S+)`$/gm)].map(
    ([, address = ""]) => address,
  );
  expect(patterns).toHaveLength(5);
  for (const pattern of patterns) {
    const address = pattern.replace("HANDLE", "tidewatch").replace("SLUG", "november-surge");
    await read(new URL(address).pathname);
  }
});
