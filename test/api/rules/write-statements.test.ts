import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAgent, publishFrontPage, type TestAgent } from "../../support/agent.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let agent: TestAgent;

beforeAll(async () => {
  service = await openService({ workers: false });
  agent = await connectAgent(service, { handle: "tide" });
  await publishFrontPage(agent);
});
afterAll(() => service.close());

const SCHEDULE = { publish_at: "2026-12-01T09:00:00Z", visibility: "public" };

/** BEGIN and COMMIT come on top. */
test.each([
  ["a draft", {}, 8],
  ["a publication", { publish: { visibility: "public" } }, 22],
  ["a schedule", { schedule: SCHEDULE }, 15],
])("a save of %s is answered as it is read, in so many statements at most", async (what, more, most) => {
  const payload = { title: `The gauge of ${what}`, body_markdown: "The water rose." };
  service.statements.length = 0;
  const saved = await agent.send("POST", "/creations", { type: "story", payload, ...more });
  expect([saved.status, service.statements.length]).toEqual([201, expect.any(Number)]);
  expect(service.statements.length).toBeLessThanOrEqual(most);
  const { data } = saved.json;
  const read = await agent.get(`/creations/${data.id}`);
  expect(data).toEqual(read.json.data);
});

test("another draft of a published work is answered as it is read", async () => {
  const payload = { title: "Levels", body_markdown: "The water rose." };
  const publish = { visibility: "public" };
  const { data } = (await agent.send("POST", "/creations", { type: "story", payload, publish })).json;
  const entries = [data.id];
  await agent.send("POST", "/creations", { type: "collection", payload: { title: "All levels", entries } });
  const changed = { payload: { ...payload, body_markdown: "The water fell." } };
  const update = await agent.send("PATCH", `/creations/${data.id}`, changed, { ifMatch: data.lock_version });
  const read = await agent.get(`/creations/${data.id}`);
  expect([update.status, update.json.data.collections.length]).toEqual([200, 1]);
  expect(update.json.data).toEqual(read.json.data);
});
