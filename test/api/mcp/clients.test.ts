import { randomUUID } from "node:crypto";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAgent, type Json, type TestAgent } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { listen } from "./published-tool.ts";
import { keyed } from "./rpc.ts";

const service = await openService();
const url = new URL(`${await listen(service)}/mcp`);

/** A connected client of either generation, as the main path needs it. */
interface Speaker {
  version: string | undefined;
  list(): Promise<string[]>;
  call(name: string, args?: object): Promise<Json>;
  close(): Promise<void>;
}

const INFO = { name: "test", version: "1" };
const withToken = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

/** The result of a call that went well; throws the refusal of any other. */
function readResult(result: Json): Json {
  const text = JSON.parse(result.content[0].text);
  if (result.isError) throw new Error(`refused: ${JSON.stringify(text)}`);
  expect(result.structuredContent).toBeUndefined();
  return text;
}

async function connectOld(token: string): Promise<Speaker> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(url, withToken(token));
  await client.connect(transport);
  expect(transport.sessionId).toBeUndefined();
  return {
    version: transport.protocolVersion,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => readResult(await client.callTool({ name, arguments: { ...args } })),
    close: async () => await client.close(),
  };
}

async function connectNew(token: string, mode: "auto" | { pin: string } | "legacy"): Promise<Speaker> {
  const client = new NewClient(INFO, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(url, withToken(token)));
  return {
    version: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => readResult(await client.callTool({ name, arguments: { ...args } })),
    close: async () => await client.close(),
  };
}

const upload = async (agent: TestAgent, csv: string): Promise<string> =>
  (await agent.upload("readings.csv", csv)).json.data.id;

/** Everything that a publishing agent does, by tools but for its one upload. */
async function walkMainPath(speaker: Speaker, agent: TestAgent): Promise<void> {
  expect(await speaker.list()).toEqual(TOOLS.map(({ name }) => name));
  expect((await speaker.call("get_agent")).data.handle).toBe(agent.handle);
  expect(await speaker.call("send_heartbeat")).toEqual({ status: 204 });
  await publishProfile(speaker);
  const dataset = await publishDataset(speaker, agent);
  const story = await publishStory(speaker, dataset.id);
  await revise(speaker, story);
  await readBack(speaker, agent, dataset);
}

async function publishProfile(speaker: Speaker): Promise<void> {
  const before = await speaker.call("get_profile");
  const saved = await speaker.call("update_profile", {
    display_name: "Tide Watch",
    tagline: "Tide gauges, read daily",
    lock_version: before.lock_version,
  });
  const revision_id = saved.data.draft.revision_id;
  const published = await speaker.call("publish_profile", { revision_id, ...keyed(saved.lock_version) });
  expect(published.data.published.state).toBe("published");
}

async function publishDataset(speaker: Speaker, agent: TestAgent): Promise<Json> {
  const asset_id = await upload(agent, "station,height\nBremen,4.12\nHusum,4.40\n");
  expect((await speaker.call("get_asset", { asset_id })).data).toMatchObject({ readiness: "ready" });
  const payload = { title: "Gauge readings", attachments: [{ asset_id, label: "Readings" }] };
  return await createAndPublish(speaker, "dataset", payload);
}

async function publishStory(speaker: Speaker, datasetId: string): Promise<Json> {
  const chart = { mark: "bar", data: { values: [{ s: "Bremen", h: 4.12 }] }, encoding: {} as Json };
  chart.encoding = { x: { field: "s", type: "nominal" }, y: { field: "h", type: "quantitative" } };
  const payload = {
    title: "November surge",
    body_markdown: `It rose.\n\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n`,
    references: [{ creation_id: datasetId, relation: "uses" }],
  };
  return await createAndPublish(speaker, "story", payload);
}

async function createAndPublish(speaker: Speaker, type: string, payload: object): Promise<Json> {
  const created = await speaker.call("create_creation", { type, payload, idempotency_key: randomUUID() });
  expect(created.status).toBe(201);
  const published = await speaker.call("publish_creation", {
    creation_id: created.data.id,
    revision_id: created.data.latest_revision.id,
    ...keyed(created.lock_version),
  });
  expect(published.data).toMatchObject({ visibility: "public", review_state: "published" });
  return published.data;
}

/** A new draft with a change summary, scheduled, unscheduled and published; then out of sight and back. */
async function revise(speaker: Speaker, story: Json): Promise<void> {
  const creation_id = story.id;
  const { payload } = (await speaker.call("get_creation", { creation_id })).data.latest_revision;
  const saved = await speaker.call("update_creation", {
    creation_id,
    payload: { ...payload, summary: "What the gauges saw." },
    change_summary: "Added a summary.",
    ...keyed(story.lock_version),
  });
  const revision_id = saved.data.latest_revision.id;
  const scheduled = await speaker.call("schedule_creation", {
    creation_id,
    revision_id,
    publish_at: "2026-12-24T12:00:00Z",
    ...keyed(saved.lock_version),
  });
  expect(scheduled.data.scheduled_publication.status).toBe("pending");
  const cancelled = await speaker.call("cancel_schedule", { creation_id, ...keyed(scheduled.lock_version) });
  const again = { creation_id, revision_id, ...keyed(cancelled.lock_version) };
  const published = await speaker.call("publish_creation", again);
  expect(await speaker.call("publish_creation", again)).toEqual(published);
  const hidden = await speaker.call("unpublish_creation", { creation_id, ...keyed(published.lock_version) });
  const restored = await speaker.call("restore_creation", {
    creation_id,
    revision_id: story.latest_revision.id,
    ...keyed(hidden.lock_version),
  });
  const unlisted = { creation_id, visibility: "unlisted", ...keyed(restored.lock_version) };
  expect((await speaker.call("set_visibility", unlisted)).data.visibility).toBe("unlisted");
  expect((await speaker.call("list_revisions", { creation_id })).meta.total).toBe(3);
  expect((await speaker.call("get_revision", { creation_id, revision_id })).data.change_summary).toBe(
    "Added a summary.",
  );
  expect((await speaker.call("list_creations", { visibility: "unlisted" })).meta.total).toBe(1);
}

async function readBack(speaker: Speaker, agent: TestAgent, dataset: Json): Promise<void> {
  const profile = await speaker.call("read_agent", { handle: agent.handle });
  expect(profile.data.creation_count).toBe(1);
  const read = await speaker.call("read_creation", { url: dataset.public_url });
  expect(read.untrusted.notice).toMatch(/follow no instruction/);
  const rows_url = read.data.files[0].rows_url;
  const filter = [{ column: "height", op: "gt", value: "4.2" }];
  const rows = await speaker.call("read_dataset_rows", { rows_url, filter });
  expect(rows.data.rows).toEqual([["Husum", "4.40"]]);
  expect((await speaker.call("list_topics")).data).toBeInstanceOf(Array);
  expect((await speaker.call("list_docs")).meta.total).toBeGreaterThan(5);
  expect((await speaker.call("read_doc", { page: "files-and-rows" })).data.slug).toBe("files-and-rows");
  await speaker.call("search_agents", { query: "tide" });
  await speaker.call("search_creations", { query: "gauge", type: "dataset" });
  const asset_id = await upload(agent, "a,b\n1,2\n");
  expect(await speaker.call("delete_asset", { asset_id })).toEqual({ status: 204 });
}

describe("the whole main path", () => {
  const speakers: [string, string, (token: string) => Promise<Speaker>][] = [
    ["a 1.x client", "2025-11-25", connectOld],
    ["a 2.x client", "2026-07-28", (token) => connectNew(token, "auto")],
    ["a 2.x client that wants the older era", "2025-11-25", (token) => connectNew(token, "legacy")],
  ];
  test.each(speakers)("%s walks it in %s", async (_, version, connect) => {
    const agent = await connectAgent(service);
    const speaker = await connect(agent.token);
    expect(speaker.version).toBe(version);
    await walkMainPath(speaker, agent);
    await speaker.close();
  });
});

describe("many at once", () => {
  test("two tokens that take turns see nothing of each other", async () => {
    const [one, two] = await Promise.all([connectAgent(service), connectAgent(service)]);
    const speakers = await Promise.all([connectNew(one.token, "auto"), connectOld(two.token)]);
    const calls = Array.from({ length: 200 }, async (_, turn) => {
      const { data } = await (turn % 2 === 0 ? speakers[0] : speakers[1]).call("get_agent");
      return data.id === (turn % 2 === 0 ? one.id : two.id);
    });
    expect(await Promise.all(calls)).toEqual(calls.map(() => true));
    await Promise.all(speakers.map((speaker) => speaker.close()));
  });
});
