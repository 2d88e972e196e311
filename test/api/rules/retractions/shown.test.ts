import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import type { Json } from "../../../support/agent.ts";
import { expandJsonLd } from "../../../support/json-ld.ts";
import { act, look } from "../../../support/work-acts.ts";
import { openScene } from "../../http/page-cache/scene.ts";

// A retraction shows everywhere with the first request after its answer, from every process, cached pages included.

const REASON = "The gauge was read in feet,\nnot in metres.";

const scene = await openScene();

const ADDRESSES = [
  ...["/@tide/story", "/@tide/story.json", "/@tide/story/revisions/1.json", "/@tide/story/changes.xml"],
  ...["/@other/citing", "/@other/citing.json", "/@tide/list.json", "/@other/base.json"],
  ...["/@tide", "/@tide/profile.json", "/feed.xml", "/@tide/feed.xml", "/@tide/story/cite.bib"],
  ...["/@tide/story.md", "/@tide/story/revisions/1.md", "/@other/citing.md"],
  ...["/@tide/list.md", "/@tide.md"],
  ...["/@tide/story/linkset.json", "/api/v1/search/creations", "/api/v1/search/creations?query=surge"],
];

/** What every address answers now, which both processes agree on. */
async function readAll(): Promise<Record<string, { text: string; json: Json; link: string }>> {
  const seen: Record<string, { text: string; json: Json; link: string }> = {};
  for (const url of ADDRESSES) {
    const replies = await Promise.all(scene.caching.map(({ app }) => app.inject({ method: "GET", url })));
    const [first, second] = replies.map(({ statusCode, body }) => [
      url,
      statusCode,
      statusCode === 200 ? body : "",
    ]);
    expect(second).toEqual(first);
    const [{ body = "", headers = {} } = {}] = replies;
    const isJson = String(headers["content-type"]).includes("json");
    seen[url] = { text: body, json: isJson ? JSON.parse(body) : null, link: String(headers.link ?? "") };
  }
  return seen;
}

/** The work of a page in the words of schema.org. */
async function readJsonLd(page: string): Promise<Json> {
  const [, text = ""] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page) ?? [];
  return (await expandJsonLd(JSON.parse(text), "http://localhost:3000"))[0];
}

/** The facts of a page's Markdown. */
const matterOf = (text: string): Json => parse(text.slice(4, text.indexOf("\n---\n")));
const entryOf = (text: string, title: string) =>
  (parseAtomFeed(text) as Json).entries.find((entry: Json) => entry.title.value === title);

test("page, JSON, feeds, search, JSON-LD and every citing work say so at once, and stop at once", async () => {
  const { tide, other, ids, service } = scene;
  const before = await readAll();
  expect(before["/@tide/story.json"]?.json.data.retracted).toBeNull();
  service.clock.nowMs += 3_600_000;
  const at = `${new Date(service.clock.nowMs).toISOString().slice(0, 19)}Z`;
  await act(tide, { id: ids.story }, "retract", { reason: REASON, superseded_by: ids.base });
  const mark = {
    ...{ at, by: "agent", reason: REASON },
    superseded_by: { id: ids.base, title: "Base", url: "http://localhost:3000/@other/base" },
  };
  const marked = await readAll();
  const { data } = marked["/@tide/story.json"]?.json ?? {};
  expect(data.retracted).toEqual(mark);
  expect(data.body_markdown).toBe(before["/@tide/story.json"]?.json.data.body_markdown);
  expect(marked["/@tide/story/revisions/1.json"]?.json.data.retracted).toEqual(mark);
  const FORMS = ["/@tide/story", "/@tide/story.json", "/@tide/story/revisions/1.json"];
  for (const url of [...FORMS, "/@tide/story.md", "/@tide/story/revisions/1.md"])
    expect([url, marked[url]?.link]).toEqual([
      url,
      expect.stringContaining('<http://localhost:3000/@other/base>; rel="successor-version"'),
    ]);
  for (const url of ["/@tide/story.md", "/@tide/story/revisions/1.md"])
    expect([url, matterOf(marked[url]?.text ?? "")]).toEqual([
      url,
      expect.objectContaining({ retracted: true, retracted_at: at, retracted_reason: REASON }),
    ]);
  expect(marked["/@tide/story.md"]?.text).toContain("Use instead: [Base](http://localhost:3000/@other/base)");
  for (const url of ["/@tide.md", "/@tide/list.md"])
    expect([url, marked[url]?.text]).toEqual([
      url,
      expect.stringContaining("[Surge](http://localhost:3000/@tide/story) (story, retracted)"),
    ]);
  expect(matterOf(marked["/@other/citing.md"]?.text ?? "").references[0].retracted).toBe(true);
  const page = marked["/@tide/story"]?.text ?? "";
  expect(page.indexOf("<b>Retracted</b>")).toBeLessThan(page.indexOf("<h1"));
  expect(page).toContain("The gauge was read in feet");
  const node = await readJsonLd(page);
  expect(node["http://schema.org/creativeWorkStatus"]).toEqual([{ "@value": "Retracted" }]);
  const [reference] = marked["/@other/citing.json"]?.json.data.references ?? [];
  expect([reference.id, reference.retracted]).toEqual([ids.story, true]);
  expect(marked["/@other/citing"]?.text).toContain("<b>Retracted</b>");
  expect(before["/@other/citing"]?.text).not.toContain("Retracted");
  const entries: Json[] = marked["/@tide/list.json"]?.json.data.entries;
  expect(entries.map(({ id, retracted }) => [id, retracted])).toEqual([
    [ids.story, true],
    [ids.data, false],
  ]);
  expect(marked["/@other/base.json"]?.json.data.cited_by[0].retracted).toBe(true);
  const cards: Json[] = marked["/@tide/profile.json"]?.json.data.creations;
  expect(cards.find(({ id }) => id === ids.story).retracted).toEqual(mark);
  // It was the newest story of the front page, and leads no more.
  expect(before["/@tide"]?.text).toMatch(/class="lead card"[\s\S]*?Surge/);
  expect(marked["/@tide"]?.text).not.toMatch(/class="lead card"[\s\S]*?Surge[\s\S]*?<\/article>/);
  for (const url of ["/feed.xml", "/@tide/feed.xml"]) {
    const entry = entryOf(marked[url]?.text ?? "", "Retracted: Surge");
    expect([url, entry?.updated, entry?.id]).toEqual([url, at, `urn:ulid:${ids.story}`]);
    expect((parseAtomFeed(marked[url]?.text ?? "") as Json).entries[0].id).toBe(`urn:ulid:${ids.story}`);
  }
  expect(entryOf(marked["/@tide/story/changes.xml"]?.text ?? "", "Retracted").summary.value).toContain(
    REASON.replace("\n", " "),
  );
  const newest: Json[] = marked["/api/v1/search/creations"]?.json.data;
  expect(newest.at(-1)).toMatchObject({ id: ids.story, retracted: mark });
  expect(newest.length).toBe(before["/api/v1/search/creations"]?.json.data.length);
  expect(marked["/api/v1/search/creations?query=surge"]?.json.data.at(-1).id).toBe(ids.story);
  expect(marked["/@tide/story/cite.bib"]?.text).toContain("RETRACTED: Surge");
  const context = marked["/@tide/story/linkset.json"]?.json.linkset[0];
  expect(context["successor-version"]).toEqual([{ href: "http://localhost:3000/@other/base" }]);

  // The work to use instead closes, and the mark names none from then on.
  await runCreationCommand(service.deps, COMMAND_LINE, ids.base, "unpublish");
  const closed = await readAll();
  for (const [url, find] of MARKS) expect([url, find(closed[url]?.json)?.superseded_by]).toEqual([url, null]);
  expect(closed["/@tide/story"]?.link).not.toContain("successor-version");
  await act(other, { id: ids.base }, "restore", { revision_id: 1 });

  service.clock.nowMs += 3_600_000;
  await act(tide, { id: ids.story }, "reinstate", { reason: "The gauge is metric." });
  const after = await readAll();
  for (const [url, find] of MARKS) expect([url, find(after[url]?.json)]).toEqual([url, null]);
  for (const url of [
    "/@tide/story",
    ...["/@tide.md", "/@other/citing"],
    "/feed.xml",
    "/@tide/feed.xml",
    "/@tide/story/cite.bib",
  ])
    expect([url, /retracted/i.test(after[url]?.text ?? "")]).toEqual([url, false]);
  expect(after["/@tide/list.md"]?.text).not.toContain("(story, retracted)");
  expect(after["/@other/citing.json"]?.json.data.references[0].retracted).toBe(false);
  expect(matterOf(after["/@tide/story.md"]?.text ?? "").retracted).toBe(false);
  expect(entryOf(after["/feed.xml"]?.text ?? "", "Surge").updated > at).toBe(true);
  expect(entryOf(after["/@tide/story/changes.xml"]?.text ?? "", "Reinstated").summary.value).toBe(
    "The gauge is metric.",
  );
  expect(titlesOf(after)).toEqual(["Reinstated", "Retracted", "Revision 1: first published"]);
  expect(after["/@tide"]?.text).toMatch(/class="lead card"[\s\S]*?Surge/);
});

const titlesOf = (seen: Awaited<ReturnType<typeof readAll>>) =>
  (parseAtomFeed(seen["/@tide/story/changes.xml"]?.text ?? "") as Json).entries.map(
    (entry: Json) => entry.title.value,
  );

const MARKS: [string, (json: Json) => Json][] = [
  ["/@tide/story.json", (json) => json.data.retracted],
  [
    "/@tide/profile.json",
    (json) => json.data.creations.find(({ id }: Json) => id === scene.ids.story).retracted,
  ],
  ["/api/v1/search/creations", (json) => json.data.find(({ id }: Json) => id === scene.ids.story).retracted],
];

test("a correction stands above the text, in every list of changes and in JSON-LD; a minor one is refused", async () => {
  const { tide, ids, service } = scene;
  service.clock.nowMs += 1_000;
  const { lock_version } = await look(tide, { id: ids.story });
  const body = { changes: {}, change_summary: "The height was in feet.", correction: true, publish: {} };
  const url = `/creations/${ids.story}`;
  const minor = await tide.send("PATCH", url, { ...body, minor: true }, { ifMatch: lock_version });
  expect([minor.status, Object.keys(minor.json.errors)]).toEqual([422, ["correction"]]);
  const wrong = await tide.send("PATCH", url, { ...body, correction: "yes" }, { ifMatch: lock_version });
  expect([wrong.status, wrong.json.errors.correction]).toEqual([
    422,
    ["The correction must be true or false."],
  ]);
  const saved = await tide.send("PATCH", url, body, { ifMatch: lock_version });
  expect([saved.status, saved.json.data.latest_revision.correction]).toEqual([200, true]);
  const seen = await readAll();
  const [newest, older] = seen["/@tide/story.json"]?.json.data.changes ?? [];
  expect([newest.correction, older.correction]).toEqual([true, false]);
  const said = "Revision 2: The height was in feet.";
  expect(titlesOf(seen)).toEqual([said, "Reinstated", "Retracted", "Revision 1: first published"]);
  const page = seen["/@tide/story"]?.text ?? "";
  expect(page).toMatch(
    /<b>Corrected on <time[^>]*>20 November 2026<\/time>:<\/b> <span[^>]*>The height was in feet\.<\/span>/,
  );
  expect(page.indexOf("Corrected on")).toBeLessThan(page.indexOf('class="prose"'));
  const [correction] = (await readJsonLd(page))["http://schema.org/correction"];
  expect(correction["@type"]).toEqual(["http://schema.org/CorrectionComment"]);
  expect(correction["http://schema.org/text"]).toEqual([{ "@value": "The height was in feet." }]);
  const list = (await tide.get(`${url}/revisions`)).json.data;
  expect(list.map((row: Json) => row.correction)).toEqual([true, false]);
});

test("a first publication corrects nothing, whatever is said of it", async () => {
  const payload = { title: "First", body_markdown: "It rose." };
  const body = { type: "story", slug: "first", payload, correction: true, publish: {} };
  expect((await scene.tide.send("POST", "/creations", body)).status).toBe(201);
  const page = await scene.caching[0]?.app.inject({ method: "GET", url: "/@tide/first" });
  expect(page?.statusCode).toBe(200);
  expect(page?.body).not.toMatch(/Corrected on|CorrectionComment/);
});
