import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publishFrontPage,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { readRaw } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const SITE = "http://localhost:3000";

const get = (url: string) => request(service, { method: "GET", url });

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const target = await publishNew(agent, { payload: { title: "Target", body_markdown: "t" } });
const references = [{ creation_id: target.id, relation: "uses" }];
const sources = [{ title: "Ours", url: `${SITE}/@tidewatch/${target.slug}` }];
const first = { title: "First", body_markdown: "one", sources, references };
let story = await publishNew(agent, { slug: "section", payload: first });
const second = { title: "Second", body_markdown: "two" };
story = await revise(agent, story, { payload: second, change_summary: "Said more." });
const third = { title: "Third", body_markdown: "three" };
story = await revise(agent, story, { payload: third, change_summary: "A comma.", minor: true });

test("the published revisions of a work are listed, newest first, each with its address", async () => {
  const { status, json, headers } = await get("/@tidewatch/section/revisions.json");
  expect([status, headers["cache-control"], json.meta.total]).toEqual([200, "public, max-age=60", 3]);
  expect(json.data.map((entry: Json) => [entry.revision_number, entry.title, entry.minor])).toEqual([
    [3, "Third", true],
    [2, "Second", false],
    [1, "First", false],
  ]);
  for (const entry of json.data) expect((await get(new URL(entry.json_url).pathname)).status).toBe(200);
  const work = (await get("/@tidewatch/section.json")).json.data;
  expect([work.revisions_json_url, work.changes.map((change: Json) => change.json_url)]).toEqual([
    `${SITE}/@tidewatch/section/revisions.json`,
    json.data.map((entry: Json) => entry.json_url),
  ]);
});

test("one revision has the members of the work's JSON as of that revision", async () => {
  const work = (await get("/@tidewatch/section.json")).json.data;
  const read = async (number: number) =>
    (await get(`/@tidewatch/section/revisions/${number}.json`)).json.data;
  const { revision, ...third } = await read(3);
  expect(third).toEqual({ ...work, evidence: null });
  expect(revision).toMatchObject({ revision_number: 3, minor: true, content_removed: false });
  const first = await read(1);
  expect(Object.keys(first)).toEqual([...Object.keys(work), "revision"]);
  expect(first).toMatchObject({ title: "First", body_markdown: "one", revision_number: 1, url: work.url });
  expect(first.references.map(({ id }: Json) => id)).toEqual([target.id]);
  expect(first.changes.map((change: Json) => change.revision_number)).toEqual([1]);
  expect(first.updated_at).toBe(first.revision.published_at);
  expect(first.sources[0].url).toBe(`${SITE}/@tidewatch/${target.slug}`);
});

test("a work that an earlier revision names is gone from it at once when it is hidden", async () => {
  const names = async () =>
    (await get("/@tidewatch/section/revisions/1.json")).json.data.references.map(({ id }: Json) => id);
  expect(await names()).toEqual([target.id]);
  await runCreationCommand(service.deps, COMMAND_LINE, target.id, "hide");
  expect(await names()).toEqual([]);
  await runCreationCommand(service.deps, COMMAND_LINE, target.id, "unhide");
  expect(await names()).toEqual([target.id]);
});

test("a revision whose content was removed tells who removed it and nothing else of it", async () => {
  const { json } = await agent.get(`/creations/${story.id}/revisions/1`);
  await removeContent(service.deps, COMMAND_LINE, json.data.id, "owner");
  const { status, text, json: shown } = await get("/@tidewatch/section/revisions/1.json");
  expect([status, text.includes("First"), text.includes(target.id)]).toEqual([200, false, false]);
  expect(shown.data).toMatchObject({ title: null, body_markdown: null, sources: [], references: [] });
  expect(shown.data.revision).toMatchObject({ content_removed: true, content_removed_by: "owner" });
  expect((await get("/@tidewatch/section/revisions.json")).text).not.toContain("First");
});

test("a brief refers to a work, which names it under Cited by", async () => {
  const payload = {
    body_markdown: "See the target.",
    references: [{ creation_id: target.id, relation: "cites" }],
  };
  const brief = await publishNew(agent, { type: "brief", payload });
  const cited = (await get(`/@tidewatch/${target.slug}.json`)).json.data.cited_by;
  expect(cited.map(({ id }: Json) => id)).toContain(brief.id);
  const page = (await get(`/@tidewatch/${brief.slug}`)).text;
  expect(page).toContain(`href="/@tidewatch/${target.slug}"`);
});

test("a profile has its texts, its links and its featured works in order", async () => {
  const patch = {
    introduction_markdown: "I read **42** gauges.",
    public_links: [{ label: "Home", url: "https://tides.example.net/" }],
    featured_creation_ids: [target.id, story.id],
  };
  await publishFrontPage(agent, patch);
  await runCreationCommand(service.deps, COMMAND_LINE, target.id, "hide");
  const hidden = (await get("/@tidewatch/profile.json")).json.data;
  expect(hidden.featured.map(({ id }: Json) => id)).toEqual([story.id]);
  await runCreationCommand(service.deps, COMMAND_LINE, target.id, "unhide");
  const { data } = (await get("/@tidewatch/profile.json")).json;
  expect(data).toMatchObject({
    version: 2,
    introduction_markdown: patch.introduction_markdown,
    about_markdown: null,
    public_links: patch.public_links,
  });
  expect(data.featured.map(({ id }: Json) => id)).toEqual(patch.featured_creation_ids);
  expect(data.featured).toEqual(
    patch.featured_creation_ids.map((id) => data.creations.find((work: Json) => work.id === id)),
  );
  expect(data.featured[0].json_url).toBe(`${SITE}/@tidewatch/${target.slug}.json`);
});

const read = async ({ slug }: Json, number = 1) =>
  await readRaw(service, `/@tidewatch/${slug}/revisions/${number}/checksum.json`);
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("the text of a checksum has it as its SHA-256, of each published revision", async () => {
  const { id } = await uploadReady(service, agent, "one.csv", "a,b\n1,2\n");
  const payload = { title: "Gauge", attachments: [{ asset_id: id, label: "Days" }] };
  const dataset = await publishNew(agent, { type: "dataset", payload });
  const references = [{ creation_id: dataset.id, relation: "uses" }];
  const story = await publishNew(agent, {
    payload: { title: "Surge", body_markdown: "It rose.", references },
  });
  const collection = await publishNew(agent, {
    type: "collection",
    payload: { title: "All", entries: [story.id] },
  });
  for (const work of [dataset, story, collection]) {
    const { status, headers, bytes } = await read(work);
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(sha256(bytes)).toBe(work.latest_revision.checksum);
    expect(JSON.parse(`${bytes}`).payload).toEqual(work.latest_revision.payload);
  }
  const changes = { set: { summary: "Shorter." } };
  const again = await revise(agent, story, { changes });
  expect(sha256((await read(story)).bytes)).toBe(story.latest_revision.checksum);
  expect(sha256((await read(story, 2)).bytes)).toBe(again.latest_revision.checksum);
  expect((await read(story, 3)).status).toBe(404);
});

test("there is none of a draft, of removed content, and of what names a work that is not shown", async () => {
  const draft = await makeCreation(agent, { payload: { title: "Draft", body_markdown: "Not yet." } });
  const removed = await publishNew(agent, { payload: { title: "Gone", body_markdown: "It fell." } });
  const hidden = await publishNew(
    agent,
    { payload: { title: "Apart", body_markdown: "It stood." } },
    { visibility: "unlisted" },
  );
  const references = [{ creation_id: hidden.id, relation: "cites" }];
  const naming = await publishNew(agent, {
    payload: { title: "Naming", body_markdown: "See it.", references },
  });
  await revise(agent, removed, { changes: { set: { summary: "Shorter." } } });
  expect((await read(removed)).status).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, removed.latest_revision.id, "owner");
  for (const work of [draft, removed, naming]) {
    const { status, text } = await read(work);
    expect([work.slug, status, text.includes(hidden.id)]).toEqual([work.slug, 404, false]);
  }
  const own = await read(hidden);
  expect([own.status, own.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
});
