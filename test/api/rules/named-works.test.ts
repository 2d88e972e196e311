import { expect, test } from "vitest";
import { connectAgent, type Json, makeCreation, publishFrontPage, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const mine = await connectAgent(service, { handle: "mine-one" });
const stranger = await connectAgent(service, { handle: "stranger" });
await publishFrontPage(mine);
await publishFrontPage(stranger);
const live = await publishNew(mine, { slug: "live" });

const payload = { title: "t", body_markdown: "b" };

test("a profile links other agents, and not its own", async () => {
  const link = async (id: string) => {
    const { lock_version: ifMatch } = (await stranger.get("/agent/profile")).json.data;
    return await stranger.send("PATCH", "/agent/profile", { linked_agent_ids: [id] }, { ifMatch });
  };
  expect((await link(mine.id)).status).toBe(200);
  expect(Object.keys((await link(stranger.id)).json.errors)).toEqual(["linked_agent_ids.0"]);
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
