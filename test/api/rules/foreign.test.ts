import { expect, test } from "vitest";
import {
  connectAgent,
  type Json,
  makeCreation,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { dumpTables } from "../../support/tables.ts";

const UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const service = await openService({ workers: false });
const mine = await connectAgent(service, { handle: "mine-one" });
const stranger = await connectAgent(service, { handle: "stranger" });
await publishFrontPage(mine);
await publishFrontPage(stranger);
const draft = await makeCreation(mine, { slug: "draft" });
const live = await publishNew(mine, { slug: "live" });
const asset = await uploadReady(service, mine, "mine.csv", "a\n1\n");
const profileRevision: string = (await mine.get("/agent/profile")).json.data.draft.revision_id;

/** What a stranger is told, with the id of this agent's thing and with one that nobody has, must not differ. */
async function compare(send: (id: string) => Promise<{ status: number; json: Json }>, id: string) {
  const before = await dumpTables(service);
  const told = await Promise.all([send(id), send(UNKNOWN), send("not-an-id")]);
  expect(await dumpTables(service)).toBe(before);
  return told.map(({ status, json }) => [status, json.code, json.message.replaceAll(id, "?")]);
}

const payload = { title: "t", body_markdown: "b" };
const ROUTES: [name: string, id: () => string, send: (agent: TestAgent, id: string) => Promise<Json>][] = [
  ["GET a creation", () => draft.id, (agent, id) => agent.get(`/creations/${id}`)],
  ["GET a live creation", () => live.id, (agent, id) => agent.get(`/creations/${id}`)],
  [
    "PATCH a creation",
    () => draft.id,
    (agent, id) => agent.send("PATCH", `/creations/${id}`, { payload }, { ifMatch: 1 }),
  ],
  [
    "PATCH a creation without anything else",
    () => draft.id,
    (agent, id) => agent.send("PATCH", `/creations/${id}`, { nonsense: 1 }, { key: null }),
  ],
  [
    "publish a creation",
    () => draft.id,
    (agent, id) =>
      agent.send(
        "POST",
        `/creations/${id}/publish`,
        { revision_id: draft.latest_revision.id },
        { ifMatch: 1 },
      ),
  ],
  ["GET a file", () => asset.id, (agent, id) => agent.get(`/assets/${id}`)],
  ["GET a file's bytes", () => asset.id, (agent, id) => agent.get(`/assets/${id}/content`)],
];

test.each(ROUTES)("%s of another agent is as missing as one that nobody has", async (_name, id, send) => {
  const [foreign, unknown, malformed] = await compare((one) => send(stranger, one), id());
  expect(foreign).toEqual(unknown);
  expect(malformed).toEqual(unknown);
  expect(foreign?.slice(0, 2)).toEqual([404, "not_found"]);
});

const FIELDS: [path: string, id: () => string, body: (id: string) => Json][] = [
  [
    "payload.attachments.0.asset_id",
    () => asset.id,
    (id) => ({ type: "dataset", payload: { title: "t", attachments: [{ asset_id: id, label: "l" }] } }),
  ],
  [
    "payload.references.0.creation_id",
    () => draft.id,
    (id) => ({ type: "story", payload: { ...payload, references: [{ creation_id: id, relation: "uses" }] } }),
  ],
  [
    "payload.entries.0",
    () => draft.id,
    (id) => ({ type: "collection", payload: { title: "t", entries: [id] } }),
  ],
  [
    "payload.entries.0",
    () => live.id,
    (id) => ({ type: "collection", payload: { title: "t", entries: [id] } }),
  ],
];

test.each(FIELDS)(
  "%s takes no id of another agent, and says the same of an unknown one",
  async (path, id, body) => {
    const send = async (one: string) => await stranger.send("POST", "/creations", body(one));
    const before = await dumpTables(service);
    const [foreign, unknown] = [await send(id()), await send(UNKNOWN)];
    expect([foreign.status, foreign.json.errors]).toEqual([422, unknown.json.errors]);
    expect(Object.keys(foreign.json.errors)).toEqual([path]);
    expect(await dumpTables(service)).toBe(before);
    const own = await makeCreation(stranger);
    const patch = { payload: body(id()).payload };
    if (path !== "payload.references.0.creation_id") return;
    const patched = await stranger.send("PATCH", `/creations/${own.id}`, patch, { ifMatch: 1 });
    expect([patched.status, Object.keys(patched.json.errors)]).toEqual([422, [path]]);
  },
);

test("a revision of another agent cannot be published through one's own creation", async () => {
  const own = await makeCreation(stranger);
  for (const revision_id of [draft.latest_revision.id, live.latest_revision.id, UNKNOWN]) {
    const reply = await stranger.send(
      "POST",
      `/creations/${own.id}/publish`,
      { revision_id },
      { ifMatch: 1 },
    );
    expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
  }
});

test("a profile draft of another agent cannot be published", async () => {
  const { lock_version } = (await stranger.get("/agent/profile")).json.data;
  const messages = new Set<string>();
  for (const revision_id of [profileRevision, UNKNOWN]) {
    const reply = await stranger.send(
      "POST",
      "/agent/profile/publish",
      { revision_id },
      { ifMatch: lock_version },
    );
    expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
    messages.add(reply.json.message);
  }
  expect(messages.size).toBe(1);
});

test.each([
  ["featured_creation_ids", () => [live.id], 422],
  ["featured_creation_ids", () => [UNKNOWN], 422],
  ["linked_agent_ids", () => [UNKNOWN], 422],
  ["linked_agent_ids", () => [stranger.id], 422],
  ["linked_agent_ids", () => [mine.id], 200],
  ["topic_ids", () => [UNKNOWN], 422],
])("the profile's %s %#", async (member, ids, status) => {
  const { lock_version } = (await stranger.get("/agent/profile")).json.data;
  const reply = await stranger.send(
    "PATCH",
    "/agent/profile",
    { [member]: ids() },
    { ifMatch: lock_version },
  );
  expect(reply.status).toBe(status);
  if (status === 422) expect(Object.keys(reply.json.errors)).toEqual([`${member}.0`]);
});

test("references reach others' open creations and one's own drafts, never oneself, each pair once", async () => {
  const own = await makeCreation(stranger);
  const refer = (references: Json[], id: string | null = null) => {
    const body = { payload: { ...payload, references } };
    return id === null
      ? stranger.send("POST", "/creations", { type: "story", ...body })
      : stranger.send("PATCH", `/creations/${id}`, body, { ifMatch: 1 });
  };
  const good = await refer([
    { creation_id: live.id.toLowerCase(), relation: "cites" },
    { creation_id: live.id, relation: "uses", note: "n" },
    { creation_id: own.id, relation: "uses" },
  ]);
  expect(good.status).toBe(201);
  const twice = [1, 2].map(() => ({ creation_id: live.id, relation: "cites" }));
  expect((await refer(twice)).status).toBe(422);
  const self = await refer([{ creation_id: own.id, relation: "cites" }], own.id);
  expect([self.status, Object.keys(self.json.errors)]).toEqual([422, ["payload.references.0.creation_id"]]);
  const odd = await refer([{ creation_id: live.id, relation: "loves" }]);
  expect([odd.status, Object.keys(odd.json.errors)]).toEqual([422, ["payload.references.0.relation"]]);
});

test("a collection holds own creations of any state, no collection, none twice, and not itself", async () => {
  const one = await makeCreation(mine);
  const collect = (entries: unknown[]) =>
    mine.send("POST", "/creations", { type: "collection", payload: { title: "C", entries } });
  const made = await collect([live.id, one.id]);
  expect(made.status).toBe(201);
  expect((await mine.get(`/creations/${one.id}`)).json.data.collections).toEqual([
    { id: made.json.data.id, title: "C", slug: "c", in_published_revision: false },
  ]);
  expect((await collect([live.id, live.id])).status).toBe(422);
  expect((await collect([])).status).toBe(422);
  const nested = await collect([made.json.data.id]);
  expect(Object.keys(nested.json.errors)).toEqual(["payload.entries.0"]);
  const patch = { payload: { title: "C", entries: [made.json.data.id] } };
  const self = await mine.send("PATCH", `/creations/${made.json.data.id}`, patch, { ifMatch: 1 });
  expect(Object.keys(self.json.errors)).toEqual(["payload.entries.0"]);
});
