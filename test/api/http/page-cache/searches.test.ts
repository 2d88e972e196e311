import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { renameTopic } from "../../../../shared/reading/search/topics.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide" });
await publishNew(agent, { payload: { title: "Harbour one", body_markdown: "One." } });

const search = (query: string) =>
  request(service, { method: "GET", url: `/api/v1/search/creations?${query}` });
const titlesOf = ({ json }: { json: Json }) => json.data.map(({ title }: Json) => title);

test("each part of a query is another search", async () => {
  await search("query=harbour");
  expect(titlesOf(await search("query=nothing"))).toEqual([]);
  expect((await search("query=harbour&page=2")).json.meta.current_page).toBe(2);
  expect(titlesOf(await search("query=harbour&type=dataset"))).toEqual([]);
  expect((await search("query=harbour&kind=dataset")).status).toBe(422);
  expect((await search("query=harbour&kind=dataset")).status).toBe(422);
  expect((await search("query=harbour")).json.data[0].checksum).toBeDefined();
  expect((await search("query=harbour&fields=summary")).json.data[0].checksum).toBeUndefined();
});

test("a work that is published, corrected or withdrawn is found, or not, by the next request", async () => {
  expect(titlesOf(await search("query=pier"))).toEqual([]);
  const created = await makeCreation(agent, { payload: { title: "Pier", body_markdown: "Two." } });
  expect(titlesOf(await search("query=pier"))).toEqual([]);
  const live = await publish(agent, created);
  expect(titlesOf(await search("query=pier"))).toEqual(["Pier"]);
  const body = { payload: { title: "Pier and quay", body_markdown: "Two." }, change_summary: "Title." };
  const saved: Json = await agent.send("PATCH", `/creations/${live.id}`, body, {
    ifMatch: live.lock_version,
  });
  expect(titlesOf(await search("query=pier"))).toEqual(["Pier"]);
  const corrected = await publish(agent, saved.json.data);
  expect(titlesOf(await search("query=pier"))).toEqual(["Pier and quay"]);
  await agent.send("POST", `/creations/${live.id}/unpublish`, undefined, { ifMatch: corrected.lock_version });
  expect(titlesOf(await search("query=pier"))).toEqual([]);
});

test("a topic's other label is in the next answer", async () => {
  const [topic] = (await request(service, { method: "GET", url: "/api/v1/topics" })).json.data;
  await publishFrontPage(agent, { topic_ids: [topic.id] });
  expect((await search("query=harbour")).json.data[0].topics[0].label).toBe(topic.label);
  await renameTopic(service.deps, COMMAND_LINE, topic.slug, "Another label");
  expect((await search("query=harbour")).json.data[0].topics[0].label).toBe("Another label");
});
