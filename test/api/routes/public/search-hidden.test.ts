import { beforeEach, expect, test } from "vitest";
import { sweepSearchMarks } from "../../../../shared/reading/search/index-words.ts";
import { type Json, makeCreation, type TestAgent } from "../../../support/agent.ts";
import {
  findHandles,
  findTitles,
  makePublisher,
  publishStory,
  topicId,
} from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

let agent: TestAgent;
let work: Json;

const service = await openService();

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
