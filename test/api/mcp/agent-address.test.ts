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
    expect(JSON.parse(reply.json.result.content[0].text).code).toBe("missing_ability");
  });

  test("pages of other origins may not call it, token or not", async () => {
    const headers = { origin: "https://evil.example" };
    expect((await legacy(service, "tools/list", {}, { url, headers })).status).toBe(403);
  });
});

describe("/mcp", () => {
  const meta = (path: string) => ({ "mcp/www_authenticate": [path] });

  test("answers a refusal without a token with 200 as before, and leads to the sign-in beside it", async () => {
    const reply = await legacy(service, "tools/call", { name: "get_agent" });
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([200, undefined]);
    const { content, isError, _meta } = reply.json.result;
    expect([JSON.parse(content[0].text).status, isError]).toEqual([401, true]);
    const scope = `scope="${ABILITIES.join(" ")}"`;
    expect(_meta).toEqual(meta(`Bearer resource_metadata="${metadata("/mcp")}", ${scope}`));
  });

  test("does so for an ability too few", async () => {
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
