import { randomUUID } from "node:crypto";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { openOAuthStage } from "../support/oauth-stage.ts";
import { isBrowserHere } from "../support/test-browser.ts";
import { connectByProtocol } from "./oauth-by-protocol.ts";
import { openProvider, type TestProvider } from "./oauth-provider.ts";

const stage = await openOAuthStage();

const INFO = { name: "test", version: "1" };

/** A client that an owner connected, as its tool calls need it. */
export interface ConnectedClient {
  call(name: string, args?: object): Promise<Json>;
  /** The access token that it holds now. */
  token(): string;
}

describe.skipIf(!isBrowserHere)("clients of others connect by OAuth", () => {
  const secrets = new Set<string>();

  const read = (result: Json): Json => {
    if (result.isError) throw new Error(result.content[0].text);
    return JSON.parse(result.content[0].text);
  };

  async function connectNew(handle: string): Promise<ConnectedClient> {
    const provider = openProvider(stage, { documentUrl: stage.documentUrl });
    const url = new URL(`${stage.site}/mcp/agent`);
    const open = () => new NewTransport(url, { authProvider: provider });
    const first = open();
    await expect(new NewClient(INFO).connect(first)).rejects.toThrow();
    await first.finishAuth(await consent(provider, handle));
    const client = new NewClient(INFO);
    await client.connect(open());
    return {
      call: async (name, args = {}) => read(await client.callTool({ name, arguments: { ...args } })),
      token: () => provider.held().access_token,
    };
  }

  async function connectOld(handle: string): Promise<ConnectedClient> {
    const provider = openProvider(stage, {});
    const url = new URL(`${stage.site}/mcp/agent`);
    const open = () => new OldTransport(url, { authProvider: provider });
    const first = open();
    await expect(new OldClient(INFO).connect(first)).rejects.toThrow();
    await first.finishAuth((await consent(provider, handle)).get("code") ?? "");
    const client = new OldClient(INFO);
    await client.connect(open());
    return {
      call: async (name, args = {}) => read(await client.callTool({ name, arguments: { ...args } })),
      token: () => provider.held().access_token,
    };
  }

  async function consent(provider: TestProvider, handle: string): Promise<URLSearchParams> {
    const answer = await stage.allow(provider.askedAt(), handle);
    expect([answer.get("iss"), answer.get("state")]).toEqual([stage.site, provider.sentState()]);
    return answer;
  }

  const CLIENTS: [string, string, (handle: string) => Promise<ConnectedClient>][] = [
    ["@modelcontextprotocol/client, by its document", "by-document", connectNew],
    ["@modelcontextprotocol/sdk, by registration", "by-registration", connectOld],
    ["oauth4webapi, as an operator entered it", "by-operator", (handle) => connectByProtocol(stage, handle)],
  ];

  test.each(CLIENTS)(
    "%s publishes a brief, and is shut out once its owner ends it",
    async (_, handle, connect) => {
      const client = await connect(handle);
      secrets.add(client.token());
      const url = await publishBrief(client);
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("The gauge rose.")]);
      const before = client.token();
      await stage.end(handle);
      expect(await statusOf(before)).toEqual({ rest: 401, tools: 401 });
      await expect(client.call("get_agent")).rejects.toThrow();
    },
  );

  async function statusOf(token: string): Promise<{ rest: number; tools: number }> {
    const authorization = `Bearer ${token}`;
    const rest = await fetch(`${stage.site}/api/v1/agent`, { headers: { authorization } });
    const tools = await fetch(`${stage.site}/mcp/agent`, {
      method: "POST",
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    return { rest: rest.status, tools: tools.status };
  }

  test("both tool clients read at /mcp without a sign-in, although there is metadata", async () => {
    const provider = openProvider(stage, { documentUrl: stage.documentUrl });
    const url = new URL(`${stage.site}/mcp`);
    const [recent, old] = [new NewClient(INFO), new OldClient(INFO)];
    await recent.connect(new NewTransport(url, { authProvider: provider }));
    await old.connect(new OldTransport(url, { authProvider: provider }));
    for (const client of [recent, old]) {
      const found = await client.callTool({ name: "search_creations", arguments: { query: "gauge" } });
      expect(found.isError).toBe(false);
      await client.close();
    }
    expect(provider.askedAt()).toBe("");
  });

  test("both sign in at /mcp, too, once they call a tool that needs it", async () => {
    const url = new URL(`${stage.site}/mcp`);
    const [byDocument, registered] = [
      openProvider(stage, { documentUrl: stage.documentUrl }),
      openProvider(stage, {}),
    ];
    const recent = new NewTransport(url, { authProvider: byDocument });
    const old = new OldTransport(url, { authProvider: registered });
    const [newClient, oldClient] = [new NewClient(INFO), new OldClient(INFO)];
    await newClient.connect(recent);
    await oldClient.connect(old);
    await expect(newClient.callTool({ name: "get_agent" })).rejects.toThrow();
    await recent.finishAuth(await consent(byDocument, "at-mcp-new"));
    await expect(oldClient.callTool({ name: "get_agent" })).rejects.toThrow();
    await old.finishAuth((await consent(registered, "at-mcp-old")).get("code") ?? "");
    expect(read(await newClient.callTool({ name: "get_agent" })).data.handle).toBe("at-mcp-new");
    expect(read(await oldClient.callTool({ name: "get_agent" })).data.handle).toBe("at-mcp-old");
    for (const provider of [byDocument, registered]) secrets.add(provider.held().access_token);
    await Promise.all([newClient.close(), oldClient.close()]);
  });

  test("no secret is in a line of the log, and none in a Referer", () => {
    const lines = stage.api.lines.map(({ text }) => text).join("\n");
    const codes = stage.callbacks.map(
      ({ url = "" }) => new URL(url, "http://x").searchParams.get("code") ?? "",
    );
    expect(codes.length).toBeGreaterThanOrEqual(3);
    for (const secret of [...secrets, ...codes]) expect(lines).not.toContain(secret);
    expect(lines).not.toMatch(/bs[tr]_[0-9A-Za-z]{8}/);
    expect(stage.callbacks.map(({ headers }) => headers.referer)).toEqual(codes.map(() => undefined));
  });
});

async function publishBrief(client: ConnectedClient): Promise<string> {
  const { lock_version: first } = await client.call("get_profile");
  const saved = await client.call("update_profile", { display_name: "Tide Watch", lock_version: first });
  await client.call("publish_profile", {
    revision_id: saved.data.draft.revision_id,
    lock_version: saved.lock_version,
    idempotency_key: randomUUID(),
  });
  const made = await client.call("create_creation", {
    type: "brief",
    payload: { body_markdown: "The gauge rose." },
    idempotency_key: randomUUID(),
  });
  const published = await client.call("publish_creation", {
    creation_id: made.data.id,
    revision_id: made.data.latest_revision.id,
    lock_version: made.lock_version,
    idempotency_key: randomUUID(),
  });
  return published.data.public_url;
}
