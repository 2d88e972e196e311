import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { type Json, request } from "../../../support/agent.ts";
import { findTitles, search } from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { act, look } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { attach, change, confirm, makePublisher, publishDataset, readJson, readWords } from "./datasets.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const service = await openService({
  workers: false,
  limits: { updatesPerDay: 1_000, publicationsPerDay: 1_000 },
});
const tide = await makePublisher(service, "tidewatch");

test("a page says how often, since when and whether it is overdue, and a cached one goes with the clock", async () => {
  const dataset = await publishDataset(tide, "gauges", ["1"]);
  const publishedMs = service.clock.nowMs;
  const at = async (hours: number) => {
    service.clock.nowMs = publishedMs + hours * HOUR_MS;
    return await readWords(tide, "gauges");
  };
  const started = "Updated daily. Last changed 20 November 2026";
  expect(await at(0)).toBe(`${started}.`);
  expect(await at(47.99)).toBe(`${started}.`);
  expect(await at(48)).toBe(`${started}. Overdue.`);
  await confirm(tide.agent, dataset);
  const confirmedMs = service.clock.nowMs;
  const words: [hours: number, words: string][] = [
    [0, "checked less than an hour ago."],
    [0.99, "checked less than an hour ago."],
    [1, "checked 1 hour ago."],
    [1.99, "checked 1 hour ago."],
    [2, "checked 2 hours ago."],
    [47.99, "checked 47 hours ago."],
    [48, "checked 22 November 2026. Overdue."],
    [500, "checked 22 November 2026. Overdue."],
  ];
  for (const [hours, expected] of words) {
    service.clock.nowMs = confirmedMs + hours * HOUR_MS;
    expect([hours, await readWords(tide, "gauges")]).toEqual([hours, `${started}, ${expected}`]);
  }
  service.clock.nowMs = confirmedMs + 3 * HOUR_MS;
  await change(tide, dataset, { attachments: await attach(tide, "2"), update_frequency: "irregular" });
  expect(await readWords(tide, "gauges")).toBe("Updated irregularly. Last changed 22 November 2026.");
  await change(tide, dataset, { update_frequency: "never" });
  expect(await readWords(tide, "gauges")).toBe("Not updated any more. Last changed 22 November 2026.");
});

test("the JSON of a page that nobody changed is rendered anew when its state changes, and not before", async () => {
  await publishDataset(tide, "watched", ["1"], { update_frequency: "hourly" });
  const startMs = service.clock.nowMs;
  const look = async (minutes: number) => {
    service.clock.nowMs = startMs + minutes * MINUTE_MS;
    const before = service.statements.length;
    const { state } = (await readJson(tide, "watched")).freshness;
    return [state, service.statements.length > before ? "rendered" : "cached"];
  };
  const seen: string[][] = [];
  for (const minutes of [0, 59, 60, 119, 120, 9_999]) seen.push(await look(minutes));
  expect(seen).toEqual([
    ["fresh", "rendered"],
    ["fresh", "cached"],
    ["due", "rendered"],
    ["due", "cached"],
    ["overdue", "rendered"],
    ["overdue", "cached"],
  ]);
});

test("a search finds what is fresh, due or overdue now, of what readers may see", async () => {
  service.clock.nowMs += 1000 * HOUR_MS;
  const other = await makePublisher(service, "harbour");
  const titles = async (freshness: string, more: Record<string, string> = {}) =>
    (await findTitles(service, { freshness, agent: "harbour", ...more })).toSorted();
  const every = async () => [await titles("fresh"), await titles("due"), await titles("overdue")];
  const made: Json[] = [];
  for (const [slug, update_frequency] of [
    ["hourly", "hourly"],
    ["daily", "daily"],
    ["hidden", "hourly"],
    ["final", "never"],
  ]) {
    made.push(await publishDataset(other, slug ?? "", ["1"], { update_frequency }));
  }
  await publishDataset(other, "plain", ["1"], {});
  const [hourly, daily, hidden] = ["Levels of hourly", "Levels of daily", "Levels of hidden"];
  expect(await every()).toEqual([[daily, hidden, hourly], [], []]);
  await runCreationCommand(service.deps, COMMAND_LINE, made[2].id, "hide");
  service.clock.nowMs += HOUR_MS;
  expect(await every()).toEqual([[daily], [hourly], []]);
  service.clock.nowMs += HOUR_MS;
  expect(await every()).toEqual([[daily], [], [hourly]]);
  expect(await titles("overdue", { query: "levels", type: "dataset" })).toEqual([hourly]);
  expect(await titles("overdue", { query: "nothing" })).toEqual([]);
  await confirm(other.agent, made[0]);
  expect(await every()).toEqual([[daily, hourly], [], []]);
  await act(other.agent, made[0], "unpublish");
  expect(await every()).toEqual([[daily], [], []]);
  await act(other.agent, made[0], "restore", { revision_id: made[0].latest_revision.id });
  expect(await every()).toEqual([[daily, hourly], [], []]);
  // A search without the parameter finds all of them.
  expect((await findTitles(service, { agent: "harbour" })).length).toBe(4);
});

test("another state is refused, by the address and by the tool, and the page of search says so", async () => {
  const refused = await search(service, "creations", { freshness: "final" });
  const told = { freshness: ["The freshness must be fresh, due or overdue."] };
  expect([refused.status, refused.json.errors]).toEqual([422, told]);
  const byTool = await call(service, tide.agent.token, "search_creations", { freshness: "final" });
  expect(byTool.json.errors).toEqual(told);
  const found = await call(service, tide.agent.token, "search_creations", { freshness: "overdue" });
  expect(found.json.data.map((hit: Json) => hit.title)).toContain("Levels of watched");
  const page = await request(service, { method: "GET", url: "/search?freshness=overdue" });
  expect([page.text.includes("Levels of watched"), page.text.includes("Levels of final")]).toEqual([
    true,
    false,
  ]);
});

test("the sitemap has the time of the data where a frequency is named, else of the last update", async () => {
  const dated = await publishDataset(tide, "dated", ["1"], { update_frequency: "yearly" });
  const plain = await publishDataset(tide, "undated", ["1"], {});
  const publishedAt = new Date(service.clock.nowMs).toISOString().replace(".000", "");
  service.clock.nowMs += 30 * HOUR_MS;
  for (const dataset of [dated, plain]) await change(tide, dataset, { summary: "Other words." });
  await confirm(tide.agent, dated);
  const updatedAt = new Date(service.clock.nowMs).toISOString().replace(".000", "");
  const month = publishedAt.slice(0, 7);
  const { text } = await request(service, { method: "GET", url: `/sitemaps/works-${month}-1.xml` });
  const timeOf = (slug: string) =>
    new RegExp(`/@tidewatch/${slug}</loc><lastmod>([^<]*)`).exec(text)?.[1] ?? text;
  expect([timeOf("dated"), timeOf("undated")]).toEqual([publishedAt, updatedAt]);
  const index = await request(service, { method: "GET", url: "/sitemap.xml" });
  expect(index.text).toContain(updatedAt);
});

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
  const dataset = await publishDataset(tide, "levels", ["1", "2"]);
  const after = watch("levels");
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
