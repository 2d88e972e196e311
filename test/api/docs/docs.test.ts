import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { fillFacts } from "../../../api/openapi/documentation/pages.ts";
import { Failure } from "../../../api/openapi/schemas.ts";
import { checksumOfRevision, toCanonicalJson } from "../../../shared/ground/checksum.ts";
import { ERROR_STATUS } from "../../../shared/ground/errors.ts";
import { PAYLOAD_LIMITS } from "../../../shared/requests/limits.ts";
import { request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { readAttribute, readPage } from "../pages/dom.ts";

const service = await openService({ limits: { publicationsPerDay: 7 }, workers: false });

const get = (url: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url, headers });
const source = (slug: string) => readFileSync(`api/docs/${slug}.md`, "utf8");

describe("the index", () => {
  test("lists every page with its three addresses", async () => {
    const { status, headers, json } = await get("/api/v1/docs");
    expect(status).toBe(200);
    expect(json.data.map((entry: { slug: string }) => entry.slug)).toEqual(DOCS_SLUGS);
    expect(json.meta).toMatchObject({ total: DOCS_SLUGS.length, last_page: 1 });
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=60",
      "access-control-allow-origin": "*",
      "content-type": "application/json; charset=utf-8",
    });
  });

  test("comes in pages as every collection does, with all of them on one where no size is named", async () => {
    const whole = (await get("/api/v1/docs")).json;
    expect(whole.meta).toMatchObject({ per_page: 100, last_page: 1, total: DOCS_SLUGS.length });
    const { data, links, meta } = (await get("/api/v1/docs?per_page=5&page=2")).json;
    expect(data).toEqual(whole.data.slice(5, 10));
    expect(meta).toMatchObject({ current_page: 2, per_page: 5, from: 6, to: 10, total: DOCS_SLUGS.length });
    expect(links.next).toMatch(/\/docs\?per_page=5&page=3$/);
  });

  test("tells whom each page is for, and lists those for one audience", async () => {
    const slugsOf = async (url: string) =>
      (await get(url)).json.data.map((entry: { slug: string }) => entry.slug);
    const forOperators = [
      ...[
        "self-hosting",
        "containers",
        "moving",
        "operators",
        "witnesses",
        "requests-by-law",
        "scaling",
        "faults",
      ],
    ];
    expect(await slugsOf("/api/v1/docs?audience=operators")).toEqual(forOperators);
    const forAgents = DOCS_SLUGS.filter((slug) => !forOperators.includes(slug));
    expect(await slugsOf("/api/v1/docs?audience=agents")).toEqual(forAgents);
    const { json } = await get("/api/v1/docs?audience=agents");
    expect(json.links.first).toMatch(/\?audience=agents&page=1$/);
    const refused = await get("/api/v1/docs?audience=readers&page=0&pages=2");
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["pages", "audience", "page"]]);
  });

  test("is the list of the folder, no more and no less", () => {
    const files = readdirSync("api/docs").flatMap((name) => /^(.*)\.md$/.exec(name)?.[1] ?? []);
    expect(files.toSorted()).toEqual([...DOCS_SLUGS, "skill"].toSorted());
  });
});

describe("a page", () => {
  test.each(DOCS_SLUGS)("%s has as many cells in every row of a table as in its head", async (slug) => {
    const { markdown } = (await get(`/api/v1/docs/${slug}`)).json.data;
    const tables: string[][] = markdown
      .split(/\n(?!\|)/)
      .map((part: string) => part.split("\n").filter((line) => line.startsWith("|")));
    for (const [head = "", ...rows] of tables) {
      for (const row of rows) expect(countCells(row), row).toBe(countCells(head));
    }
  });

  test.each(DOCS_SLUGS)("%s is the same text as JSON, as Markdown and on the web", async (slug) => {
    const { json } = await get(`/api/v1/docs/${slug}`);
    const { markdown, title, lead, sections } = json.data;
    expect(markdown.startsWith(`# ${title}\n\n`)).toBe(true);
    expect(markdown).not.toMatch(/\{\{|\}\}\s*$/);
    expect(sections.length).toBeGreaterThan(1);
    // Each text once: what is beside it are names and addresses.
    expect(sections.every((section: object) => !("markdown" in section))).toBe(true);
    const beside = JSON.stringify(json).length - JSON.stringify(markdown).length;
    expect(beside).toBeLessThan(600 + 90 * sections.length);
    const asMarkdown = await get(`/docs/${slug}.md`);
    expect(asMarkdown.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(asMarkdown.text).toBe(markdown);
    const web = await get(`/docs/${slug}`, { accept: "text/html" });
    const dom = readPage(web.text);
    expect(dom.faults).toEqual([]);
    expect(dom.all("h1")).toHaveLength(1);
    expect(dom.all("meta", "name", "description").map((meta) => readAttribute(meta, "content"))).toEqual([
      lead,
    ]);
    const ids = dom.elements.flatMap((element) => readAttribute(element, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const section of sections) expect(ids).toContain(section.slug);
    const levels = dom.elements.flatMap(({ tagName }) => (/^h\d$/.test(tagName) ? [Number(tagName[1])] : []));
    levels.forEach((level, at) => {
      expect(level - (levels[at - 1] ?? level)).toBeLessThanOrEqual(1);
    });
  });

  test("is cut to one section by the query, which holds its subsections", async () => {
    const whole = (await get("/api/v1/docs/errors")).json.data;
    const { json } = await get("/api/v1/docs/errors?section=files");
    expect(json.data.sections).toHaveLength(1);
    expect(json.data.sections[0]).toMatchObject({ slug: "files", title: "Files", level: 2 });
    expect(json.data.markdown).toBe(json.data.sections[0].markdown);
    expect(json.data.markdown).toMatch(/^## Files\n[\s\S]*### asset_in_use\n/);
    expect(json.data.markdown).not.toContain("## Rows");
    expect(whole.markdown).toContain(json.data.markdown);
    expect(json.data).toMatchObject({ slug: "errors", title: whole.title, updated_at: whole.updated_at });
    expect((await get("/api/v1/docs/errors?section=")).json.data.markdown).toBe(whole.markdown);
  });

  test("that is not there is 404 and names those that are", async () => {
    for (const url of ["/api/v1/docs/nothing", "/docs/nothing.md", "/docs/nothing"]) {
      const { status, json } = await get(url);
      expect(status).toBe(404);
      expect(json).toMatchObject({ code: "not_found" });
      for (const slug of DOCS_SLUGS) expect(json.message).toContain(slug);
    }
    const section = await get("/api/v1/docs/publishing?section=nothing");
    expect(section.json).toMatchObject({ code: "not_found" });
    expect(section.json.message).toContain("schedule, visibility, unpublish");
    const page = await get("/docs/nothing", { accept: "text/html" });
    expect(page.status).toBe(404);
    expect(page.text).toContain("getting-started");
  });

  test("that was one in earlier versions leads to the list for good, and programs learn what there is", async () => {
    for (const method of ["GET", "HEAD"] as const) {
      const { status, headers } = await request(service, { method, url: "/docs/decisions", headers: {} });
      expect([status, headers.location, headers["cache-control"]]).toEqual([301, "/docs", "no-cache"]);
    }
    for (const url of ["/api/v1/docs/decisions", "/docs/decisions.md"]) {
      const { status, json } = await get(url);
      expect([status, json.code]).toEqual([404, "not_found"]);
      expect(json.message).toContain(DOCS_SLUGS.at(-1));
    }
  });

  test("answers 304 to a reader who has it", async () => {
    const { headers } = await get("/docs/feeds.md");
    const again = await get("/docs/feeds.md", { "if-none-match": String(headers.etag) });
    expect(again.status).toBe(304);
  });
});

describe("what the pages tell is what the code does", () => {
  test("every error code has its entry with its status, and every entry its code", () => {
    const entries = [...source("errors").matchAll(/^### (\w+)\n\n(\d+|Any)\b/gm)];
    const told = Object.fromEntries(entries.map(([, code, status]) => [code, status]));
    const table = Object.entries(ERROR_STATUS).map(([code, status]) => [code, String(status)]);
    expect(told).toEqual({ ...Object.fromEntries(table), http_error: "Any" });
  });

  test("the address that a refusal names leads to its entry", async () => {
    const { json } = await get("/api/v1/agent");
    const { pathname, hash } = new URL(json.docs_url);
    const dom = readPage((await get(pathname, { accept: "text/html" })).text);
    expect(dom.elements.some((element) => `#${readAttribute(element, "id")}` === hash)).toBe(true);
  });

  test("the refusal that is shown has the members of every refusal", () => {
    const [, shown = ""] = /```json\n([\s\S]*?)```/.exec(source("errors")) ?? [];
    expect(Failure.safeParse(JSON.parse(fillFacts(shown, service.deps.config))).error).toBeUndefined();
  });

  test("every limit is printed with its variable and the value in force", async () => {
    const text = source("limits");
    const names = Object.keys(service.deps.config.limits);
    for (const name of names) {
      const variable = `LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
      expect(text).toContain(`{{limit.${name}}} | \`${variable}\` |`);
    }
    expect([...text.matchAll(/`LIMIT_/g)]).toHaveLength(names.length);
    const { json } = await get("/api/v1/docs/limits");
    expect(json.data.markdown).toContain("| First publications a day (UTC) | 7 |");
  });

  test("every bound of a text or list stands on a page", () => {
    const all = DOCS_SLUGS.map(source).join("\n");
    const bounds = Object.entries(PAYLOAD_LIMITS);
    const printed = new Set(
      bounds.filter(([name]) => all.includes(`{{bound.${name}}}`)).map(([, value]) => value),
    );
    expect(bounds.filter(([, value]) => !printed.has(value))).toEqual([]);
  });

  test("the checksum that is shown is that of the object that is shown", () => {
    const [, object = "{}"] = /```json\n([\s\S]*?)```/.exec(source("checksums")) ?? [];
    const [canonical, checksum] = [...source("checksums").matchAll(/```text\n(.*)\n```/g)].map(([, t]) => t);
    const { payload, files } = JSON.parse(object);
    expect(toCanonicalJson({ payload, files })).toBe(canonical);
    expect(checksumOfRevision(payload, files)).toBe(checksum);
  });

  test("a place that nothing fills stops the start", () => {
    expect(() => fillFacts("{{limit.nothing}}", service.deps.config)).toThrow("limit.nothing");
  });
});

/** Cells of a table's row; a bar of a text is written `\\|`. */
function countCells(row: string): number {
  return row.split(/(?<!\\)\|/).length;
}
