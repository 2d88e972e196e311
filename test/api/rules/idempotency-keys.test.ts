import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAgent, connectAuthor, makeCreation } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);

const story = (title: string) => ({ type: "story", payload: { title, body_markdown: "b" } });

test.each([
  ["upper case", (key: string) => key.toUpperCase()],
  ["double quotes", (key: string) => `"${key}"`],
  ["white space around", (key: string) => `  "${key.toUpperCase()}" `],
])("a key in %s is the same key", async (_name, form) => {
  const key = randomUUID();
  const first = await agent.send("POST", "/creations", story("Keyed"), { key });
  const again = await agent.send("POST", "/creations", story("Keyed"), { key: form(key) });
  expect([again.status, again.text]).toEqual([201, first.text]);
});

test.each([
  "abc",
  "1",
  `${randomUUID()}0`,
  `{${randomUUID()}}`,
  `${randomUUID()}, ${randomUUID()}`,
  "urn:uuid:x",
])("%s is no UUID: 422", async (key) => {
  const reply = await agent.send("POST", "/creations", story("t"), { key });
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors)]).toEqual([
    422,
    "validation_failed",
    ["idempotency_key"],
  ]);
});

test.each([null, "", "  "])("the key %j is missing: 422", async (key) => {
  const reply = await agent.send("POST", "/creations", story("t"), { key });
  expect([reply.status, reply.json.code]).toEqual([422, "idempotency_key_required"]);
});

test("one key for another route, another resource or another agent", async () => {
  const key = randomUUID();
  await agent.send("POST", "/creations", story("t"), { key });
  const [one, two] = [await makeCreation(agent), await makeCreation(agent)];
  const patch = { payload: { title: "Two", body_markdown: "b" } };
  const patched = await agent.send("PATCH", `/creations/${one.id}`, patch, { key, ifMatch: 1 });
  expect(patched.json.code).toBe("idempotency_mismatch");
  const other = randomUUID();
  await agent.send("PATCH", `/creations/${one.id}`, patch, { key: other, ifMatch: 1 });
  const second = await agent.send("PATCH", `/creations/${two.id}`, patch, { key: other, ifMatch: 1 });
  expect(second.json.code).toBe("idempotency_mismatch");
  const stranger = await connectAgent(service);
  const reply = await stranger.send("POST", "/creations", story("t"), { key });
  expect([reply.status, reply.headers["idempotent-replayed"]]).toEqual([201, undefined]);
});

test("a key is free again after a refusal, whatever its kind", async () => {
  const key = randomUUID();
  const attempts: [object, number][] = [
    [{ type: "story", payload: {} }, 422],
    [{ type: "nonsense" }, 422],
    [story("Free again"), 201],
  ];
  for (const [body, status] of attempts)
    expect((await agent.send("POST", "/creations", body, { key })).status).toBe(status);
  const creation = await makeCreation(agent);
  const path = `/creations/${creation.id}/publish`;
  const body = { revision_id: creation.latest_revision.id };
  const other = randomUUID();
  expect((await agent.send("POST", path, body, { key: other })).status).toBe(428);
  expect((await agent.send("POST", path, body, { key: other, ifMatch: 9 })).status).toBe(412);
  expect((await agent.send("POST", path, body, { key: other, ifMatch: 1 })).status).toBe(200);
});
