import { expect, test } from "vitest";
import {
  connectAgent,
  type Json,
  makeCreation,
  publishFrontPage,
  publishNew,
  type Reply,
  request,
  type TestAgent,
} from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { dumpTables } from "../../support/tables.ts";

const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
/** In every text of agent A; no answer to agent B may hold it. */
const SECRET = "Tidal-secret";
const STORY = { title: "t", body_markdown: "b" };

const service = await openService({ workers: false, limits: { processingUploads: 10 } });
const owner = await connectAgent(service, { handle: "owner-of-it" });
const stranger = await connectAgent(service, { handle: "stranger" });
const unseenAgent = await connectAgent(service, { handle: "unseen-one" });
await publishFrontPage(owner, { tagline: SECRET });
await publishFrontPage(stranger);
const payload = { title: SECRET, body_markdown: `${SECRET} text` };
const draft = await makeCreation(owner, { slug: "a-draft", payload });
const live = await publishNew(owner, { slug: "a-live-one", payload });
const published = await publishNew(owner, { slug: "a-closed-one", payload });
const ifMatch = published.lock_version;
const closed = (await owner.send("POST", `/creations/${published.id}/unpublish`, undefined, { ifMatch })).json
  .data;
const table = await uploadReady(service, owner, "secret.csv", `${SECRET}\n1\n`);
const text = await uploadReady(service, owner, "secret.txt", SECRET);
const own = await makeCreation(stranger, { payload: STORY });
const profileId: string = (await owner.get("/agent/profile")).json.data.draft.revision_id;
const routes = service.routes
  .filter(({ audience }) => audience === "agent")
  .map(({ method, url }) => ({ method, url: url.replace("/api/v1", "") }));

function withoutId({ status, json }: Reply) {
  const { request_id: _, ...body } = json;
  return { status, body };
}

/** What B is told of A's thing and of nobody's must be the same, hold nothing of A, and change nothing. */
async function expectSame(send: (id: string) => Promise<Reply>, id: string): Promise<Json> {
  const before = await dumpTables(service);
  const [foreign, unknown] = [await send(id), await send(NOBODY)];
  expect(withoutId(foreign)).toEqual(withoutId(unknown));
  expect(foreign.text).not.toContain(SECRET);
  expect(foreign.text).not.toContain(id);
  expect(await dumpTables(service)).toBe(before);
  return withoutId(foreign);
}

/** An agent sends a route's request with these ids wherever it takes one. */
async function knock(
  agent: TestAgent,
  route: { method: string; url: string },
  ids: Record<string, string>,
): Promise<Reply> {
  const url = route.url.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "");
  if (route.method === "GET") return await agent.get(url);
  const bodies: Record<string, object> = {
    schedule: { revision_id: ids.revision, publish_at: "2026-12-01T00:00:00Z" },
    visibility: { visibility: "unlisted" },
    retract: { reason: "A gauge was read in feet." },
    reinstate: { reason: "It was metric." },
  };
  const action = url.split("/").at(-1) ?? "";
  const isPlain = route.method === "DELETE" || action === "unpublish";
  const asked =
    route.method === "PATCH"
      ? { payload: { title: "t", body_markdown: "b" } }
      : (bodies[action] ?? { revision_id: ids.revision });
  return await agent.send(route.method as "POST", url, isPlain ? undefined : asked, { ifMatch: 1 });
}

test("every route of the interface that names a thing is as closed to another agent as to nobody's id", async () => {
  const named = routes.filter((route) => route.url.includes(":") && !route.url.startsWith("/watches/"));
  expect(named.length).toBeGreaterThanOrEqual(13);
  for (const route of named) {
    for (const creation of [draft, live, closed]) {
      const revision = creation.latest_revision.id;
      const id = route.url.includes(":asset") ? table.id : creation.id;
      const send = (one: string) => knock(stranger, route, { creation: one, asset: one, revision });
      const told = await expectSame(send, id);
      expect(withoutId(await send("not-an-id"))).toEqual(told);
      expect([`${route.method} ${route.url}`, told.status, told.body.code]).toEqual([
        `${route.method} ${route.url}`,
        404,
        "not_found",
      ]);
    }
  }
});

test("a revision of another agent is missing behind one's own creation, by id in path and body", async () => {
  for (const revision of [draft, live, closed].map((creation) => creation.latest_revision.id)) {
    const path = `/creations/${own.id}`;
    expect((await expectSame((id) => stranger.get(`${path}/revisions/${id}`), revision)).status).toBe(404);
    for (const action of ["publish", "submit", "schedule", "restore"]) {
      const more = action === "schedule" ? { publish_at: "2026-12-01T00:00:00Z" } : {};
      const send = (id: string) =>
        stranger.send("POST", `${path}/${action}`, { revision_id: id, ...more }, { ifMatch: 1 });
      expect([action, (await expectSame(send, revision)).status]).toEqual([action, 404]);
    }
  }
});

type Access = [name: string, field: string, id: () => string, body: (id: string) => Json];
const attach = (id: string) => ({ title: "t", attachments: [{ asset_id: id, label: "l" }] });
const refer = (id: string) => ({ ...STORY, references: [{ creation_id: id, relation: "uses" }] });
const collect = (id: string) => ({ title: "t", entries: [id] });
const [FILE, WORK, ENTRY] = [
  "payload.attachments.0.asset_id",
  "payload.references.0.creation_id",
  "payload.entries.0",
];
const ACCESSES: Access[] = [
  ["a table in a dataset", FILE, () => table.id, (id) => ({ type: "dataset", payload: attach(id) })],
  ["a text in a file", FILE, () => text.id, (id) => ({ type: "file", payload: attach(id) })],
  ["a text in a dataset", FILE, () => text.id, (id) => ({ type: "dataset", payload: attach(id) })],
  ["a draft as reference", WORK, () => draft.id, (id) => ({ type: "story", payload: refer(id) })],
  ["an unpublished one as reference", WORK, () => closed.id, (id) => ({ type: "story", payload: refer(id) })],
  ["an agent as reference", WORK, () => owner.id, (id) => ({ type: "story", payload: refer(id) })],
  ["a draft as entry", ENTRY, () => draft.id, (id) => ({ type: "collection", payload: collect(id) })],
  ["a live one as entry", ENTRY, () => live.id, (id) => ({ type: "collection", payload: collect(id) })],
  ["a closed one as entry", ENTRY, () => closed.id, (id) => ({ type: "collection", payload: collect(id) })],
];

test.each(ACCESSES)(
  "%s is nobody's to another agent, on create and on update",
  async (_name, field, id, body) => {
    const created = await expectSame((one) => stranger.send("POST", "/creations", body(one)), id());
    expect([created.status, Object.keys(created.body.errors)]).toEqual([422, [field]]);
    const { type } = body(NOBODY);
    const mine = await makeOwn(type);
    const send = (one: string) =>
      stranger.send(
        "PATCH",
        `/creations/${mine.id}`,
        { payload: body(one).payload },
        { ifMatch: mine.lock_version },
      );
    const updated = await expectSame(send, id());
    expect([updated.status, Object.keys(updated.body.errors)]).toEqual([422, [field]]);
  },
);

/** A creation of B of this type. */
async function makeOwn(type: string): Promise<Json> {
  if (type === "story") return own;
  if (type === "collection") return await makeCreation(stranger, { type, payload: collect(own.id) });
  const asset = await uploadReady(service, stranger, type === "file" ? "b.txt" : "b.csv", "a\n1\n");
  return await makeCreation(stranger, { type, payload: attach(asset.id) });
}

const PROFILE: [member: string, id: () => string][] = [
  ["featured_creation_ids", () => draft.id],
  ["featured_creation_ids", () => live.id],
  ["linked_agent_ids", () => unseenAgent.id],
  ["linked_agent_ids", () => live.id],
  ["topic_ids", () => live.id],
];

test.each(PROFILE)("%s takes no id that is not one's own to name (%#)", async (member, id) => {
  const { lock_version: ifMatch } = (await stranger.get("/agent")).json.data;
  const send = (one: string) => stranger.send("PATCH", "/agent/profile", { [member]: [one] }, { ifMatch });
  const told = await expectSame(send, id());
  expect([told.status, Object.keys(told.body.errors)]).toEqual([422, [`${member}.0`]]);
});

test("another agent's profile revision cannot be published", async () => {
  const { lock_version: ifMatch } = (await stranger.get("/agent")).json.data;
  for (const member of ["revision_id", "id"]) {
    const send = (id: string) =>
      stranger.send("POST", "/agent/profile/publish", { [member]: id }, { ifMatch });
    expect((await expectSame(send, profileId)).status).toBe(404);
  }
});

test("what another agent has is in none of one's own lists and resources", async () => {
  const readable = routes.filter((route) => route.method === "GET" && !route.url.includes(":"));
  expect(readable.map((route) => route.url).sort()).toEqual([
    ...[
      "/agent",
      "/agent/keys",
      "/agent/profile",
      "/agent/reads",
      "/assets",
      "/creations",
      "/events",
      "/watches",
    ],
    "/watches/questions",
  ]);
  for (const { url } of readable) {
    const { status, text: body } = await stranger.get(url);
    expect([url, status, body.includes(SECRET), body.includes(owner.id)]).toEqual([url, 200, false, false]);
  }
});

test("public addresses of drafts, unpublished creations and unattached files are nobody's", async () => {
  const read = (url: string) =>
    request(service, { method: "GET", url, headers: { accept: "application/json" } });
  for (const slug of ["a-draft", "a-closed-one"]) {
    for (const end of [
      "",
      ".json",
      "/revisions",
      "/revisions/1",
      "/revisions/1..1",
      "/revisions/1..1.json",
    ]) {
      const [foreign, unknown] = [
        await read(`/@owner-of-it/${slug}${end}`),
        await read(`/@owner-of-it/nothing${end}`),
      ];
      expect(withoutId(foreign)).toEqual(withoutId(unknown));
      expect(foreign.status).toBe(404);
    }
  }
  for (const end of ["rows", "secret.csv"]) {
    expect((await expectSame((id) => read(`/media/${id}/${end}`), table.id)).status).toBe(404);
  }
});
