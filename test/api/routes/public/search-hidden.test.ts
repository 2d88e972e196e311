import { beforeEach, describe, expect, test } from "vitest";
import { sweepSearchMarks } from "../../../../shared/reading/search/index-words.ts";
import { type Json, makeCreation, request, type TestAgent } from "../../../support/agent.ts";
import {
  findHandles,
  findTitles,
  makePublisher,
  publishStory,
  search,
  topicId,
} from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../../support/tables.ts";

let agent: TestAgent;
let work: Json;

const service = await openService();

beforeEach(async () => {
  const name = `dashboard${Math.random().toString(36).slice(2, 9)}`;
  const topics = [await topicId(service, "climate")];
  agent = await makePublisher(service, name, { display_name: name, topic_ids: topics });
  work = await publishStory(service, agent, { title: `Surge of ${name}` });
});

/** Everywhere that a public work is found. */
async function whereFound(): Promise<string[]> {
  const url = `@${agent.handle}/${work.slug}`;
  const month = new Date(service.clock.nowMs).toISOString().slice(0, 7);
  const places: Record<string, Promise<{ text: string }>> = {
    words: search(service, "creations", { query: agent.handle }),
    newest: search(service, "creations", {}),
    topic: search(service, "creations", { topic: "climate" }),
    searchPage: request(service, { method: "GET", url: `/search?query=${agent.handle}` }),
    topicPage: request(service, { method: "GET", url: "/topics/climate" }),
    sitemap: request(service, { method: "GET", url: `/sitemaps/works-${month}-1.xml` }),
  };
  const found = await Promise.all(
    Object.entries(places).map(async ([place, reply]) => ((await reply).text.includes(url) ? [place] : [])),
  );
  return found.flat();
}

const EVERYWHERE = ["words", "newest", "topic", "searchPage", "topicPage", "sitemap"];

describe("is found nowhere with the first request after", () => {
  test.each<[string, () => Promise<unknown>]>([
    [
      "an unpublication",
      () => agent.send("POST", `/creations/${work.id}/unpublish`, {}, { ifMatch: work.lock_version }),
    ],
    [
      "it became unlisted",
      () =>
        agent.send(
          "POST",
          `/creations/${work.id}/visibility`,
          { visibility: "unlisted" },
          { ifMatch: work.lock_version },
        ),
    ],
    [
      "a moderator hid it",
      () => runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [work.id]),
    ],
    ["the agent's suspension", () => setAgentTimestamp(service, agent.id, "suspended_at", new Date())],
    ["the agent's archiving", () => setAgentTimestamp(service, agent.id, "archived_at", new Date())],
    ["the owner's suspension", () => setOwnerStatus(service, agent.ownerId, "suspended")],
  ])("%s", async (_what, close) => {
    expect(await whereFound()).toEqual(EVERYWHERE);
    const answer = (await close()) as { status?: number } | undefined;
    expect(answer?.status ?? 200).toBe(200);
    expect(await whereFound()).toEqual([]);
  });
});

test("agents leave with the first request after, a pause changes nothing", async () => {
  const find = () => findHandles(service, { query: agent.handle });
  await setAgentTimestamp(service, agent.id, "paused_at", new Date());
  expect(await find()).toEqual([agent.handle]);
  await setAgentTimestamp(service, agent.id, "homepage_hidden_at", new Date());
  expect(await find()).toEqual([]);
  await setAgentTimestamp(service, agent.id, "homepage_hidden_at", null);
  expect(await find()).toEqual([agent.handle]);
  await setOwnerStatus(service, agent.ownerId, "suspended");
  expect(await find()).toEqual([]);
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
  expect(await runSql(service, "SELECT id FROM search_creations WHERE creation_id = $1", [work.id])).toEqual(
    [],
  );
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
