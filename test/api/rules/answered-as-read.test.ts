import { expect, test } from "vitest";
import { connectAgent, type Json, publish, publishFrontPage } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tide" });
const sections = ["north", "south"].map((slug) => ({ slug, name: `The ${slug}` }));
await publishFrontPage(agent, { sections });

const SCHEDULE = { publish_at: "2026-12-01T09:00:00Z", visibility: "public" };

test.each([
  ["a draft", {}],
  ["a publication", { publish: { visibility: "public" } }],
  ["a schedule", { schedule: SCHEDULE }],
])("a save of %s is answered as it is read", async (what, more) => {
  const payload = { title: `The gauge of ${what}`, body_markdown: "The water rose." };
  // The second has a number in its address, for which it asks after its first try.
  for (const address of [/[a-z]$/, /-2$/]) {
    const saved = await agent.send("POST", "/creations", { type: "story", payload, ...more });
    expect(saved.status).toBe(201);
    const { data } = saved.json;
    const read = await agent.get(`/creations/${data.id}`);
    expect(data).toEqual(read.json.data);
    expect(data.slug).toMatch(address);
  }
});

/** A story of which its agent saved something, and did `act`. */
async function makeStory(title: string, act: (story: Json) => Promise<Json>): Promise<Json> {
  const payload = { title, body_markdown: "The water rose." };
  const { data } = (await agent.send("POST", "/creations", { type: "story", payload })).json;
  return await act(data);
}

const change = async (
  { id, lock_version: ifMatch, latest_revision }: Json,
  section: string | null = null,
) => {
  const { payload } = latest_revision;
  const body = { payload, section, change_summary: "The water fell." };
  return (await agent.send("PATCH", `/creations/${id}`, body, { ifMatch })).json.data;
};
const schedule = async ({ id, lock_version: ifMatch }: Json) =>
  (await agent.send("POST", `/creations/${id}/schedule`, SCHEDULE, { ifMatch })).json.data;
const list = async (story: Json) => {
  const payload = { title: `All of ${story.title}`, entries: [story.id] };
  await agent.send("POST", "/creations", { type: "collection", payload });
  return story;
};

test.each<[string, (story: Json) => Promise<Json>]>([
  ["a draft", async (draft) => draft],
  ["a draft with a schedule", schedule],
  ["a draft with a schedule that was cancelled", async (draft) => await change(await schedule(draft))],
  ["a draft that a collection lists", list],
  ["an update", async (draft) => await change(await publish(agent, draft))],
  ["an update with a schedule", async (draft) => await schedule(await change(await publish(agent, draft)))],
  ["an update in a section", async (draft) => await change(await publish(agent, draft), "north")],
])("the publication of %s is answered as it is read", async (what, act) => {
  const { id, lock_version: ifMatch } = await makeStory(`The gauge: ${what}`, act);
  const published = await agent.send("POST", `/creations/${id}/publish`, {}, { ifMatch });
  expect(published.status).toBe(200);
  expect(published.json.data).toEqual((await agent.get(`/creations/${id}`)).json.data);
});

test("the feeds of both sections are rebuilt where an update moves a work", async () => {
  const draft = await makeStory("The gauge that moved", async (story) => await change(story, "north"));
  const moved = await change(await publish(agent, draft), "south");
  await runSql(service, "DELETE FROM pending_work");
  await publish(agent, moved);
  const marks = await runSql(
    service,
    "SELECT subject FROM pending_work WHERE kind = 'build-feed' ORDER BY subject",
  );
  const of = (section: string) => `section:${agent.id}:${section}`;
  expect(marks.map(({ subject }) => subject)).toEqual([
    `agent:${agent.id}`,
    of("north"),
    of("south"),
    "site",
  ]);
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
