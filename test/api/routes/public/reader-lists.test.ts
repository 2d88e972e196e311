import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOwner, request } from "../../../support/agent.ts";
import { makePublisher, publishStory, topicId } from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { runSql, setAgentTimestamp } from "../../../support/tables.ts";
import { leadsTo, readAttribute, readPage } from "../../pages/dom.ts";
import { insertCreations } from "../../rules/many-creations.ts";

const get = (url: string) => request(service, { method: "GET", url, headers: { accept: "text/html" } });

const service = await openService({ limits: { publicationsPerDay: 100 } });
const ownerId = await makeOwner(service, "Nora Lund");
await runSql(service, "UPDATE owners SET show_alias = true WHERE id = $1", [ownerId]);
const profile = { display_name: "Tide Watch", topic_ids: [await topicId(service, "climate")] };
const agent = await makePublisher(service, "tidewatch", profile, ownerId);
for (let n = 1; n <= 25; n++) {
  const license = n <= 21 ? { license: "CC-BY-4.0" } : {};
  await publishStory(service, agent, { title: `Gauge ${n}`, ...license });
}

const linksOf = (page: string) =>
  readPage(page)
    .all("a")
    .map((link) => leadsTo(link, "http://localhost:3000"));

describe("/search", () => {
  test("shows agents and works, keeps the query in form and pager, and is not indexed", async () => {
    const { status, text, headers } = await get("/search?query=tide&type=story");
    expect([status, headers["x-robots-tag"]]).toEqual([200, "noindex"]);
    const dom = readPage(text);
    expect(dom.faults).toEqual([]);
    expect(readAttribute(dom.all("input", "name", "query")[0] ?? fail(), "value")).toBe("tide");
    expect(dom.all("option", "selected", "").map((option) => readAttribute(option, "value"))).toEqual([
      "story",
    ]);
    expect(linksOf(text)).toContain("http://localhost:3000/search?query=tide&type=story&page=2");
    expect(linksOf((await get("/search?query=tide")).text)).toContain("http://localhost:3000/@tidewatch");
  });
  test("finds works under a licence, keeps it in form and pager, and tells the nearest of an unknown one", async () => {
    const { text } = await get("/search?license=cc-by-4.0");
    expect(text).toContain("21 works.");
    const chosen = readPage(text).all("option", "selected", "");
    expect(chosen.map((option) => readAttribute(option, "value"))).toEqual(["CC-BY-4.0"]);
    expect(linksOf(text)).toContain("http://localhost:3000/search?license=cc-by-4.0&page=2");
    const other = readPage((await get("/search?license=MIT")).text).all("option", "selected", "");
    expect(other.map((option) => readAttribute(option, "value"))).toEqual(["MIT"]);
    expect((await get("/search?license=CC-BY")).text).toContain(
      "The license CC-BY is no SPDX identifier; CC-BY-4.0 is.",
    );
  });
  test("without a query is indexed and shows the newest work", async () => {
    const { text, headers } = await get("/search");
    expect(headers["x-robots-tag"]).toBeUndefined();
    expect(linksOf(text)).toContain("http://localhost:3000/@tidewatch/gauge-25");
  });
  test("says what was not found, and what could not be read", async () => {
    expect((await get("/search?query=%3Cscript%3Exyzzy")).text).toContain("Nothing here holds");
    expect((await get("/search?type=poem")).text).toContain("The type must be one of");
    expect((await get(`/search?query=${"x".repeat(300)}`)).status).toBe(200);
  });
});

describe("/@{handle}?type=", () => {
  const worksOf = (page: string) => linksOf(page).filter((link) => link.includes("/@tidewatch/gauge-"));
  test("lists the works of one type in pages that keep it, and is not indexed", async () => {
    const { text, headers } = await get("/@tidewatch?type=story");
    expect([worksOf(text).length, headers["x-robots-tag"]]).toEqual([20, "noindex"]);
    expect(worksOf(text)[0]).toMatch(/gauge-25$/);
    expect(linksOf(text)).toContain("http://localhost:3000/@tidewatch?type=story&page=2");
    const second = (await get("/@tidewatch?type=story&page=2")).text;
    expect(worksOf(second)).toHaveLength(5);
    expect(linksOf(second)).toContain("http://localhost:3000/@tidewatch?type=story");
    expect((await get("/@tidewatch?type=story&page=9")).text).toContain("This list has fewer pages.");
    expect((await get("/@tidewatch?type=brief")).text).toContain("Nothing of this kind is published yet.");
  });
  test("keeps each list apart in the cache, and ignores what it does not know", async () => {
    const whole = await get("/@tidewatch");
    expect(whole.headers["x-robots-tag"]).toBeUndefined();
    for (const query of ["type=poem", "type=", "page=2", "type=story&type=brief", "utm_source=feed"]) {
      expect([query, (await get(`/@tidewatch?${query}`)).text === whole.text]).toEqual([query, true]);
    }
    const odd = await get("/@tidewatch?type=story&page=two");
    expect(odd.text).toBe((await get("/@tidewatch?type=story")).text);
    expect(odd.text).not.toBe(whole.text);
  });
});

describe("/topics/{slug}", () => {
  test("shows the newest work on the first page and the rest behind it", async () => {
    const [first, second] = [await get("/topics/climate"), await get("/topics/climate?page=2")];
    expect(linksOf(first.text)).toContain("http://localhost:3000/@tidewatch/gauge-25");
    expect(linksOf(first.text)).toContain("http://localhost:3000/topics/climate?page=2");
    expect(linksOf(second.text)).toContain("http://localhost:3000/@tidewatch/gauge-1");
    expect(linksOf((await get("/")).text)).toContain("http://localhost:3000/topics/climate");
    expect(linksOf((await get("/@tidewatch")).text)).toContain("http://localhost:3000/topics/climate");
  });
  test("a topic without work says so; an unknown one, or one switched off, is not there", async () => {
    expect((await get("/topics/health")).text).toContain("Nothing is published on Health yet.");
    for (const slug of ["nowhere", "%00", "x".repeat(300)])
      expect((await get(`/topics/${slug}`)).status).toBe(404);
    await runSql(service, "UPDATE topics SET enabled = false WHERE slug = 'health'");
    expect((await get("/topics/health")).status).toBe(404);
  });
});

describe("/owners/{alias}", () => {
  test("shows alias and open agents, in any case of the alias", async () => {
    for (const alias of ["nora%20lund", "Nora%20Lund"]) {
      const { status, text } = await get(`/owners/${alias}`);
      expect(status).toBe(200);
      expect(text).toContain("Nora Lund");
      expect(linksOf(text)).toContain("http://localhost:3000/@tidewatch");
      expect(text).not.toMatch(/owner-[0-9a-f-]+@example/);
    }
  });
  test("shows no agent whose page is closed", async () => {
    await setAgentTimestamp(service, agent.id, "suspended_at", new Date());
    expect(linksOf((await get("/owners/nora%20lund")).text)).not.toContain(
      "http://localhost:3000/@tidewatch",
    );
    await setAgentTimestamp(service, agent.id, "suspended_at", null);
  });
  test("is not there for an owner who hides the alias, left, or never was", async () => {
    for (const alias of ["nobody", "%00", "x".repeat(900)])
      expect((await get(`/owners/${alias}`)).status).toBe(404);
    await runSql(service, "UPDATE owners SET show_alias = false WHERE alias = 'Nora Lund'");
    expect((await get("/owners/nora%20lund")).status).toBe(404);
    await runSql(
      service,
      "UPDATE owners SET show_alias = true, status = 'suspended' WHERE alias = 'Nora Lund'",
    );
    expect((await get("/owners/nora%20lund")).status).toBe(404);
    await runSql(service, "UPDATE owners SET status = 'active' WHERE alias = 'Nora Lund'");
  });
});

describe("the sitemap", () => {
  const read = async (url: string) =>
    new XMLParser({ isArray: (name) => ["url", "sitemap"].includes(name) }).parse((await get(url)).text);
  test("lists its parts with the last real update, and each part its pages", async () => {
    const { sitemapindex } = await read("/sitemap.xml");
    const parts: { loc: string; lastmod?: string }[] = sitemapindex.sitemap;
    const last = `${new Date(service.clock.nowMs).toISOString().slice(0, 19)}Z`;
    expect(parts.map(({ loc, lastmod }) => [loc.replace("http://localhost:3000", ""), lastmod])).toEqual([
      ["/sitemaps/site.xml", undefined],
      ["/sitemaps/agents-2026-11-1.xml", last],
      ["/sitemaps/works-2026-11-1.xml", last],
    ]);
    const works = (await read("/sitemaps/works-2026-11-1.xml")).urlset.url;
    expect(works).toHaveLength(25);
    expect(works.at(-1)).toEqual({ loc: "http://localhost:3000/@tidewatch/gauge-25", lastmod: last });
    const agents = (await read("/sitemaps/agents-2026-11-1.xml")).urlset.url;
    expect(agents).toEqual([{ loc: "http://localhost:3000/@tidewatch", lastmod: last }]);
    const site = (await read("/sitemaps/site.xml")).urlset.url.map(({ loc }: { loc: string }) => loc);
    expect(site).toEqual(
      expect.arrayContaining(["http://localhost:3000/", "http://localhost:3000/topics/climate"]),
    );
    for (const url of site) expect((await get(new URL(url).pathname)).status).toBe(200);
  });
  test.each(["works-2026-11-2", "works-2026-13-1", "works-1999-01-1", "agents-x", "works-2026-11-0"])(
    "has no part %s",
    async (name) => expect((await get(`/sitemaps/${name}.xml`)).status).toBe(404),
  );
  test("is named by robots.txt", async () => {
    expect((await get("/robots.txt")).text).toContain("Sitemap: http://localhost:3000/sitemap.xml");
  });
});

function fail(): never {
  throw new Error("The element is missing.");
}

describe("a topic of very many works", () => {
  const TOPIC = "http://localhost:3000/topics/arts";
  const placeOf = (page: string) => /Page \d+ of [^<]+/.exec(page)?.[0];
  beforeAll(async () => {
    const busy = await makePublisher(service, "busy", { topic_ids: [await topicId(service, "arts")] });
    // Every fourth is public: 1,050.
    await insertCreations(service, busy.id, 4_200);
    await runSql(
      service,
      `INSERT INTO search_creations (creation_id, agent_id, type, has_sources, listed, first_published_at, words)
       SELECT id, agent_id, type, false, true, first_published_at, '' FROM creations
       WHERE agent_id = $1 AND visibility = 'public'`,
      [busy.id],
    );
  });
  test("tells of fifty pages behind the one that is shown, and of all where they are fewer", async () => {
    const pages = await Promise.all([1, 3, 4, 53].map((page) => get(`/topics/arts?page=${page}`)));
    expect(pages.map(({ text }) => placeOf(text))).toEqual([
      "Page 1 of 50 or more",
      "Page 3 of 52 or more",
      "Page 4 of 53",
      "Page 53 of 53",
    ]);
    const next = (page: number) => linksOf(pages[page]?.text ?? "").filter((link) => /page=\d+$/.test(link));
    expect([next(0), next(3)]).toEqual([[`${TOPIC}?page=2`], [`${TOPIC}?page=52`]]);
  });
  test("leads from behind its end to its last page", async () => {
    for (const page of [54, 500, 501, 99_999]) {
      const { text } = await get(`/topics/arts?page=${page}`);
      expect([page, placeOf(text), linksOf(text).includes(`${TOPIC}?page=53`)]).toEqual([
        ...[page, `Page ${page} of 53`, true],
      ]);
    }
  });
});
