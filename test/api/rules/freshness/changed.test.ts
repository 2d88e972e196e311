import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { type Json, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { act, look } from "../../../support/work-acts.ts";
import { attach, change, confirm, makePublisher, publishDataset, readJson } from "./datasets.ts";

const HOUR_MS = 3_600_000;

const service = await openService({
  workers: false,
  limits: { updatesPerDay: 1_000, publicationsPerDay: 1_000 },
});
const tide = await makePublisher(service, "tidewatch");

/** An hour passes, something happens, and readers are told when the data last changed, in hours from the start. */
function watch(slug: string) {
  const startMs = service.clock.nowMs;
  return async (happens: () => Promise<unknown>): Promise<number> => {
    service.clock.nowMs += HOUR_MS;
    await happens();
    const { freshness } = await readJson(tide, slug);
    return (Date.parse(freshness.data_changed_at) - startMs) / HOUR_MS;
  };
}

test("data change with the files of a publication, by their bytes, and with nothing else", async () => {
  const dataset = await publishDataset(tide, "gauges", ["1", "2"]);
  const after = watch("gauges");
  const files = (await look(tide.agent, dataset)).latest_revision.payload.attachments;
  const renamed = files.map((file: Json) => ({ ...file, label: "Another name", notes: "Metres." }));
  expect(await after(() => change(tide, dataset, { title: "Other words" }))).toBe(0);
  expect(await after(() => change(tide, dataset, { attachments: renamed.toReversed() }))).toBe(0);
  const [first, second] = await attach(tide, "1", "2");
  expect(await after(() => change(tide, dataset, { attachments: [first, second] }))).toBe(0);
  const [third] = await attach(tide, "3");
  expect(await after(() => change(tide, dataset, { attachments: [first, third] }))).toBe(4);
  expect(await after(() => change(tide, dataset, { summary: "Words." }))).toBe(4);
  expect(await after(() => change(tide, dataset, { attachments: [first] }, { minor: true }))).toBe(6);
  const [same] = await attach(tide, "1");
  expect(await after(() => change(tide, dataset, { attachments: [first, same] }))).toBe(7);
  // A draft is no publication.
  expect(await after(() => change(tide, dataset, { attachments: [third] }, { publish: null }))).toBe(7);
});

test("restoring, publishing at a time and publishing again compare with what was published last", async () => {
  const dataset = await publishDataset(tide, "restored", ["1"]);
  const after = watch("restored");
  const first = dataset.latest_revision.id;
  const [other] = await attach(tide, "2");
  expect(await after(() => change(tide, dataset, { attachments: [other] }))).toBe(1);
  expect(await after(() => act(tide.agent, dataset, "restore", { revision_id: first }))).toBe(2);
  expect(await after(() => act(tide.agent, dataset, "restore", { revision_id: first }))).toBe(2);
  const republish = async () => {
    await act(tide.agent, dataset, "unpublish");
    await act(tide.agent, dataset, "restore", { revision_id: first });
  };
  expect(await after(republish)).toBe(2);
  const publishAtATime = async () => {
    const publish_at = new Date(service.clock.nowMs + HOUR_MS).toISOString();
    const schedule = { publish: null, schedule: { publish_at } };
    await change(tide, dataset, { attachments: await attach(tide, "3") }, schedule);
    service.clock.nowMs += HOUR_MS;
    await sweepDueSchedules(service.deps);
  };
  expect(await after(publishAtATime)).toBe(6);
});

test("the removal of content changes no time, and what is published next is compared with what was removed", async () => {
  const dataset = await publishDataset(tide, "removed", ["1"]);
  const after = watch("removed");
  const [second] = await attach(tide, "2");
  expect(await after(() => change(tide, dataset, { attachments: [second] }))).toBe(1);
  const removeAndPublish = async () => {
    const live = (await look(tide.agent, dataset)).latest_revision;
    await act(tide.agent, dataset, "unpublish");
    await removeContent(service.deps, COMMAND_LINE, live.id, "moderator");
    await change(
      tide,
      dataset,
      {},
      { changes: undefined, payload: { ...live.payload, attachments: await attach(tide, "2") } },
    );
  };
  expect(await after(removeAndPublish)).toBe(1);
  const removeOld = () => removeContent(service.deps, COMMAND_LINE, dataset.latest_revision.id, "moderator");
  expect(await after(removeOld)).toBe(1);
});

test("the frequency that was published last holds, and a change of it moves no time of the data", async () => {
  const dataset = await publishDataset(tide, "frequent", ["1"]);
  const after = watch("frequent");
  expect(await after(() => change(tide, dataset, { update_frequency: "hourly" }))).toBe(0);
  expect((await readJson(tide, "frequent")).freshness).toMatchObject({
    update_frequency: "hourly",
    state: "due",
  });
  expect(await after(() => confirm(tide.agent, dataset))).toBe(0);
  expect((await readJson(tide, "frequent")).freshness.state).toBe("fresh");
  await change(tide, dataset, { update_frequency: null });
  expect((await readJson(tide, "frequent")).freshness).toBeNull();
  expect((await look(tide.agent, dataset)).latest_revision.payload).not.toHaveProperty("update_frequency");
});

test("an earlier revision says nothing of freshness, and neither does another type", async () => {
  await publishDataset(tide, "numbered", ["1"]);
  const url = "/@tidewatch/numbered/revisions/1.json";
  expect((await request(service, { method: "GET", url })).json.data.freshness).toBeNull();
  const story = { payload: { title: "Surge", body_markdown: "b", update_frequency: "daily" }, type: "story" };
  const refused = await tide.agent.send("POST", "/creations", story);
  expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["payload.update_frequency"]]);
});

test.each([["often"], ["Daily"], [7], [["daily"]]])(
  "the frequency %j is refused by its field",
  async (wrong) => {
    const payload = { title: "Levels", attachments: await attach(tide, "1"), update_frequency: wrong };
    const { status, json } = await tide.agent.send("POST", "/creations", { type: "dataset", payload });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["payload.update_frequency"]]);
  },
);
