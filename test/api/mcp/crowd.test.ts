import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { describe, expect, test } from "vitest";
import { connectAgent, type Json, makeCreation, type TestAgent } from "../../support/agent.ts";
import { runs } from "../../support/depth.ts";
import { openService } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";
import { listen } from "./published-tool.ts";
import { META, MODERN } from "./rpc.ts";

const CALLS = runs(1000, 5);
const SOCKETS = 100;
const ANSWERS_WITHIN_MS = 60_000;

/** An agent with a private draft that nobody else may see a word of. */
interface Caller {
  agent: TestAgent;
  creationId: string;
  secret: string;
}

/** One message as it is sent, and what its answer must be. */
interface Sent {
  headers?: Record<string, string>;
  body: unknown;
  check: (status: number, json: Json) => void;
}

const service = await openService({ workers: false });
const url = `${await listen(service)}/mcp`;
const callers: [Caller, Caller] = [await makeCaller(), await makeCaller()];

async function makeCaller(): Promise<Caller> {
  const agent = await connectAgent(service);
  const secret = `secret-${randomUUID()}`;
  const draft = await makeCreation(agent, { payload: { title: "Draft", body_markdown: secret } });
  return { agent, creationId: draft.id, secret };
}

const toolText = (json: Json) => JSON.parse(json.result.content[0].text);

function callOld(id: number, name: string, args: object, check: (result: Json) => void): Sent {
  const body = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
  return { body, check: (status, json) => checkResult(status, json, id, check) };
}

function callNew(id: number, name: string, args: object, check: (result: Json) => void): Sent {
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name };
  const params = { name, arguments: args, _meta: META };
  const body = { jsonrpc: "2.0", id, method: "tools/call", params };
  return { headers, body, check: (status, json) => checkResult(status, json, id, check) };
}

function checkResult(status: number, json: Json, id: number, check: (result: Json) => void): void {
  const text = toolText(json);
  expect([status, json.id]).toEqual([text.code === "unauthenticated" ? 401 : 200, id]);
  check(text);
}

const fails = (status: number, code: number | string) => (answered: number, json: Json) =>
  expect([answered, json.error?.code ?? json.code]).toEqual([status, code]);

/** Good calls and bad ones; their number is odd, so that each comes from either caller. */
const KINDS: ((me: Caller, other: Caller, id: number) => Sent)[] = [
  ({ agent }, _, id) => callNew(id, "get_agent", {}, ({ data }) => expect(data.id).toBe(agent.id)),
  ({ agent }, _, id) => callOld(id, "get_agent", {}, ({ data }) => expect(data.handle).toBe(agent.handle)),
  ({ creationId, secret }, _, id) =>
    callNew(id, "get_creation", { creation_id: creationId }, ({ data }) =>
      expect(data.latest_revision.payload.body_markdown).toBe(secret),
    ),
  (_, { creationId }, id) =>
    callOld(id, "get_creation", { creation_id: creationId }, ({ code }) => expect(code).toBe("not_found")),
  ({ creationId }, _, id) =>
    callOld(id, "list_creations", {}, ({ data }) =>
      expect(data.map((item: Json) => item.id)).toEqual([creationId]),
    ),
  (_, __, id) => callNew(id, "list_topics", {}, ({ status }) => expect(status).toBe(200)),
  (_, __, id) => callOld(id, "update_profile", { tagline: 7 }, ({ status }) => expect(status).toBe(428)),
  (_, __, id) => ({
    body: { jsonrpc: "2.0", id, method: "tools/call", params: { name: "no_such" } },
    check: fails(200, -32602),
  }),
  (_, __, id) => ({
    headers: { "mcp-protocol-version": "1999-01-01" },
    body: { jsonrpc: "2.0", id, method: "tools/list" },
    check: fails(400, -32022),
  }),
  (_, __, id) => ({
    headers: { "mcp-protocol-version": MODERN, "mcp-method": "tools/call" },
    body: { jsonrpc: "2.0", id, method: "tools/list", params: { _meta: META } },
    check: fails(400, -32020),
  }),
  (_, __, id) => ({ body: [{ jsonrpc: "2.0", id, method: "ping" }], check: fails(400, -32600) }),
  (_, __, id) => ({
    headers: { "content-type": "text/plain" },
    body: { jsonrpc: "2.0", id, method: "ping" },
    check: fails(415, "http_error"),
  }),
  (_, __, id) => ({
    headers: { origin: "https://evil.example" },
    body: { jsonrpc: "2.0", id, method: "ping" },
    check: fails(403, "forbidden"),
  }),
  (_, __, id) => ({
    headers: { host: "evil.example" },
    body: { jsonrpc: "2.0", id, method: "ping" },
    check: fails(403, "forbidden"),
  }),
  (_, __, id) => ({
    headers: { authorization: `Bearer bst_${"a".repeat(46)}` },
    ...callOld(id, "get_profile", {}, ({ code }) => expect(code).toBe("unauthenticated")),
  }),
];

async function exchange(sockets: Agent, token: string, { headers, body }: Sent) {
  const text = JSON.stringify(body);
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      agent: sockets,
      timeout: ANSWERS_WITHIN_MS,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        ...headers,
      },
    });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("no answer came")));
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(text);
  });
}

const countConnections = () =>
  new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)));

describe(`${CALLS} calls of two agents in turn, over ${SOCKETS} sockets`, () => {
  test("are each answered to who sent them, and leave no socket behind", async () => {
    expect(KINDS.length % 2).toBe(1);
    const sockets = new Agent({ keepAlive: true, maxSockets: SOCKETS });
    const run = async (turn: number) => {
      const [me, other] = turn % 2 === 0 ? callers : [callers[1], callers[0]];
      const kind = KINDS[turn % KINDS.length];
      if (kind === undefined) throw new Error("there is no such kind");
      const sent = kind(me, other, turn);
      const { status, text } = await exchange(sockets, me.agent.token, sent);
      sent.check(status, JSON.parse(text));
      for (const theirs of [other.agent.id, other.agent.token, other.creationId, other.secret]) {
        expect(text).not.toContain(theirs);
      }
    };
    await Promise.all(Array.from({ length: CALLS }, (_, turn) => run(turn)));
    sockets.destroy();
    await until(async () => (await countConnections()) === 0, ANSWERS_WITHIN_MS);
  });

  test("bodies over the limit are told so, and leave no socket behind either", async () => {
    const sockets = new Agent({ keepAlive: true, maxSockets: 4 });
    const text = "x".repeat(2 * 1024 * 1024);
    const huge = { body: { jsonrpc: "2.0", id: 1, method: "ping", params: { text } }, check: () => {} };
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(sockets, "none", huge)));
    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
    sockets.destroy();
    await until(async () => (await countConnections()) === 0, ANSWERS_WITHIN_MS);
  });
});
