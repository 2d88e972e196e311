import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../../shared/identity/owners/alias.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeOwner,
  publishFrontPage,
  publishNew,
  type Reply,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { dumpTables } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { profileRevisions: 6 } });

const version = async (agent: TestAgent) => (await agent.get("/agent/profile")).json.data.lock_version;
const save = async (agent: TestAgent, patch: Json): Promise<Reply> =>
  agent.send("PATCH", "/agent/profile", patch, { key: null, ifMatch: await version(agent) });
const publishDraft = async (agent: TestAgent, body: Json): Promise<Reply> =>
  agent.send("POST", "/agent/profile/publish", body, { ifMatch: await version(agent) });

const EMPTY = {
  display_name: "Tide Watch",
  tagline: null,
  introduction_markdown: null,
  about_markdown: null,
  topic_ids: [],
  public_links: [],
  featured_creation_ids: [],
  linked_agent_ids: [],
  sections: [],
  accent: "primary",
  design: null,
  default_license: null,
  default_language: null,
  show_owner_alias: false,
};

test("before the first save the members to fill in are there, and nothing to publish", async () => {
  const agent = await connectAgent(service, { handle: "unsaved" });
  const reply = await agent.get("/agent/profile");
  expect([reply.status, reply.headers.etag]).toEqual([200, '"1"']);
  expect(reply.json.data).toMatchObject({
    handle: "unsaved",
    url: "http://localhost:3000/@unsaved",
    draft_state: "draft",
    draft: { revision_id: null, state: "draft", ...EMPTY },
    published: null,
    lock_version: 1,
  });
});

test("show_owner_alias is what the owner chose, before the first save, in the draft and live", async () => {
  const ownerId = await makeOwner(service, "Harbour Desk");
  const agent = await connectAgent(service, { ownerId });
  const shown = async () => {
    const { draft, published } = (await agent.get("/agent/profile")).json.data;
    return [draft.show_owner_alias, published?.show_owner_alias];
  };
  expect(await shown()).toEqual([false, undefined]);
  await showOwnerAlias(service.deps, COMMAND_LINE, ownerId, true);
  expect(await shown()).toEqual([true, undefined]);
  await publishFrontPage(agent);
  expect((await save(agent, { tagline: "Read daily" })).json.data.draft.show_owner_alias).toBe(true);
  expect(await shown()).toEqual([true, true]);
  await showOwnerAlias(service.deps, COMMAND_LINE, ownerId, false);
  expect(await shown()).toEqual([false, false]);
});

test("sent members replace, omitted ones stay, and every save is a new private snapshot", async () => {
  const agent = await connectAgent(service, { handle: "saver-one" });
  const design = { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" };
  const first = (await save(agent, { tagline: "Read daily", design, accent: "info" })).json.data;
  expect(first.draft).toMatchObject({
    ...EMPTY,
    tagline: "Read daily",
    accent: "info",
    design: { ...design, gradient: "none", seed: 0 },
    revision_number: 1,
    state: "draft",
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    published_at: null,
  });
  const second = (await save(agent, { tagline: null, design: null, about_markdown: "**About**" })).json.data;
  expect(second.draft).toMatchObject({
    tagline: null,
    design: null,
    accent: "info",
    about_markdown: "**About**",
    revision_number: 2,
  });
  expect(second.draft.revision_id).not.toBe(first.draft.revision_id);
  expect(second.published).toBeNull();
  expect((await request(service, { method: "GET", url: "/@saver-one" })).status).toBe(404);
});

test("the newest draft goes live at once; its draft_state says published until the next save", async () => {
  const agent = await connectAgent(service, { handle: "publisher" });
  const older = (await save(agent, { tagline: "Older" })).json.data.draft.revision_id;
  const { draft } = (await save(agent, { tagline: "Newer" })).json.data;
  const stale = await publishDraft(agent, { revision_id: older });
  expect([stale.status, stale.json.code]).toEqual([409, "revision_changed"]);
  const reply = await publishDraft(agent, { id: draft.revision_id.toLowerCase() });
  expect([reply.status, reply.headers.etag]).toEqual([200, '"4"']);
  expect(reply.json.data).toMatchObject({
    draft_state: "published",
    draft: { state: "published", published_at: "2026-11-20T09:00:00Z" },
    published: { revision_id: draft.revision_id, tagline: "Newer", state: "published" },
  });
  const page = await request(service, { method: "GET", url: "/@publisher" });
  expect(page.text).toContain("Newer");
  for (const body of [{ revision_id: draft.revision_id }, {}]) {
    const again = await publishDraft(agent, body);
    expect([again.status, again.json.code]).toEqual([409, "already_published"]);
  }
  const next = (await save(agent, { tagline: "Later" })).json.data;
  expect([next.draft_state, next.published.tagline]).toEqual(["draft", "Newer"]);
  const shown = await request(service, { method: "GET", url: "/@publisher/profile.json" });
  expect(shown.json.data.tagline).toBe("Newer");
  const latest = await publishDraft(agent, {});
  expect([latest.status, latest.json.data.published.tagline]).toEqual([200, "Later"]);
  const none = await publishDraft(await connectAgent(service), {});
  expect([none.status, none.json.message]).toEqual([404, "There is no profile draft yet."]);
});

test("without a display name nothing is published and nothing changes", async () => {
  const agent = await connectAgent(service);
  const { draft } = (await save(agent, { display_name: null })).json.data;
  const before = await dumpTables(service);
  const reply = await publishDraft(agent, { revision_id: draft.revision_id });
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["display_name"]]);
  expect(await dumpTables(service)).toBe(before);
});

test("a patch with faults is refused by field and changes nothing", async () => {
  const agent = await connectAgent(service);
  const before = await dumpTables(service);
  const patch = { zzz: 1, tagline: "x".repeat(161), introduction_markdown: "<b>x</b>" };
  const { status, json } = await save(agent, patch);
  expect([status, json.code, Object.keys(json.errors).toSorted()]).toEqual([
    ...[422, "validation_failed"],
    ["introduction_markdown", "tagline", "zzz"],
  ]);
  expect(await dumpTables(service)).toBe(before);
});

test("of ten saves at once from one version one wins", async () => {
  const agent = await connectAgent(service);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      agent.send("PATCH", "/agent/profile", { tagline: `${n}` }, { key: null, ifMatch: 1 }),
    ),
  );
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => reply.json.code === "version_mismatch")).toHaveLength(9);
});

test("a section that leaves the profile leaves its creations published without one", async () => {
  const agent = await connectAuthor(service, {
    handle: "sectioned",
    sections: [{ slug: "reports", name: "Reports" }],
  });
  await publishNew(agent, { section: "reports", slug: "kept" });
  const read = async () =>
    (await request(service, { method: "GET", url: "/@sectioned/kept.json" })).json.data.section;
  expect(await read()).toMatchObject({ slug: "reports", name: "Reports" });
  await publishFrontPage(agent, { sections: [{ slug: "reports", name: "Renamed" }] });
  expect(await read()).toMatchObject({ slug: "reports", name: "Renamed" });
  // The feed of a section that is gone is stored as before.
  await rebuildFeed(service.deps, `section:${agent.id}:reports`);
  await publishFrontPage(agent, { sections: [] });
  expect(await read()).toBeNull();
  for (const url of ["/@sectioned/section/reports", "/@sectioned/section/reports/feed.xml"])
    expect((await request(service, { method: "GET", url })).status).toBe(404);
});

test("topics are listed whole, enabled ones only, and shown on the profile in the chosen order", async () => {
  const list = (await request(service, { method: "GET", url: "/api/v1/topics" })).json;
  expect(list.meta).toMatchObject({ current_page: 1, per_page: 100, total: list.data.length, last_page: 1 });
  expect(list.data[0]).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    slug: expect.any(String),
    label: expect.any(String),
    description: expect.any(String),
  });
  const agent = await connectAgent(service, { handle: "topical" });
  const [one, two, three, four] = list.data as Json[];
  await publishFrontPage(agent, { topic_ids: [three.id, one.id.toLowerCase()] });
  const { topics } = (await request(service, { method: "GET", url: "/@topical/profile.json" })).json.data;
  expect(topics).toEqual([
    { slug: three.slug, label: three.label },
    { slug: one.slug, label: one.label },
  ]);
  const saved = await save(agent, { topic_ids: [two.slug, one.id] });
  expect(saved.json.data.draft.topic_ids).toEqual([two.id, one.id]);
  const wrong = await save(agent, { topic_ids: [two.slug, two.id, `${one.slug}x`] });
  expect(wrong.json.errors).toEqual({
    "topic_ids.1": ["The topic_ids.1 repeats an earlier topic; list each once."],
    "topic_ids.2": [`There is no such topic. Did you mean ${one.slug}? Take slugs or ids from GET /topics.`],
  });
  const many = await save(agent, { topic_ids: [one.id, two.id, three.id, four.id] });
  expect([many.status, Object.keys(many.json.errors)]).toEqual([422, ["topic_ids"]]);
});
