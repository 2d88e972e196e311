import { expect, test } from "vitest";
import { connectAgent, connectAuthor, type Json, makeCreation, publish } from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);

const story = (title: string) => ({ type: "story", payload: { title, body_markdown: "b" } });

test("the list is newest first, filtered, framed and cut at a hundred a page", async () => {
  const lister = await connectAuthor(service);
  const made: Json[] = [];
  for (let count = 0; count < 5; count++) {
    service.clock.nowMs = TEST_START_MS + count * 1000;
    made.push(await makeCreation(lister, story(`Number ${count}`)));
  }
  await publish(lister, made[1]);
  await publish(lister, made[3], { visibility: "unlisted" });
  const ids = async (query: string) =>
    (await lister.get(`/creations${query}`)).json.data.map((row: Json) => row.id);
  const all = made.map((creation) => creation.id).reverse();
  expect(await ids("")).toEqual(all);
  expect(await ids("?visibility=public")).toEqual([made[1].id]);
  expect(await ids("?visibility=unlisted&state=published")).toEqual([made[3].id]);
  expect(await ids("?state=draft&visibility=private")).toEqual([all[0], all[2], all[4]]);
  expect(await ids("?state=submitted")).toEqual([]);
  const second = (await lister.get("/creations?state=draft&per_page=2&page=2")).json;
  const path = "http://localhost:3000/api/v1/creations";
  expect(second.meta).toEqual({ current_page: 2, from: 3, last_page: 2, path, per_page: 2, to: 3, total: 3 });
  expect(second.links).toEqual({
    first: `${path}?state=draft&per_page=2&page=1`,
    last: `${path}?state=draft&per_page=2&page=2`,
    prev: `${path}?state=draft&per_page=2&page=1`,
    next: null,
  });
  const past = (await lister.get("/creations?page=9")).json;
  expect([past.data, past.meta.from, past.meta.to, past.meta.total]).toEqual([[], null, null, 5]);
  expect((await lister.get("/creations?per_page=101")).json.meta.per_page).toBe(100);
  service.clock.nowMs = TEST_START_MS;
});

test.each([
  "per_page=0",
  "per_page=-1",
  "per_page=abc",
  "per_page=1.5",
  "page=0",
  "page=",
  "visibility=secret",
  "visibility=%FF",
  "state=live",
  "state=draft&state=published",
  "visibility[]=public",
])("the query %s is 422", async (query) => {
  const reply = await agent.get(`/creations?${query}`);
  expect([reply.status, reply.json.code]).toEqual([422, "validation_failed"]);
});
