import { afterAll, beforeAll, expect, test } from "vitest";
import { examineReplica } from "../../shared/care/doctor/replica.ts";
import { runAgentCommand } from "../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { removeContent, runCreationCommand } from "../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  request,
  type TestAgent,
} from "../support/agent.ts";
import { type Cable, openCable } from "../support/cable.ts";
import { openService, type TestService } from "../support/service.ts";
import { until } from "../support/service-process.ts";
import { type StreamingPair, startStreamingPair } from "../support/standby.ts";
import { runSql } from "../support/tables.ts";

// A real standby that streams from a real primary: its answers are the primary's, or are not used.

const PATIENT = { timeout: 60_000, interval: 50 };
const CHART = `\`\`\`chart
{"mark": "bar", "data": {"values": [{"port": "A", "m": 1}, {"port": "B", "m": 2}]},
 "encoding": {"x": {"field": "port", "type": "nominal"}, "y": {"field": "m", "type": "quantitative"}}}
\`\`\``;

let pair: StreamingPair;
let cable: Cable;
let service: TestService;
let agent: TestAgent;
let story: Json;

beforeAll(async () => {
  pair = await startStreamingPair();
  cable = await openCable(pair.standbyPort);
  const databaseReadUrl = Object.assign(new URL(pair.standbyUrl), { port: String(cable.port) }).href;
  service = await openService({
    database: { url: pair.primaryUrl, drop: async () => undefined },
    config: { databaseReadUrl },
    // Every read is made anew, so that every read asks for its bodies.
    limits: { pageCacheBytes: 0 },
  });
  agent = await connectAgent(service, { handle: "tidewatch" });
  await publishFrontPage(agent, { introduction_markdown: "We watch the water." });
  story = await publish(
    agent,
    await makeCreation(agent, { payload: { title: "Tides", body_markdown: `First.\n\n${CHART}` } }),
  );
  await isUsed();
});
afterAll(async () => {
  await service?.close();
  await cable?.close();
  await pair?.stop();
});

const read = (url: string) => request(service, { method: "GET", url });
const storyUrl = (ending = "") => `/@tidewatch/${story.slug}${ending}`;

async function countReads(): Promise<Record<string, number>> {
  const { values } = await service.deps.metrics.bodyReads.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.reason), value]));
}

/** What reads came to while work was done: how often the replica told, and why it did not. */
async function during<T>(work: () => Promise<T>): Promise<{ result: T; reads: Record<string, number> }> {
  const before = await countReads();
  const result = await work();
  const after = await countReads();
  const reads = Object.entries(after).map(
    ([reason, count]) => [reason, count - (before[reason] ?? 0)] as const,
  );
  return { result, reads: Object.fromEntries(reads.filter(([, count]) => count > 0)) };
}

/** Waits until the standby has everything and is asked. */
async function isUsed(): Promise<void> {
  await pair.catchUp();
  await until(async () => service.deps.replica?.isUp() === true, 15_000);
}

/** Changes the text of the story, and publishes it. */
async function rewrite(text: string): Promise<void> {
  const { json } = await agent.get(`/creations/${story.id}`);
  const body = { payload: { title: "Tides", body_markdown: text, change_summary: "A new text." } };
  const saved = await agent.send("PATCH", `/creations/${story.id}`, body, {
    ifMatch: json.data.lock_version,
  });
  expect(saved.status, saved.text).toBe(200);
  story = await publish(agent, saved.json.data);
}

test("a replica is of a primary that is named, too", () => {
  expect(() => loadConfig({ DATABASE_READ_URL: "postgres://a:b@127.0.0.1:1/c" })).toThrow(
    /^DATABASE_URL is needed with DATABASE_READ_URL/,
  );
  expect(() => loadConfig({ DATABASE_READ_URL: "mysql://a" })).toThrow(/^DATABASE_READ_URL cannot be used/);
});

test("what was replicated is read from the replica, and is what the primary tells", async () => {
  const page = (await read(storyUrl())).text;
  const art = [...page.matchAll(/\/art\/[0-9a-f]{64}\.(?:svg|png)/g)].map(([path]) => path);
  expect(art.length).toBeGreaterThan(0);
  for (const url of art) expect((await read(url)).status).toBe(200);
  const feeds = ["/feed.xml", "/@tidewatch/feed.xml"];
  const count = "SELECT count(*)::int AS feeds FROM feeds";
  await expect.poll(() => runSql(service, count), PATIENT).toEqual([{ feeds: 2 }]);
  await isUsed();
  const urls = [
    storyUrl(),
    storyUrl(".json"),
    storyUrl("/revisions/1"),
    "/@tidewatch",
    "/@tidewatch/profile.json",
    ...feeds,
    ...art,
  ];
  for (const url of urls) {
    const { result, reads } = await during(() => read(url));
    expect(reads, url).toEqual({ found: expect.any(Number) });
    const { replica } = service.deps;
    service.deps.replica = null;
    const told = await read(url);
    service.deps.replica = replica;
    expect([told.status, told.text], url).toEqual([result.status, result.text]);
  }
});

test("what the replica lacks yet is read from the primary, at once", async () => {
  await pair.pauseReplay();
  await rewrite("Second.");
  const { result, reads } = await during(() => read(storyUrl()));
  expect(result.text).toContain("Second.");
  expect(reads).toMatchObject({ missing: expect.any(Number) });
  expect((await read("/@tidewatch/feed.xml")).text).toContain("Tides");
  await pair.resumeReplay();
  await pair.catchUp();
  expect((await during(() => read(storyUrl()))).reads).toEqual({ found: expect.any(Number) });
});

test("what was taken down is gone with the first read, though the replica still has it", async () => {
  await pair.pauseReplay();
  const { deps } = service;
  expect((await read(storyUrl("/revisions/1"))).text).toContain("First.");
  const { json } = await agent.get(`/creations/${story.id}/revisions/1`);
  await removeContent(deps, COMMAND_LINE, json.data.id, "owner");
  const removed = await read(storyUrl("/revisions/1"));
  expect(removed.status).toBe(200);
  expect(removed.text).not.toContain("First.");
  await runAgentCommand(deps, COMMAND_LINE, agent.id, "hide");
  for (const url of ["/@tidewatch", "/@tidewatch/profile.json", "/@tidewatch/feed.xml"])
    expect((await read(url)).status, url).toBe(404);
  await runAgentCommand(deps, COMMAND_LINE, agent.id, "unhide");
  await runCreationCommand(deps, COMMAND_LINE, story.id, "hide");
  for (const url of [storyUrl(), storyUrl(".json"), storyUrl("/revisions/2")])
    expect((await read(url)).status, url).toBe(404);
  expect((await read("/feed.xml")).text).not.toContain(story.slug);
  await runCreationCommand(deps, COMMAND_LINE, story.id, "unhide");
  await runAgentCommand(deps, COMMAND_LINE, agent.id, "suspend");
  for (const url of [storyUrl(), "/@tidewatch", "/@tidewatch/feed.xml"])
    expect((await read(url)).status, url).toBe(404);
  await runAgentCommand(deps, COMMAND_LINE, agent.id, "unsuspend");
  expect((await read(storyUrl())).text).toContain("Second.");
  await pair.resumeReplay();
});

test("a replica that vanishes without a word costs the requests under way a moment, and later ones nothing", async () => {
  await isUsed();
  await read(storyUrl());
  cable.halfOpen();
  const startedAt = performance.now();
  const { result, reads } = await during(() => read(storyUrl()));
  expect(result.status).toBe(200);
  expect(reads).toMatchObject({ timed_out: 1 });
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  const next = await during(() => read(storyUrl()));
  expect(next.reads).toEqual({ away: expect.any(Number) });
  await isUsed();
  expect((await during(() => read(storyUrl()))).reads).toEqual({ found: expect.any(Number) });
});

test("one that is stopped fails no read, and is used again when it is back", async () => {
  await pair.stopStandby();
  for (let round = 0; round < 3; round++) expect((await read(storyUrl())).status).toBe(200);
  expect(service.deps.replica?.isUp()).toBe(false);
  expect(await examineReplica(service.deps.pool, pair.standbyUrl)).toMatchObject({ status: "warn" });
  await pair.startStandby();
  await isUsed();
  expect((await during(() => read(storyUrl()))).reads).toEqual({ found: expect.any(Number) });
});

test("doctor tells a level standby, one that is behind, and a server that is none", async () => {
  const { pool } = service.deps;
  await pair.catchUp();
  expect((await examineReplica(pool, pair.standbyUrl)).detail).toBe("A standby, level with the primary.");
  await pair.pauseReplay();
  await rewrite("Third.");
  expect((await examineReplica(pool, pair.standbyUrl)).detail).toMatch(/^A standby, \d+ KiB of log behind; /);
  await pair.resumeReplay();
  expect(await examineReplica(pool, pair.primaryUrl)).toMatchObject({ status: "warn" });
  expect(await examineReplica(pool, undefined)).toMatchObject({ status: "ok" });
});
