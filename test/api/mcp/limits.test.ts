import { describe, expect, test } from "vitest";
import { confirmClaim } from "../../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { connectAgent, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { call, legacy } from "./rpc.ts";

const limits = { readsPerMinute: 6, writesPerMinute: 4, publicJsonPerMinute: 3, rowsPerMinute: 2 };
const service = await openService({ limits, workers: false });

const statuses = async (times: number, run: () => Promise<{ json: { status: number } }>) => {
  const seen: number[] = [];
  for (let turn = 0; turn < times; turn++) seen.push((await run()).json.status);
  return seen;
};

describe("limits a minute", () => {
  test("a call counts once, in the bucket of its request", async () => {
    const agent = await connectAgent(service);
    const first = await agent.get("/agent");
    expect(first.headers.ratelimit).toMatch(/"reads";r=5;/);
    await call(service, agent.token, "get_agent");
    expect((await agent.get("/agent")).headers.ratelimit).toMatch(/"reads";r=3;/);
    expect(await statuses(4, () => call(service, agent.token, "get_profile"))).toEqual([200, 200, 200, 429]);
    expect((await agent.get("/agent")).status).toBe(429);
    const { json } = await call(service, agent.token, "get_agent");
    expect(json).toMatchObject({ status: 429, code: "rate_limited", retry_after: expect.any(Number) });
  });

  test("an answer carries the limit headers of its request, and one that is no call carries none", async () => {
    const agent = await connectAgent(service);
    const { token } = agent;
    const ask = () => legacy(service, "tools/call", { name: "get_agent" }, { token });
    expect((await ask()).headers).toMatchObject({
      "ratelimit-policy": '"reads";q=6;w=60',
      ratelimit: expect.stringMatching(/^"reads";r=5;t=\d+$/),
    });
    for (let turn = 0; turn < 5; turn++) await ask();
    const refused = await ask();
    expect(refused.status).toBe(200);
    const { retry_after } = JSON.parse(refused.json.result.content[0].text);
    expect(refused.headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"reads";r=0;t=\d+$/),
      "retry-after": String(retry_after),
    });
    const list = await legacy(service, "tools/list", {}, { token });
    expect(list.headers.ratelimit).toBeUndefined();
  });

  test("a public tool with a valid token counts towards the agent, without one towards the address", async () => {
    const agent = await connectAgent(service);
    expect(await statuses(6, () => call(service, agent.token, "list_topics"))).toEqual(Array(6).fill(200));
    expect((await call(service, agent.token, "list_topics")).json.status).toBe(429);
    expect((await agent.get("/agent")).status).toBe(429);
    const bare = await request(service, { method: "GET", url: "/api/v1/topics" });
    expect(bare.headers.ratelimit).toMatch(/"public_json";r=2;/);
    expect(await statuses(3, () => call(service, undefined, "list_topics"))).toEqual([200, 200, 429]);
    expect((await call(service, "not-a-token", "list_docs")).json.status).toBe(429);
    expect((await request(service, { method: "GET", url: "/api/v1/docs" })).status).toBe(429);
  });

  test("the caller's address is what counts, not this process", async () => {
    const from = (remoteAddress: string) =>
      service.app.inject({
        method: "POST",
        url: "/mcp",
        remoteAddress,
        headers: { "content-type": "application/json" },
        payload: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_topics" } },
      });
    for (const address of ["192.0.2.1", "192.0.2.2"]) {
      for (let turn = 0; turn < 4; turn++) {
        const { result } = (await from(address)).json();
        expect(result.isError).toBe(turn === 3);
      }
    }
  });
});

describe("the call that a tool runs for", () => {
  test("gives its request id to the audit", async () => {
    const agent = await connectAgent(service, { claimed: false });
    const refused = await call(service, agent.token, "get_profile");
    expect(refused.json).toMatchObject({ status: 403, code: "agent_pending_claim" });
    await confirmClaim(service.deps, COMMAND_LINE, agent.id);
    const { lock_version } = (await call(service, agent.token, "get_profile")).json;
    const args = { display_name: "Tide", lock_version };
    const reply = await legacy(
      service,
      "tools/call",
      { name: "update_profile", arguments: args },
      { token: agent.token },
    );
    expect(reply.json.result.structuredContent).toMatchObject({ status: 200 });
    const requestId = String(reply.headers["x-request-id"]);
    const acts = await runSql(service, `SELECT action FROM audit_log WHERE request_id = '${requestId}'`);
    expect(acts).toEqual([{ action: "profile.save" }]);
  });
});
