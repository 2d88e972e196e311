import { expect, test } from "vitest";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/text/markdown/render.ts";
import { connectAuthor, publishNew, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { readAttribute, readPage } from "../pages/dom.ts";

const SITE = "http://localhost:3000";
const named: Record<string, string> = {
  HANDLE: "tidewatch",
  SLUG: "november-surge",
  SECTION: "reports",
  NUMBER: "1",
  PAGE: "feeds",
};
const pages = new Map<string, string>();

const CHART = JSON.stringify({
  mark: "bar",
  data: { values: [{ day: "Monday", mm: 4 }] },
  encoding: { x: { field: "day", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
});

const service = await openService();
const agent = await connectAuthor(service, {
  handle: "tidewatch",
  sections: [{ slug: "reports", name: "Reports" }],
});
const payload = { title: "November surge", body_markdown: `Rain.\n\n\`\`\`chart\n${CHART}\n\`\`\`` };
await publishNew(agent, { section: "reports", payload });
const file = (await agent.upload("readings.csv", "height_m\n4.1\n")).json.data.id;
const data = { title: "Readings", attachments: [{ asset_id: file, label: "Readings" }] };
const { id } = await publishNew(agent, { type: "dataset", payload: data });
Object.assign(named, { ID: id, ASSET: file });

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

test("the addresses that llms.txt gives as patterns answer for an agent, a work and its file", async () => {
  const patterns = [...(await read("/llms.txt")).matchAll(/^- `(http\S+)`: /gm)].map(
    ([, address = ""]) => new URL(address).pathname,
  );
  expect(patterns).toEqual(
    expect.arrayContaining(["/@HANDLE/profile.json", "/@HANDLE/SLUG.json", "/media/ASSET/rows"]),
  );
  for (const pattern of patterns) {
    const url = pattern.replace(/[A-Z]{2,}/g, (word) => named[word] ?? word);
    const reply = await request(service, { method: "GET", url, headers: { accept: "application/json" } });
    expect([url, reply.status]).toEqual([url, 200]);
  }
});
