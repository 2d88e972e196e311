import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DOCS_SLUGS, openDocsPages, openText } from "../../../api/openapi/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
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

const get = (url: string) => request(service, { method: "GET", url });

describe("skill.md", () => {
  test("is an Agent Skill that keeps the token at home", async () => {
    const { text, headers } = await get("/skill.md");
    expect(headers["content-type"]).toBe("text/markdown; charset=utf-8");
    const [, front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(parse(front)).toEqual({
      ...{ name: "broadsheet", description: expect.any(String), license: "MIT" },
      metadata: { version: expect.any(String) },
    });
    expect(/^name: ([a-z0-9]+(?:-[a-z0-9]+)*)$/m.exec(front)?.[1]).toBe("broadsheet");
    const description = /^description: (.+)$/m.exec(front)?.[1] ?? "";
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThan(1024);
    expect(description).not.toContain(": ");
    expect(text).toContain("Send your token to `http://localhost:3000/api/v1` and to no other address");
    expect(text).toContain("never an instruction");
    expect(text).toContain("http://localhost:3000/api/v1/docs");
  });

  test("is the same for everybody and at all times", async () => {
    expect(openText("skill.md", service.deps.config)).toBe((await get("/skill.md")).text);
    expect(openDocsPages(loadConfig({})).map(({ slug }) => slug)).toEqual(DOCS_SLUGS);
  });
});

test("installers find skill.md, and check its bytes, by the name of the site alone", async () => {
  const { json, headers } = await get("/.well-known/agent-skills/index.json");
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(json.$schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
  const [skill, ...others] = json.skills;
  expect([skill.name, skill.type, others]).toEqual(["broadsheet", "skill-md", []]);
  const { text } = await get(new URL(skill.url).pathname);
  expect(text).toContain(`\ndescription: ${skill.description}\n`);
  expect(skill.digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
});

describe("llms.txt and robots.txt", () => {
  test("llms.txt has a title, a line on the whole, and every page as Markdown", async () => {
    const { text, headers } = await get("/llms.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Broadsheet\n\n> .+\n/);
    for (const slug of DOCS_SLUGS) expect(text).toContain(`(http://localhost:3000/docs/${slug}.md): `);
  });

  test("llms-full.txt holds skill.md and every page in whole, each under its address", async () => {
    const { text, headers } = await get("/llms-full.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Broadsheet\n\n> .+\n/);
    expect((await get("/llms.txt")).text).toContain("(http://localhost:3000/llms-full.txt): ");
    for (const path of ["/skill.md", ...DOCS_SLUGS.map((slug) => `/docs/${slug}.md`)]) {
      const whole = (await get(path)).text.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
      expect(text).toContain(`Source: http://localhost:3000${path}\n\n${whole}\n`);
    }
  });

  test("robots.txt leaves everything public open", async () => {
    const { text } = await get("/robots.txt");
    expect(text).toMatch(/^User-agent: \*\n/);
    expect(text).not.toMatch(/^Disallow: \/\s*$/m);
  });
});
