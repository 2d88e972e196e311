import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAgent, type Json } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { legacy, META, MODERN, modern, post } from "./rpc.ts";

const service = await openService({ workers: false });
const token = (await connectAgent(service)).token;

const NAMES = TOOLS.map(({ name }) => name);
const JSON_TYPE = "application/json; charset=utf-8";

describe("the newer era", () => {
  test("server/discover names the version, the capabilities and how long that holds", async () => {
    const { status, headers, json } = await modern(service, "server/discover");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe(JSON_TYPE);
    expect(json).toMatchObject({
      jsonrpc: "2.0",
      id: "a-1",
      result: {
        resultType: "complete",
        supportedVersions: [MODERN],
        capabilities: { tools: {} },
        ttlMs: 3_600_000,
        cacheScope: "public",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "broadsheet" } },
      },
    });
  });

  test("tools/list is the same with and without a token, in one order, for an hour", async () => {
    const first = await modern(service, "tools/list");
    const second = await modern(service, "tools/list", {}, { token });
    expect(second.text).toBe(first.text);
    expect(first.json.result).toMatchObject({
      resultType: "complete",
      ttlMs: 3_600_000,
      cacheScope: "public",
    });
    expect(first.json.result.tools.map((tool: Json) => tool.name)).toEqual(NAMES);
  });

  test("a tool result is complete and says so", async () => {
    const { json } = await modern(service, "tools/call", { name: "list_topics", arguments: {} });
    expect(json.result).toMatchObject({ resultType: "complete", isError: false });
  });

  test.each([
    ...["2025-11-25", "2025-06-18", "2025-03-26"].map(
      (version) => [version, version < "2025-11-25"] as const,
    ),
    [null, true] as const,
  ])("a client of %s gets a result twice: %s", async (version, isTwice) => {
    const headers: Record<string, string> = version === null ? {} : { "mcp-protocol-version": version };
    const { json } = await legacy(service, "tools/call", { name: "list_topics" }, { headers });
    const text = JSON.parse(json.result.content[0].text);
    expect(json.result.structuredContent).toEqual(isTwice ? text : undefined);
    const now = await modern(service, "tools/call", { name: "list_topics" });
    expect(JSON.parse(now.json.result.content[0].text)).toEqual(text);
    expect(now.json.result).not.toHaveProperty("structuredContent");
  });

  test("an Mcp-Name in Base64 is read", async () => {
    const encoded = `=?base64?${Buffer.from("list_topics").toString("base64")}?=`;
    const params = { name: "list_topics", arguments: {} };
    const { status } = await modern(service, "tools/call", params, { headers: { "mcp-name": encoded } });
    expect(status).toBe(200);
  });

  test("a version that is not spoken answers 400 and -32022 with those that are", async () => {
    const asked = "2099-01-01";
    const meta = { ...META, "io.modelcontextprotocol/protocolVersion": asked };
    const body = { jsonrpc: "2.0", id: 7, method: "tools/list", params: { _meta: meta } };
    const headers = { "mcp-protocol-version": asked, "mcp-method": "tools/list" };
    const { status, json } = await post(service, body, { headers });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32022, data: { requested: asked } },
    });
    expect(json.error.data.supported[0]).toBe(MODERN);
    const old = await legacy(service, "tools/list", {}, { headers: { "mcp-protocol-version": asked } });
    expect([old.status, old.json.error]).toEqual([400, json.error]);
  });

  test("a notification answers 202 without a body", async () => {
    const body = { jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta: META, requestId: 1 } };
    const reply = await post(service, body, { headers: { "mcp-protocol-version": MODERN } });
    expect([reply.status, reply.text]).toEqual([202, ""]);
  });
});

describe("the older era", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])(
    "initialize in %s is answered in it",
    async (version) => {
      const params = {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: "old", version: "1" },
      };
      const { status, headers, json } = await legacy(service, "initialize", params);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe(JSON_TYPE);
      expect(headers["mcp-session-id"]).toBeUndefined();
      expect(json.result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: "broadsheet" },
        capabilities: { tools: {} },
      });
    },
  );

  test.each(["2024-11-05", "1999-01-01", 7])(
    "initialize in %s is answered in the newest",
    async (version) => {
      const { json } = await legacy(service, "initialize", { protocolVersion: version });
      expect(json.result.protocolVersion).toBe("2025-11-25");
    },
  );

  test("notifications/initialized answers 202 without a body", async () => {
    const reply = await post(service, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([reply.status, reply.text]).toEqual([202, ""]);
  });

  test("an answer that is posted is taken in silence", async () => {
    const reply = await post(service, { jsonrpc: "2.0", id: 3, result: {} });
    expect(reply.status).toBe(202);
  });

  test("tools are listed and called without a handshake, and results carry nothing of the newer era", async () => {
    const list = await legacy(
      service,
      "tools/list",
      {},
      { headers: { "mcp-protocol-version": "2025-06-18" } },
    );
    expect(list.json.result.tools.map((tool: Json) => tool.name)).toEqual(NAMES);
    expect(Object.keys(list.json.result)).toEqual(["tools"]);
    const called = await legacy(service, "tools/call", { name: "get_agent" }, { token });
    expect(called.json.result.structuredContent).toMatchObject({ status: 200, lock_version: 1 });
    expect(called.json.result.resultType).toBeUndefined();
  });
});
