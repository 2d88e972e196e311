import { XMLParser, XMLValidator } from "fast-xml-parser";
import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { JsonFeed } from "../../../../api/openapi/schemas.ts";
import { jsonFeedOf } from "../../../../shared/ground/addresses.ts";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";
import { publishWork, readJson, readPage, republish, textOf } from "../../rules/reference-pins/works.ts";

const SITE = "http://localhost:3000";

const service = await openService({ workers: false, limits: { updatesPerDay: 1000 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  isArray: (name) => ["entry", "author", "link", "category"].includes(name),
});
const addressOf = ({ slug }: Json) => `/@tidewatch/${slug}/changes.xml`;
const get = async (url: string, headers: Record<string, string> = {}) =>
  await request(service, { method: "GET", url, headers });
const readFeed = async (work: Json): Promise<Json> => {
  const { status, text } = await get(addressOf(work));
  expect([status, XMLValidator.validate(text)]).toEqual([200, true]);
  return parser.parse(text).feed;
};
const later = () => {
  service.clock.nowMs += MINUTE_MS;
};

/** A work with a first publication, a minor update and an update. */
async function publishThree(more: Json = {}): Promise<Json> {
  const work = await publishWork(agent, textOf("One."), more);
  later();
  await republish(agent, work, textOf("One!"), { minor: true, change_summary: "Mended <a> & 'b'." });
  later();
  await republish(agent, work, textOf("Two."), { change_summary: "24 rows added." });
  return work;
}

test("the feed has an entry for each published revision, newest first, with its lasting id and its addresses", async () => {
  const work = await publishThree();
  await agent.send("PATCH", `/creations/${work.id}`, { payload: textOf("A draft.") }, { ifMatch: 6 });
  const revisions = (await agent.get(`/creations/${work.id}/revisions`)).json.data.filter(
    ({ state }: Json) => state === "published",
  );
  const feed = await readFeed(work);
  expect(feed.id).toBe(`urn:ulid:${work.id}:changes`);
  expect(feed.title["#text"]).toBe("Gauge notes: what changed");
  expect(feed.link.map(({ rel, href }: Json) => [rel, href])).toEqual([
    ["self", SITE + addressOf(work)],
    ["alternate", `${SITE}/@tidewatch/${work.slug}`],
  ]);
  expect(feed.entry.map(({ id }: Json) => id)).toEqual(revisions.map(({ id }: Json) => `urn:ulid:${id}`));
  expect(feed.entry.map(({ title }: Json) => title["#text"])).toEqual([
    "Revision 3: 24 rows added.",
    "Revision 2: Mended <a> & 'b'.",
    "Revision 1: first published",
  ]);
  expect(feed.entry.map(({ summary }: Json) => summary["#text"])).toEqual([
    "24 rows added.",
    "Mended <a> & 'b'.",
    "Gauge notes, by Tide Watch, a software agent.",
  ]);
  const times = revisions.map(({ published_at }: Json) => published_at);
  expect(feed.entry.map(({ updated }: Json) => new Date(updated).toISOString())).toEqual(
    times.map((time: string) => new Date(time).toISOString()),
  );
  const made = "trainedAlgorithmicMedia";
  expect(feed.entry.map(({ category }: Json) => category.map(({ term }: Json) => term))).toEqual([
    [made],
    ["minor", made],
    [made],
  ]);
  for (const [at, { link }] of feed.entry.entries()) {
    const page = `${SITE}/@tidewatch/${work.slug}/revisions/${3 - at}`;
    const diff = `${SITE}/@tidewatch/${work.slug}/revisions/${2 - at}..${3 - at}`;
    const compared = [
      ["related", "text/html", diff],
      ["related", "application/json", `${diff}.json`],
    ];
    expect(link.map(({ rel, type, href }: Json) => [rel, type, href])).toEqual([
      ["alternate", "text/html", page],
      ["related", "application/json", `${page}.json`],
      ...(at < 2 ? compared : []),
    ]);
    for (const { href } of link) expect((await get(href.replace(SITE, ""))).status).toBe(200);
  }
});

test("removed content keeps its entry with who and when, and its words are gone with the next request", async () => {
  const work = await publishThree();
  const before = await get(addressOf(work));
  const { id } = (await agent.get(`/creations/${work.id}/revisions/2`)).json.data;
  service.clock.nowMs = Date.parse("2026-12-02T08:05:00Z");
  await removeContent(service.deps, COMMAND_LINE, id, "moderator");
  const after = await get(addressOf(work), {
    "if-none-match": String(before.headers.etag),
    "if-modified-since": String(before.headers["last-modified"]),
  });
  expect([after.status, after.text.includes("Mended")]).toEqual([200, false]);
  expect(after.headers["last-modified"]).toBe("Wed, 02 Dec 2026 08:05:00 GMT");
  const [, removed] = (await readFeed(work)).entry;
  expect([removed.id, removed.title["#text"], removed.summary["#text"], removed.category[0].term]).toEqual([
    `urn:ulid:${id}`,
    "Revision 2: content removed",
    "The moderator removed this content on 2 December 2026, 08:05 UTC.",
    "minor",
  ]);
});

test("it has the fifty newest revisions and no more", async () => {
  const work = await publishWork(agent, textOf("One."));
  for (let number = 2; number <= 52; number += 1) await republish(agent, work, textOf(`Number ${number}.`));
  const { entry } = await readFeed(work);
  expect([entry.length, entry[0].title["#text"], entry.at(-1).title["#text"]]).toEqual([
    50,
    "Revision 52: Newer.",
    "Revision 3: Newer.",
  ]);
  expect(new Set(entry.map(({ id }: Json) => id)).size).toBe(50);
});

test("the page names it in its head and the JSON by its address, a work called section too", async () => {
  const work = await publishWork(agent, textOf("One."));
  const section = await makeCreation(agent, { slug: "section", payload: textOf("Named so."), publish: {} });
  for (const one of [work, section]) {
    const url = SITE + addressOf(one);
    expect((await readJson(service, agent, one)).changes_feed_url).toBe(url);
    expect(await readPage(service, agent, one)).toContain(
      `<link rel="alternate" type="application/atom+xml" title="What changed" href="${url}">`,
    );
    expect((await readFeed(one)).id).toBe(`urn:ulid:${one.id}:changes`);
  }
});

const SECTIONS = [{ slug: "north", name: "The north" }];
const ATOM = ["/feed.xml", "/@tide/feed.xml", "/@tide/section/north/feed.xml", "/@tide/levels/changes.xml"];

const tide = await connectAuthor(service, { handle: "tide", sections: SECTIONS });
const text = (title: string) => ({ title, summary: `${title} & more.`, body_markdown: "The gauge rose." });
const levels = await makeCreation(tide, {
  ...{ slug: "levels", section: "north", payload: text("Levels"), publish: {} },
});
service.clock.nowMs += MINUTE_MS;
await makeCreation(tide, { slug: "flows", section: "north", payload: text("Flows"), publish: {} });

async function expectSameEntries(): Promise<void> {
  for (const url of ATOM) {
    const [atom, json] = await Promise.all([get(url), get(jsonFeedOf(url))]);
    expect([json.status, json.headers["content-type"]]).toEqual([
      200,
      "application/feed+json; charset=utf-8",
    ]);
    expect(json.headers["last-modified"]).toBe(atom.headers["last-modified"]);
    const feed = JSON.parse(json.text);
    expect(JsonFeed.safeParse(feed).error).toBeUndefined();
    const { entries = [] } = parseAtomFeed(atom.text);
    expect(feed.items).toHaveLength(entries.length);
    for (const [at, entry] of entries.entries()) {
      const { href } =
        entry.links?.find(({ rel, type }) => rel === "related" && type === "application/json") ?? {};
      expect(feed.items[at]).toMatchObject({
        id: entry.id,
        title: entry.title?.value,
        content_text: entry.summary?.value,
        url: entry.links?.[0]?.href,
        _json_url: href,
      });
      expect(Date.parse(feed.items[at].date_modified)).toBe(Date.parse(String(entry.updated)));
    }
  }
}

test("each has the entries of its Atom feed in the same order, built or not", async () => {
  await expectSameEntries();
  for (const key of ["site", `agent:${tide.id}`, `section:${tide.id}:north`])
    await rebuildFeed(service.deps, key);
  await expectSameEntries();
  service.clock.nowMs += MINUTE_MS;
  await revise(tide, levels, { section: "north", payload: text("Levels again") });
  await expectSameEntries();
});
