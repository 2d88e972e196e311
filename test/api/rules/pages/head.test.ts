import { describe, expect, test } from "vitest";
import { jsonFeedOf } from "../../../../shared/ground/addresses.ts";
import { type Json, request } from "../../../support/agent.ts";
import { fillRichSite } from "../../../support/rich-site.ts";
import { openService } from "../../../support/service.ts";
import { readAttribute, readPage, readText } from "../../pages/dom.ts";
import { pathOf } from "./page-cases.ts";

const SITE = "http://localhost:3000";

const service = await openService();
const site = await fillRichSite(service);

const get = (path: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url: path, headers });

/** What a page's head says: its canonical address, its members by name, its feeds, its data. */
async function readHead(path: string) {
  const reply = await get(path, { accept: "text/html" });
  const dom = readPage(reply.text);
  const metas = dom
    .all("meta")
    .map((meta) => [
      readAttribute(meta, "property") ?? readAttribute(meta, "name"),
      readAttribute(meta, "content"),
    ]);
  const hrefs = (attribute: string, value: string) =>
    dom.all("link", attribute, value).map((link) => readAttribute(link, "href"));
  const [script] = dom.all("script", "type", "application/ld+json");
  return {
    reply,
    canonical: hrefs("rel", "canonical"),
    feeds: hrefs("type", "application/atom+xml"),
    jsonFeeds: hrefs("type", "application/feed+json"),
    meta: Object.fromEntries(metas.filter(([name]) => name !== null)) as Record<string, string>,
    data: script === undefined ? null : (JSON.parse(readText(script)) as Json),
  };
}

const work = (name: string) => readHead(pathOf(site, name));

/** Every person and organization that is named anywhere in a page's data. */
function listPeople(data: Json): Json[] {
  if (data === null || typeof data !== "object") return [];
  const own = /^(?:Person|Organization)$/.test(data["@type"]) ? [data] : [];
  return [...own, ...Object.values(data).flatMap(listPeople)];
}

const STORY = "/@rainwatch/seattle-rains-often-new-york-rains-hard";

describe("links and previews", () => {
  test.each([
    ["/", "website", ["/feed.xml"]],
    ["/@rainwatch", "profile", ["/@rainwatch/feed.xml"]],
    ["/@rainwatch/section/analysis", "website", ["/@rainwatch/section/analysis/feed.xml"]],
    [STORY, "article", ["/@rainwatch/feed.xml", `${STORY}/changes.xml`]],
    ["/search", "website", []],
    ["/topics/agriculture", "website", []],
    ["/owners/nora", "profile", []],
    ["/docs", "website", []],
    ["/docs/charts", "article", []],
  ])(
    "%s names its one address, its kind, its feeds and a card that can be opened",
    async (path, kind, expected) => {
      const { canonical, meta, feeds, jsonFeeds } = await readHead(path);
      expect(canonical).toEqual([`${SITE}${path}`]);
      expect(meta).toMatchObject({
        "og:url": `${SITE}${path}`,
        "og:type": kind,
        "og:site_name": "Broadsheet",
        description: meta["og:description"],
      });
      expect(meta["og:title"]).toBeTruthy();
      expect(meta["og:description"]).toBeTruthy();
      const card = { url: meta["og:image"] ?? "", alt: meta["og:image:alt"] ?? "" };
      expect(meta).toMatchObject({
        "twitter:card": "summary_large_image",
        "twitter:image:alt": card.alt,
      });
      expect(card.alt).toBeTruthy();
      const picture = await get(card.url.replace(SITE, ""));
      expect([picture.status, picture.headers["content-type"]]).toEqual([200, "image/png"]);
      expect(feeds).toEqual(expected.map((feed) => SITE + feed));
      expect(jsonFeeds).toEqual(feeds.map((address) => jsonFeedOf(String(address))));
      for (const [type, addresses] of Object.entries({ "atom+xml": feeds, "feed+json": jsonFeeds })) {
        for (const address of addresses) {
          const reply = await get(String(address).replace(SITE, ""));
          expect(reply.headers["content-type"]).toBe(`application/${type}; charset=utf-8`);
        }
      }
    },
  );

  test("an old revision leaves its address to the work, an unlisted work keeps out of every index", async () => {
    const revision = await readHead(`${pathOf(site, "demo")}/revisions/2`);
    expect(revision.canonical).toEqual([`${SITE}${pathOf(site, "demo")}`]);
    const unlisted = await work("unlisted");
    expect([unlisted.meta.robots, unlisted.reply.headers["x-robots-tag"]]).toEqual(["noindex", "noindex"]);
    const lost = await readHead("/@rainwatch/nothing");
    expect([lost.reply.status, lost.meta.robots, lost.canonical]).toEqual([404, "noindex", []]);
  });

  test("a work tells when it was published and last really updated", async () => {
    const { meta, data } = await work("demo");
    const { json } = await get(`${pathOf(site, "demo")}.json`);
    const { first_published_at: first, updated_at: updated } = json.data;
    expect([meta["article:published_time"], meta["article:modified_time"]]).toEqual([first, updated]);
    expect([data.datePublished, data.dateModified]).toEqual([first, updated]);
  });
});

describe("data for search engines", () => {
  test("a person or an organization is never made up, on no page", async () => {
    const paths = ["/@rainwatch", ...Object.keys(site.works).map((name) => pathOf(site, name))];
    for (const path of paths) {
      const { data } = await readHead(path);
      expect(data["@context"]).toBe("https://schema.org");
      for (const { "@type": type, name, url, additionalType } of listPeople(data)) {
        // An agent says that it is software; else there are the owner who is shown, and the site.
        const isAgent = url === `${SITE}${path.split("/", 2).join("/")}`;
        const known = isAgent || url === `${SITE}/owners/nora` || url === SITE;
        expect([path, name, type, known]).toEqual([path, name, "Organization", true]);
        expect(additionalType).toBe(isAgent ? "https://schema.org/SoftwareApplication" : undefined);
      }
    }
  });

  test.each([
    ["demo", "Article"],
    ["brief0", "Article"],
    ["dataset", "Dataset"],
    ["collection", "Collection"],
    ["file", "CreativeWork"],
    ["project", "CreativeWork"],
  ])("%s is a work of type %s by a software agent, free to read", async (name, type) => {
    const { data } = await work(name);
    const { json } = await get(`${pathOf(site, name)}.json`);
    const { url, title, revision_number, agent } = json.data;
    expect(data).toMatchObject({ "@type": type, "@id": url, url, version: String(revision_number) });
    expect(data.isAccessibleForFree).toBe(true);
    expect(data.headline ?? data.name).toBe(title);
    const author = {
      "@type": "Organization",
      name: "Rain Watch",
      url: agent.url,
      description: "A software agent",
    };
    expect(data.author ?? data.creator).toMatchObject(author);
  });

  test("a collection names its parts, a file page its files, a project its address, a story its sources", async () => {
    const parts = (await work("collection")).data.hasPart.map((part: Json) => part.url);
    expect(parts).toEqual(["demo", "dataset", "file"].map((name) => `${SITE}${pathOf(site, name)}`));
    const formats = (await work("file")).data.associatedMedia.map((media: Json) => media.encodingFormat);
    expect(formats).toEqual(["text/markdown", "text/plain"]);
    expect((await work("project")).data.mainEntity.url).toBe("https://tides.example.net/tables");
    const { citation } = (await work("demo")).data;
    expect(citation[0].url).toBe("https://example.net/gauges");
    // And the works that it refers to, each as what it is.
    const dataset = { "@type": "Dataset", url: `${SITE}${pathOf(site, "dataset")}` };
    expect(citation).toContainEqual(expect.objectContaining(dataset));
  });
});
