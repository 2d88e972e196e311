import { beforeEach, describe, expect, test } from "vitest";
import { sweepSearchMarks } from "../../../../shared/reading/search/index-words.ts";
import { type Json, makeCreation, publishFrontPage, type TestAgent } from "../../../support/agent.ts";
import {
  findHandles,
  findTitles,
  makePublisher,
  publishStory,
  search,
  topicId,
} from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const find = (query: string, more: Record<string, string> = {}) => findHandles(service, { query, ...more });

const service = await openService();
const [climate, health] = [await topicId(service, "climate"), await topicId(service, "health")];
const tide = await makePublisher(service, "tidewatch", {
  display_name: "Harbour Log",
  tagline: "Gauges, read hourly",
  topic_ids: [climate],
});
service.clock.nowMs += 60_000;
await makePublisher(service, "in-text", {
  display_name: "Second",
  about_markdown: "We watch the **harbour** and its *gauges*.",
  topic_ids: [health],
});
service.clock.nowMs += 60_000;
await makePublisher(service, "in-tagline", { display_name: "Third", tagline: "A harbour's crane" });
await publishStory(service, tide, { title: "One work" });

test("names come before taglines before texts", async () => {
  expect(await find("harbour")).toEqual(["tidewatch", "in-tagline", "in-text"]);
  expect(await find("HARB gauge")).toEqual(["tidewatch", "in-tagline", "in-text"]);
  expect(await find("crane")).toEqual(["in-tagline"]);
});
test("words under both names of the query are no search, unless they are the same", async () => {
  for (const kind of ["agents", "creations"] as const) {
    const { json } = await search(service, kind, { query: "crane", q: "tide" });
    expect(json.errors).toEqual({ q: ["The q is another name of query; send one of them."] });
  }
  expect(await find("crane", { q: "crane" })).toEqual(["in-tagline"]);
});
test("handles and topics are found by their words", async () => {
  expect(await find("tidew")).toEqual(["tidewatch"]);
  expect(await find("tagline")).toEqual(["in-tagline"]);
  expect(await find("climate")).toEqual(["tidewatch"]);
});
test("without words the last active comes first", async () => {
  expect(await find("")).toEqual(["tidewatch", "in-tagline", "in-text"]);
  service.clock.nowMs += 60_000;
  const last = await makePublisher(service, "newest", { display_name: "Fourth" });
  expect((await find(""))[0]).toBe(last.handle);
});
test("a topic filters, alone and with words", async () => {
  expect(await find("", { topic: "health" })).toEqual(["in-text"]);
  expect(await find("harbour", { topic: "climate" })).toEqual(["tidewatch"]);
  expect(await find("crane", { topic: "climate" })).toEqual([]);
});
test("a topic that is switched off finds nobody, and names nobody's interest", async () => {
  await runSql(service, "UPDATE topics SET enabled = false WHERE slug = 'health'");
  expect(await find("health")).toEqual([]);
  expect((await search(service, "agents", { topic: "health" })).status).toBe(422);
  await runSql(service, "UPDATE topics SET enabled = true WHERE slug = 'health'");
  expect(await find("health")).toEqual(["in-text"]);
});
test("the answer is the contract's", async () => {
  const reply = await search(service, "agents", { query: "harbour", page: "1" });
  expect(reply.json.data[0]).toMatchObject({
    id: tide.id,
    handle: "tidewatch",
    profile_url: "http://localhost:3000/@tidewatch/profile.json",
    creation_count: 1,
    recently_seen: true,
    topics: [{ slug: "climate", label: "Climate and weather" }],
  });
  expect((await search(service, "agents", { query: "harbour", page: "2" })).json.data).toEqual([]);
});
test("parameters of the other search are not known here", async () => {
  const reply = await search(service, "agents", { type: "poem", has_sources: "x" });
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["type", "has_sources"]]);
});

test("a draft changes nothing; its publication does at once", async () => {
  const { lock_version } = (await tide.get("/agent/profile")).json.data;
  await tide.send("PATCH", "/agent/profile", { tagline: "Seismograph" }, { ifMatch: lock_version });
  expect(await find("seismo")).toEqual([]);
  await publishFrontPage(tide, { display_name: "Harbour Log" });
  expect(await find("seismo")).toEqual(["tidewatch"]);
});

describe("what is hidden and shown again", () => {
  let agent: TestAgent;
  let work: Json;

  beforeEach(async () => {
    const name = `dashboard${Math.random().toString(36).slice(2, 9)}`;
    const topics = [await topicId(service, "climate")];
    agent = await makePublisher(service, name, { display_name: name, topic_ids: topics });
    work = await publishStory(service, agent, { title: `Surge of ${name}` });
  });

  test("drafts and unlisted work are never found; what is shown again is", async () => {
    await makeCreation(agent, { payload: { title: `Draft ${agent.handle}`, body_markdown: "x" } });
    await publishStory(
      service,
      agent,
      { title: `Quiet ${agent.handle}` },
      { order: { visibility: "unlisted" } },
    );
    expect(await findTitles(service, { query: agent.handle })).toEqual([`Surge of ${agent.handle}`]);
    await runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [work.id]);
    await runSql(service, "UPDATE creations SET hidden_at = NULL WHERE id = $1", [work.id]);
    expect(await findTitles(service, { query: agent.handle })).toEqual([`Surge of ${agent.handle}`]);
  });

  test("a private creation leaves no word behind", async () => {
    await agent.send("POST", `/creations/${work.id}/unpublish`, {}, { ifMatch: work.lock_version });
    expect(
      await runSql(service, "SELECT id FROM search_creations WHERE creation_id = $1", [work.id]),
    ).toEqual([]);
  });

  test("what was published before search kept words is written by the sweep, once", async () => {
    await runSql(service, "DELETE FROM search_creations WHERE creation_id = $1", [work.id]);
    await runSql(service, "DELETE FROM search_agents WHERE agent_id = $1", [agent.id]);
    await runSql(
      service,
      `INSERT INTO pending_work (kind, subject, created_at, run_at)
      SELECT 'rewrite-search-text', id, now(), now() FROM unnest(ARRAY[$1, $2]) AS id`,
      [work.id, agent.id],
    );
    expect(await findTitles(service, { query: agent.handle })).toEqual([]);
    await sweepSearchMarks(service.deps);
    expect(await sweepSearchMarks(service.deps)).toBe(0);
    expect(await findTitles(service, { query: agent.handle })).toEqual([`Surge of ${agent.handle}`]);
    expect(await findHandles(service, { query: agent.handle })).toEqual([agent.handle]);
  });
});
