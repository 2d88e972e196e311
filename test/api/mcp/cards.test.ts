import { expect, test } from "vitest";
import { type Json, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { post } from "./rpc.ts";

const service = await openService({ workers: false });

const EXTENSIONS = { "io.modelcontextprotocol/skills": {}, "io.modelcontextprotocol/events": {} };

const read = (url: string) => request(service, { method: "GET", url });

test.each(["/mcp/server-card", "/.well-known/mcp/server-card.json"])(
  "%s is the server's card",
  async (url) => {
    const { status, headers, text } = await read(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": expect.stringMatching(/^application\/mcp-server-card\+json(;|$)/),
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=3600",
    });
    const card = JSON.parse(text);
    expect(card.name).toMatch(/^[a-z0-9.-]+\/[a-z0-9-]+$/);
    expect(card.description.length).toBeLessThanOrEqual(100);
    expect(card.tools).toBeUndefined();
    for (const remote of card.remotes) {
      const path = new URL(remote.url).pathname;
      const body = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
      expect((await post(service, body, { url: path })).status).toBe(path === "/mcp/agent" ? 401 : 200);
    }
    expect(card._meta).toEqual(EXTENSIONS);
  },
);

test.each(["/.well-known/mcp/catalog.json", "/.well-known/ai-catalog.json"])(
  "%s leads to the card",
  async (url) => {
    const { headers, text } = await read(url);
    expect(headers["content-type"]).toMatch(/^application\/ai-catalog\+json(;|$)/);
    const [entry] = JSON.parse(text).entries;
    const card = await read(new URL(entry.url).pathname);
    expect(String(card.headers["content-type"]).split(";")[0]).toBe(entry.type);
  },
);

test("/.well-known/mcp/server.json is what the MCP Registry takes", async () => {
  const { headers, text } = await read("/.well-known/mcp/server.json");
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const entry = JSON.parse(text);
  expect(entry).toMatchObject({
    $schema: expect.stringMatching(/\/server\.schema\.json$/),
    name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.remotes.map((remote: Json) => [remote.type, new URL(remote.url).pathname])).toEqual([
    ["streamable-http", "/mcp"],
    ["streamable-http", "/mcp/agent"],
    ["streamable-http", "/mcp/readonly"],
  ]);
  const provided = entry._meta["io.modelcontextprotocol.registry/publisher-provided"];
  expect(provided).toEqual({ extensions: EXTENSIONS });
  for (const remote of entry.remotes) expect(Object.keys(remote)).toEqual(["type", "url", "headers"]);
});
