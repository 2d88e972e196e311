import { expect, test } from "vitest";
import { type Json, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { listModeratorActs, openModerator, QUEUE } from "./moderating.ts";

const service = await openService({ workers: false });
const moderator = await openModerator(service);

const actsOf = (subjectId: string) => listModeratorActs(service, subjectId);

test("topics are added, renamed, switched off and on; readers see it at once", async () => {
  const topics = `${QUEUE}/topics`;
  const labels = async () =>
    (await request(service, { method: "GET", url: "/api/v1/topics" })).json.data.map(
      (one: Json) => one.label,
    );
  expect((await moderator.post(topics, { slug: "tides", label: "Tides" })).status).toBe(303);
  expect(await labels()).toContain("Tides");
  expect((await moderator.post(`${topics}/tides/label`, { label: "Seas & tides" })).status).toBe(303);
  expect(await labels()).toContain("Seas & tides");
  expect((await moderator.post(`${topics}/tides/disable`)).status).toBe(303);
  expect(await labels()).not.toContain("Seas & tides");
  expect((await moderator.get(topics)).text).toContain("Switch on tides");
  expect((await moderator.post(`${topics}/tides/enable`)).status).toBe(303);
  expect(await labels()).toContain("Seas & tides");
  const again = await moderator.post(topics, { slug: "tides", label: "Other" });
  expect([again.status, again.text.includes("There is a topic tides already.")]).toEqual([422, true]);
  for (const [url, fields] of [
    [topics, { slug: "Not A Slug", label: "" }],
    [`${topics}/tides/label`, { label: "a\u202eb" }],
  ] as const) {
    expect((await moderator.post(url, fields)).status).toBe(422);
  }
  expect((await moderator.post(`${topics}/nothing/label`, { label: "X" })).status).toBe(404);
  const [topic] = await runSql(service, "SELECT id FROM topics WHERE slug = 'tides'");
  expect((await actsOf(topic.id)).map(([, , action]) => action)).toEqual([
    ...["topic.add", "topic.rename", "topic.disable", "topic.enable"],
  ]);
});
