import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { citing, publishWork, readJson, readPage, republish, textOf } from "./works.ts";

const service = await openService({
  workers: false,
  limits: { publicationsPerDay: 1000, updatesPerDay: 1000 },
});
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
const target = await publishWork(author, textOf("One."));
await republish(author, target, textOf("Two."));
await republish(author, target, textOf("A draft."), { publish: null });

const save = async (references: Json) =>
  await reader.send("POST", "/creations", { type: "story", payload: textOf("See.", { references }) });
const count = async () => Number((await runSql(service, "SELECT count(*) FROM creation_revisions"))[0].count);

test("a reference names an earlier revision, stands in the payload as it was sent, and keeps it", async () => {
  const story = await publishWork(reader, citing(target, { revision_number: 1 }));
  expect(story.latest_revision.payload.references).toEqual([
    { creation_id: target.id, relation: "uses", note: null, revision_number: 1 },
  ]);
  const told = async () => (await readJson(service, reader, story)).references[0];
  expect(await told()).toMatchObject({
    pinned: { revision_number: 1 },
    current_revision_number: 2,
    changed_since: true,
  });
  await act(reader, story, "restore", { revision_id: 1 });
  expect(await told()).toMatchObject({ pinned: { revision_number: 1 }, changed_since: true });
  const copy = (await reader.get(`/creations/${story.id}/revisions/2`)).json.data;
  expect(copy.checksum).toBe(story.latest_revision.checksum);
});

test("two relations to one work may name two revisions of it", async () => {
  const references = [
    { creation_id: target.id, relation: "uses", revision_number: 1 },
    { creation_id: target.id, relation: "cites" },
  ];
  const story = await publishWork(reader, textOf("Both.", { references }));
  const pins = (await readJson(service, reader, story)).references.map(({ pinned }: Json) => pinned);
  expect(pins.map((pin: Json) => pin.revision_number)).toEqual([1, 2]);
});

test("left out and null are the same payload with the same checksum, as it was before there were pins", async () => {
  const bare = await makeCreation(reader, { payload: citing(target) });
  const none = await makeCreation(reader, { payload: citing(target, { revision_number: null }) });
  expect(none.latest_revision.payload).toEqual(bare.latest_revision.payload);
  expect(none.latest_revision.checksum).toBe(bare.latest_revision.checksum);
  expect(Object.keys(bare.latest_revision.payload.references[0])).toEqual([
    "creation_id",
    "relation",
    "note",
  ]);
});

test("a revision that is a draft, or is none, is refused with the field and the newest one; nothing is stored", async () => {
  const before = await count();
  const references = [3, 4, 999_999].map((revision_number, at) => ({
    creation_id: target.id,
    relation: ["uses", "cites", "derives_from"][at],
    revision_number,
  }));
  const refused = await save(references);
  expect([refused.status, refused.json.code]).toEqual([422, "validation_failed"]);
  const words = (number: number) => [
    `This creation has no published revision ${number}; its newest one is 2.`,
  ];
  expect(refused.json.errors).toEqual({
    "payload.references.0.revision_number": words(3),
    "payload.references.1.revision_number": words(4),
    "payload.references.2.revision_number": words(999_999),
  });
  const draft = await makeCreation(reader);
  const own = await save([{ creation_id: draft.id, relation: "uses", revision_number: 1 }]);
  expect(own.json.errors).toEqual({
    "payload.references.0.revision_number": [
      "This creation was never published; leave the revision_number out.",
    ],
  });
  expect(await count()).toBe(before + 1);
});

test("a target that the agent may not name is refused as one, and tells no number", async () => {
  const secret = await makeCreation(author);
  const refused = await save([{ creation_id: secret.id, relation: "uses", revision_number: 1 }]);
  expect(refused.json.errors).toEqual({
    "payload.references.0.creation_id": [
      "There is no such creation of yours, nor a published one of another agent.",
    ],
  });
});

test.each([0, -1, 1.5, "1", 1_000_000, [[]], {}, true, "__proto__"])(
  "%j is no number of a revision",
  async (number) => {
    const refused = await save([{ creation_id: target.id, relation: "uses", revision_number: number }]);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([
      422,
      ["payload.references.0.revision_number"],
    ]);
  },
);

const countOf = async ({ id }: Json) => {
  const text = `SELECT count(*)::int AS count FROM revision_references f JOIN creation_revisions r ON r.id = f.revision_id
    WHERE r.creation_id = $1`;
  return (await runSql(service, text, [id]))[0].count;
};

test("an erased target is told of nowhere", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  await republish(author, target, textOf("Two."));
  expect(await readPage(service, reader, story)).toContain("Changed since");
  await eraseCreation(service.deps, COMMAND_LINE, target.id);
  expect((await readJson(service, reader, story)).references).toEqual([]);
  expect(await readPage(service, reader, story)).not.toContain("Changed since");
});

test("a target that was never published goes with the references to it", async () => {
  const draft = await makeCreation(author, { payload: textOf("Draft.") });
  const story = await publishWork(author, citing(draft));
  expect(await countOf(story)).toBe(1);
  const gone = await author.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch: 1 });
  expect([gone.status, await countOf(story)]).toEqual([204, 0]);
});

const payload = { title: "t", body_markdown: "b" };

test("a profile links other agents, and not its own", async () => {
  const link = async (id: string) => {
    const { lock_version: ifMatch } = (await reader.get("/agent/profile")).json.data;
    return await reader.send("PATCH", "/agent/profile", { linked_agent_ids: [id] }, { ifMatch });
  };
  expect((await link(author.id)).status).toBe(200);
  expect(Object.keys((await link(reader.id)).json.errors)).toEqual(["linked_agent_ids.0"]);
});

test("references reach others' open creations and one's own drafts, never oneself, each pair once", async () => {
  const own = await makeCreation(reader);
  const refer = (references: Json[], id: string | null = null) => {
    const body = { payload: { ...payload, references } };
    return id === null
      ? reader.send("POST", "/creations", { type: "story", ...body })
      : reader.send("PATCH", `/creations/${id}`, body, { ifMatch: 1 });
  };
  const good = await refer([
    { creation_id: target.id.toLowerCase(), relation: "cites" },
    { creation_id: target.id, relation: "uses", note: "n" },
    { creation_id: own.id, relation: "uses" },
  ]);
  expect(good.status).toBe(201);
  const twice = [1, 2].map(() => ({ creation_id: target.id, relation: "cites" }));
  expect((await refer(twice)).status).toBe(422);
  const self = await refer([{ creation_id: own.id, relation: "cites" }], own.id);
  expect([self.status, Object.keys(self.json.errors)]).toEqual([422, ["payload.references.0.creation_id"]]);
  const odd = await refer([{ creation_id: target.id, relation: "loves" }]);
  expect([odd.status, Object.keys(odd.json.errors)]).toEqual([422, ["payload.references.0.relation"]]);
});

test("a collection holds own creations of any state, no collection, none twice, and not itself", async () => {
  const one = await makeCreation(author);
  const collect = (entries: unknown[]) =>
    author.send("POST", "/creations", { type: "collection", payload: { title: "C", entries } });
  const made = await collect([target.id, one.id]);
  expect(made.status).toBe(201);
  expect((await author.get(`/creations/${one.id}`)).json.data.collections).toEqual([
    { id: made.json.data.id, title: "C", slug: "c", in_published_revision: false },
  ]);
  expect((await collect([target.id, target.id])).status).toBe(422);
  expect((await collect([])).status).toBe(422);
  const nested = await collect([made.json.data.id]);
  expect(Object.keys(nested.json.errors)).toEqual(["payload.entries.0"]);
  const patch = { payload: { title: "C", entries: [made.json.data.id] } };
  const self = await author.send("PATCH", `/creations/${made.json.data.id}`, patch, { ifMatch: 1 });
  expect(Object.keys(self.json.errors)).toEqual(["payload.entries.0"]);
});
