import { describe, expect, test } from "vitest";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { connectAgent, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { legacy, modern, post } from "./rpc.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);
const reader = await connectAgent(service, { abilities: ["agent:read"] });

const url = "/mcp/agent";
const metadata = (path: string) => `http://localhost:3000/.well-known/oauth-protected-resource${path}`;
const CHALLENGE = `resource_metadata="${metadata("/mcp/agent")}", scope="${ABILITIES.join(" ")}"`;

describe("/mcp/agent", () => {
  test.each(["initialize", "tools/list", "ping", "nonsense"])(
    "answers 401 to %s without a token",
    async (method) => {
      const reply = await legacy(service, method, {}, { url });
      expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, `Bearer ${CHALLENGE}`]);
      expect(reply.json.code).toBe("unauthenticated");
    },
  );

  test.each(["not-a-token", `bst_${"a".repeat(46)}`])(
    "answers 401 to the token %s, and says so",
    async (token) => {
      for (const reply of [
        await legacy(service, "tools/list", {}, { url, token }),
        await post(service, "{", { url, token }),
      ]) {
        expect(reply.status).toBe(401);
        expect(reply.headers["www-authenticate"]).toBe(`Bearer error="invalid_token", ${CHALLENGE}`);
      }
    },
  );

  test.each(["GET", "DELETE"] as const)(
    "answers %s with 401, and with 405 behind a token",
    async (method) => {
      const without = await request(service, { method, url });
      expect([without.status, without.headers["www-authenticate"]]).toEqual([401, `Bearer ${CHALLENGE}`]);
      const authorization = `Bearer ${agent.token}`;
      const reply = await request(service, { method, url, headers: { authorization } });
      expect([reply.status, reply.headers.allow]).toEqual([405, "POST"]);
      expect(reply.json.hint).toMatch(/^The tool server /);
    },
  );

  test("lists the same tools as /mcp, in the same order, in both eras", async () => {
    const { token } = agent;
    for (const ask of [legacy, modern]) {
      const [here, there] = [
        await ask(service, "tools/list", {}, { url, token }),
        await ask(service, "tools/list", {}, { token }),
      ];
      expect([here.status, here.json.result]).toEqual([200, there.json.result]);
      expect(here.json.result.tools.length).toBeGreaterThan(27);
    }
  });

  test("a call works as at /mcp", async () => {
    const reply = await legacy(service, "tools/call", { name: "get_agent" }, { url, token: agent.token });
    expect(reply.json.result.structuredContent.data.handle).toBe(agent.handle);
  });

  test("an ability too few is 403, with what the token has and what it needs", async () => {
    const call = { name: "list_creations", arguments: {} };
    const reply = await legacy(service, "tools/call", call, { url, token: reader.token });
    const challenge = `Bearer error="insufficient_scope", resource_metadata="${metadata("/mcp/agent")}", scope="agent:read creations:read"`;
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([403, challenge]);
    const { code, hint } = JSON.parse(reply.json.result.content[0].text);
    expect([code, hint]).toEqual(["missing_ability", expect.stringContaining("connect the program again")]);
  });

  test("a slash at its end is named as it was typed", async () => {
    const reply = await legacy(service, "ping", {}, { url: "/mcp/agent/" });
    expect(reply.headers["www-authenticate"]).toContain(`"${metadata("/mcp/agent/")}"`);
  });

  test("pages of other origins may not call it, token or not", async () => {
    const headers = { origin: "https://evil.example" };
    expect((await legacy(service, "tools/list", {}, { url, headers })).status).toBe(403);
  });
});

describe("/mcp", () => {
  const SCOPE = `scope="${ABILITIES.join(" ")}"`;

  test.each(["/mcp", "/mcp/"])("leads a call at %s without a token to the sign-in", async (typed) => {
    for (const ask of [legacy, modern]) {
      const reply = await ask(service, "tools/call", { name: "get_agent" }, { url: typed });
      const challenge = `Bearer resource_metadata="${metadata(typed)}", ${SCOPE}`;
      expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, challenge]);
      const { content, isError, _meta } = reply.json.result;
      expect(isError).toBe(true);
      const { status, hint } = JSON.parse(content[0].text);
      expect([status, hint]).toEqual([401, expect.stringMatching(/^Sign in .*\/mcp\/agent/)]);
      expect(_meta["mcp/www_authenticate"]).toEqual([challenge]);
    }
  });

  test.each(["not-a-token", `bst_${"a".repeat(46)}`])(
    "says that the token %s is not valid",
    async (token) => {
      for (const args of [{}, [], { nonsense: 1 }]) {
        const call = { name: "create_creation", arguments: args };
        const reply = await legacy(service, "tools/call", call, { token });
        const challenge = `Bearer error="invalid_token", resource_metadata="${metadata("/mcp")}", ${SCOPE}`;
        expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, challenge]);
        expect(reply.json.result.isError).toBe(true);
      }
    },
  );

  test.each([undefined, "not-a-token"])("needs no sign-in for all else, with the token %s", async (token) => {
    const all = [
      ...["initialize", "tools/list", "resources/list", "prompts/list", "ping"].map((name) => [name, {}]),
      ["tools/call", { name: "list_topics" }],
    ] as [string, object][];
    for (const [method, params] of all) {
      const reply = await legacy(service, method, params, { token });
      expect([reply.status, reply.headers["www-authenticate"]]).toEqual([200, undefined]);
      if (method === "initialize") expect(reply.json.result.instructions).toMatch(/sign in.*\/mcp\/agent/i);
    }
  });

  test("an ability too few stays HTTP 200, with the challenge beside it", async () => {
    const call = { name: "list_creations", arguments: {} };
    const reply = await modern(service, "tools/call", call, { token: reader.token });
    expect(reply.status).toBe(200);
    expect(reply.json.result._meta["mcp/www_authenticate"]).toEqual([
      `Bearer error="insufficient_scope", resource_metadata="${metadata("/mcp")}", scope="agent:read creations:read"`,
    ]);
    expect(reply.json.result._meta).toHaveProperty(["io.modelcontextprotocol/serverInfo"]);
  });

  test("adds nothing to any other refusal", async () => {
    const call = { name: "get_creation", arguments: { creation_id: "01M7WTZ900ZT61DVV9HAWP9BWP" } };
    const reply = await legacy(service, "tools/call", call, { token: agent.token });
    expect(reply.json.result.isError).toBe(true);
    expect(reply.json.result._meta).toBeUndefined();
  });
});
