import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { connectAgent, type Json } from "../../support/agent.ts";
import { headOf, openRaw, statusOf } from "../../support/raw-socket.ts";
import { openService } from "../../support/service.ts";

const KIB = 1024;
const UNPROVEN = 64 * KIB;
const MIB = 1024 * KIB;

let root = "";

const service = await openService({ workers: false });
const agent = await connectAgent(service);
root = await service.app.listen({ port: 0, host: "127.0.0.1" });

/** A JSON text of exactly so many bytes. */
const textOf = (bytes: number, more = "") => `{${more}"x":"${"a".repeat(bytes - 8 - more.length)}"}`;

interface Sent {
  path: string;
  body: string;
  token?: string | undefined;
  chunked?: boolean;
}

async function post({ path, body, token, chunked = false }: Sent): Promise<{ status: number; json: Json }> {
  const pieces = body.match(/.{1,40000}/gs) ?? [];
  const response = await fetch(`${root}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: chunked
      ? (Readable.toWeb(Readable.from(pieces.map((piece) => Buffer.from(piece)))) as ReadableStream)
      : body,
    ...(chunked ? { duplex: "half" } : {}),
  } as RequestInit);
  return { status: response.status, json: await response.json() };
}

const story = (characters: number) =>
  JSON.stringify({ type: "story", payload: { title: "t", body_markdown: "é".repeat(characters) } });
const call = (bytes: number) => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  return `${text.slice(0, -1)},"params":{"x":"${"a".repeat(bytes - text.length - 18)}"}}`;
};

describe("where nothing proves the sender", () => {
  test("64 KiB are read and a byte more is 413, told before any of it has come", async () => {
    const { status, json } = await post({ path: "/api/v1/agents", body: textOf(UNPROVEN) });
    expect([status, Object.keys(json.errors)]).toEqual([422, expect.arrayContaining(["x"])]);
    const connection = openRaw(Number(new URL(root).port));
    const headers = { "Content-Type": "application/json", "Content-Length": UNPROVEN + 1 };
    connection.write(headOf("POST /api/v1/agents", headers));
    const answer = await connection.closed;
    expect([statusOf(answer), answer.includes("64 KiB")]).toEqual([413, true]);
  });

  test.each(["/console/passkeys/options", "/api/v1/agents"])(
    "so it is at %s where the length is not named",
    async (path) => {
      expect((await post({ path, body: textOf(UNPROVEN + 1), chunked: true })).status).toBe(413);
    },
  );

  test("an unknown address is 404 whatever the size of the body", async () => {
    expect((await post({ path: "/api/v1/creation", body: textOf(MIB), token: agent.token })).status).toBe(
      404,
    );
  });
});

describe.each([
  ["with its length named", false],
  ["in pieces", true],
])("a large body, %s,", (_how, chunked) => {
  const path = "/api/v1/creations";
  test("of an agent is read: a long story, two MiB and no more", async () => {
    const { token } = agent;
    expect((await post({ path, body: story(100_000), token, chunked })).status).toBe(201);
    expect((await post({ path, body: textOf(2 * MIB), token, chunked })).status).toBe(422);
    const { status, json } = await post({ path, body: textOf(2 * MIB + 1), token, chunked });
    expect([status, json.message]).toEqual([413, expect.stringContaining("2 MiB")]);
  });

  test("without a valid token is 401, before its JSON is looked at", async () => {
    for (const token of [undefined, `bst_${"0".repeat(46)}`]) {
      const { status, json } = await post({ path, body: textOf(MIB).slice(1), token, chunked });
      expect([status, json.code]).toEqual([401, "unauthenticated"]);
    }
    expect((await post({ path, body: textOf(MIB).slice(1), token: agent.token, chunked })).status).toBe(400);
  });

  test("of the tool server is read with a token, and 413 without one", async () => {
    const { token } = agent;
    expect((await post({ path: "/mcp", body: call(MIB), token, chunked })).json.result).toEqual({});
    expect((await post({ path: "/mcp", body: call(UNPROVEN), chunked })).json.result).toEqual({});
    const { status, json } = await post({ path: "/mcp", body: call(MIB), chunked });
    expect([status, json.code, json.hint]).toEqual([
      413,
      "http_error",
      expect.stringContaining("Authorization"),
    ]);
  });
});

test("the checks are passed once: a large body counts as one request", async () => {
  const heading = await fetch(`${root}/api/v1/creations`, {
    headers: { authorization: `Bearer ${agent.token}` },
  });
  expect(heading.status).toBe(200);
  const left = async (body: string) => {
    const response = await fetch(`${root}/api/v1/creations`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${agent.token}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body,
    });
    return Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
  };
  const before = await left(story(10));
  expect(await left(story(90_000))).toBe(before - 1);
});

test("50 large bodies of one agent at once are all read", async () => {
  const body = textOf(300 * KIB);
  const sent = Array.from({ length: 50 }, () =>
    post({ path: "/api/v1/creations", body, token: agent.token }),
  );
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([422]));
});

test("bodies that stop half-way hold up no other agent's, and their own agent only until there is room", async () => {
  const port = Number(new URL(root).port);
  const headers = {
    Authorization: `Bearer ${agent.token}`,
    "Content-Type": "application/json",
    "Content-Length": 2 * MIB - 1,
  };
  const stalled = Array.from({ length: 8 }, () => {
    const connection = openRaw(port);
    connection.write(`${headOf("POST /api/v1/creations", headers)}{"type":`);
    return connection;
  });
  const path = "/api/v1/creations";
  const other = await connectAgent(service);
  await expect
    .poll(async () => (await post({ path, body: story(90_000), token: agent.token })).status, {
      timeout: 20_000,
    })
    .toBe(503);
  expect((await post({ path, body: story(90_000), token: other.token })).status).toBe(201);
  expect((await post({ path, body: story(10), token: agent.token })).status).toBe(201);
  for (const { socket } of stalled) socket.destroy();
  await expect
    .poll(async () => (await post({ path, body: story(90_000), token: agent.token })).status, {
      timeout: 20_000,
    })
    .toBe(201);
});
