import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAgent, type Json } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { legacy, META, MODERN, modern, post } from "./rpc.ts";

const service = await openService({ workers: false });
const token = (await connectAgent(service)).token;

const JSON_TYPE = "application/json; charset=utf-8";

describe("both eras", () => {
  test.each(["no_such_tool", "", "constructor", 7, null, []])("the tool %s answers -32602", async (name) => {
    const old = await legacy(service, "tools/call", { name, arguments: {} }, { token });
    expect([old.status, old.json.error.code]).toEqual([200, -32602]);
    const params = { name, arguments: {}, _meta: META };
    const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": String(name) };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const recent = await post(service, body, { token, headers });
    expect([recent.status, recent.json.error.code]).toEqual([200, -32602]);
  });

  test("a name or an address of which no text can be made is none that there is", async () => {
    for (const method of ["tools/call", "prompts/get", "resources/read"]) {
      const { status, json } = await legacy(service, method, { name: { toString: 1 }, uri: { toString: 1 } });
      expect([method, status, json.error?.code]).toEqual([method, 200, -32602]);
    }
  });

  test.each([{ id: 1.5 }, { jsonrpc: "1.0" }, { params: [] }, { zone: 1 }])(
    "a body with %j is told what a message is",
    async (wrong) => {
      const { status, json } = await post(
        service,
        { jsonrpc: "2.0", id: 1, method: "ping", ...wrong },
        { token },
      );
      expect([status, json.error.code]).toEqual([400, -32600]);
      expect(json.error.message).toMatch(
        /send jsonrpc "2\.0", .* as id a text or a whole number, and nothing else\.$/,
      );
    },
  );

  test("a client that reads streams alone gets one message and the end of its stream", async () => {
    const headers = { accept: "text/event-stream" };
    const params = { protocolVersion: "2025-06-18" };
    const [plain, streamed] = [
      await legacy(service, "initialize", params),
      await legacy(service, "initialize", params, { headers }),
    ];
    expect([streamed.status, streamed.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(streamed.text).toBe(`event: message\ndata: ${plain.text}\n\n`);
    const refused = await post(service, "{", { headers });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/^event: message\ndata: \{.*\n\n$/),
    ]);
  });

  test.each(["application/json", "*/*", "application/*;q=0.5, text/event-stream", "text/html"])(
    "a client that accepts %s gets JSON",
    async (accept) => {
      const reply = await legacy(service, "ping", {}, { headers: { accept } });
      expect([reply.status, reply.headers["content-type"]]).toEqual([200, JSON_TYPE]);
    },
  );

  test.each(["http://localhost:3000", "http://127.0.0.1:6274"])("the origin %s may call", async (origin) => {
    expect((await legacy(service, "ping", {}, { headers: { origin } })).status).toBe(200);
  });

  test("addresses of this machine are a host of its own", async () => {
    for (const host of ["localhost", "127.0.0.1:4711", "[::1]:80"]) {
      expect((await legacy(service, "ping", {}, { headers: { host } })).status).toBe(200);
    }
  });

  test("a body that stops half way leaves no socket hanging once its sender is gone", async () => {
    await service.app.listen({ port: 0, host: "127.0.0.1" });
    const address = service.app.server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );
    socket.end();
    await new Promise((resolve) => socket.once("close", resolve).resume());
    const open = await new Promise((resolve) =>
      service.app.server.getConnections((_, count) => resolve(count)),
    );
    expect(open).toBe(0);
  });
});

describe("a token that is not valid", () => {
  const REFUSED = /^The token that came with this request is not valid/;

  test.each(["/mcp", "/mcp/readonly"])("is told by the first answer of %s", async (url) => {
    const { json } = await legacy(service, "initialize", {}, { token: "bad", url });
    expect(json.result.instructions).toMatch(REFUSED);
    const { result } = (await modern(service, "server/discover", {}, { token: "bad", url })).json;
    expect(result.instructions).toMatch(REFUSED);
    // It is about one caller.
    expect([result.cacheScope, result.ttlMs]).toEqual(["private", 0]);
  });

  test("is not told to a caller with a valid one, or with none", async () => {
    for (const options of [{ token }, {}]) {
      const { json } = await legacy(service, "initialize", {}, options);
      expect(json.result.instructions).toMatch(/^Broadsheet /);
      const { result } = (await modern(service, "server/discover", {}, options)).json;
      expect([result.instructions.startsWith("Broadsheet "), result.cacheScope]).toEqual([true, "public"]);
    }
  });
});

describe("/mcp/readonly", () => {
  test("offers the tools that need no token alone, and its instructions name no other", async () => {
    const { json } = await modern(service, "tools/list", {}, { url: "/mcp/readonly" });
    const names = json.result.tools.map((tool: Json) => tool.name);
    expect(names).toEqual(TOOLS.filter(({ ability }) => ability === null).map(({ name }) => name));
    const url = "/mcp/readonly";
    const heard = [
      (await modern(service, "server/discover", {}, { url })).json.result.instructions,
      (await legacy(service, "initialize", {}, { url })).json.result.instructions,
    ];
    for (const instructions of heard) {
      const named = TOOLS.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(instructions));
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter(({ name }) => !names.includes(name))).toEqual([]);
    }
    const called = await legacy(
      service,
      "tools/call",
      { name: "send_heartbeat" },
      { token, url: "/mcp/readonly" },
    );
    expect(called.json.error.code).toBe(-32602);
  });
});
