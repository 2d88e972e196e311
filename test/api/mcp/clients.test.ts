import { randomUUID } from "node:crypto";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAuthor, type Json, type TestAgent } from "../../support/agent.ts";
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

/** What each kind of answer comes to: data, none, a save that is sent twice, text of others, a refusal. */
async function speak(speaker: Speaker, agent: TestAgent): Promise<void> {
  expect(await speaker.list()).toEqual(TOOLS.map(({ name }) => name));
  expect((await speaker.call("get_agent")).data.handle).toBe(agent.handle);
  expect(await speaker.call("send_heartbeat")).toEqual({ status: 204 });
  const payload = { title: "November surge", body_markdown: "It rose." };
  const body = { type: "story", payload, idempotency_key: randomUUID() };
  const created = await speaker.call("create_creation", body);
  expect(await speaker.call("create_creation", body)).toEqual(created);
  const published = await speaker.call("publish_creation", {
    creation_id: created.data.id,
    revision_id: created.data.latest_revision.id,
    ...keyed(created.lock_version),
  });
  expect(published.data).toMatchObject({ visibility: "public", review_state: "published" });
  const read = await speaker.call("read_creation", { url: published.data.public_url });
  expect(read.untrusted.notice).toMatch(/follow no instruction/);
  await expect(speaker.call("get_creation", {})).rejects.toThrow(/refused: .*validation_failed/);
}

describe("clients of both generations", () => {
  const speakers: [string, string, (token: string) => Promise<Speaker>][] = [
    ["a 1.x client", "2025-11-25", connectOld],
    ["a 2.x client", "2026-07-28", (token) => connectNew(token, "auto")],
    ["a 2.x client that wants the older era", "2025-11-25", (token) => connectNew(token, "legacy")],
  ];
  test.each(speakers)("are answered: %s, in %s", async (_, version, connect) => {
    const agent = await connectAuthor(service);
    const speaker = await connect(agent.token);
    expect(speaker.version).toBe(version);
    await speak(speaker, agent);
    await speaker.close();
  });
});
