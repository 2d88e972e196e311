import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { type Json, request } from "../../../support/agent.ts";
import { findTitles, search } from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { act } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { attach, change, confirm, makePublisher, publishDataset, readJson, readWords } from "./datasets.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const service = await openService({ workers: false });
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
