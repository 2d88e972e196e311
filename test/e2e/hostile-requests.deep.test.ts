import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { readDatabase, readFolder } from "../support/folder-and-tables.ts";
import { send } from "../support/http-agent.ts";
import { headOf, openRaw, statusOf } from "../support/raw-socket.ts";
import type { ApiProcess, RealService } from "../support/real-service.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { HANDLE, openBesieged, readPages, sendBytesTo, sendForm } from "./besieged.ts";
import { COSTLY_BODIES } from "./costly-bodies.ts";
import { STRANGE_ADDRESSES, STRANGE_QUERIES } from "./strange-addresses.ts";

const ANSWERS_WITHIN_MS = 5_000;

let service: RealService;
let api: ApiProcess;
let workers: ServiceProcess;
let operatorsUrl = "";
let token = "";
let asset: Json;
let secrets: string[];

beforeAll(async () => {
  ({ service, api, workers, operatorsUrl, token, asset, secrets } = await openBesieged());
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

const sendBytes = (line: string, headers: Record<string, string | number>, body = "") =>
  sendBytesTo(api.url, line, headers, body);
const STORY = JSON.stringify({ type: "story", payload: { title: "Confused", body_markdown: "b" } });
const authorized = () => ({ Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() });

describe("methods and types that do not fit", () => {
  const addresses = [
    "/",
    "/api/v1/creations",
    "/api/v1/agent",
    `/@${HANDLE}`,
    "/feed.xml",
    "/healthz",
    "/sign-in",
  ];
  test.each(["PUT", "TRACE", "PROPFIND", "LOCK", "QUERY", "PURGE", "SEARCH"])(
    "%s is refused everywhere",
    async (method) => {
      for (const address of addresses) {
        const status = statusOf(
          await sendBytes(`${method} ${address}`, { "X-HTTP-Method-Override": "DELETE" }),
        );
        expect([400, 404, 405, 501]).toContain(status);
      }
    },
  );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json-patch+json",
    "multipart/form-data; boundary=b",
    "application/xml",
    "*/*",
    "json",
    ";",
    "application/json; charset=utf-16",
  ])("JSON sent as %s saves nothing that was not meant, and never fails", async (type) => {
    const status = statusOf(
      await sendBytes("POST /api/v1/creations", { ...authorized(), "Content-Type": type }, STORY),
    );
    expect([201, 400, 415, 422]).toContain(status);
    if (!type.startsWith("application/json;")) expect([400, 415]).toContain(status);
  });

  test.each(["text/plain", "multipart/form-data; boundary=b", "application/json"])(
    "a form of the console that says it is %s is refused",
    async (type) => {
      for (const address of ["/sign-in", "/console/pause-all", "/console/account/alias"]) {
        const answer = await sendBytes(
          `POST ${address}`,
          { "Content-Type": type, Origin: "https://evil.example" },
          "csrf=x",
        );
        expect(statusOf(answer)).toBeLessThan(500);
        expect(answer.toLowerCase()).not.toContain("set-cookie");
        expect(answer.toLowerCase()).not.toContain("access-control-allow-credentials");
      }
    },
  );

  test("a method in a header, in a field or in the query is none", async () => {
    const path = `/api/v1/assets/${asset.id}`;
    const headers = { "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
    expect((await send(api.url, { path, token, headers })).status).toBe(200);
    expect((await send(api.url, { path: `${path}?_method=DELETE`, token })).status).toBe(422);
    expect((await send(api.url, { path, token })).status).toBe(200);
  });

  test("a packed body is refused whatever its packing, and one that is said to be as it is, is read", async () => {
    const type = { "Content-Type": "application/json" };
    for (const packing of ["gzip", "br", "deflate", "zstd", "gzip, identity", "x"]) {
      const headers = { ...authorized(), ...type, "Content-Encoding": packing };
      expect(statusOf(await sendBytes("POST /api/v1/creations", headers, STORY))).toBe(415);
    }
    const plain = { ...authorized(), ...type, "Content-Encoding": "identity" };
    expect(statusOf(await sendBytes("POST /api/v1/creations", plain, STORY))).toBe(201);
    for (const encoding of ["gzip, chunked", "chunked, gzip", "identity", "xchunked"]) {
      const connection = openRaw(Number(new URL(api.url).port));
      const coded = { ...authorized(), ...type, "Transfer-Encoding": encoding, Connection: "close" };
      connection.write(`${headOf("POST /api/v1/creations", coded)}0\r\n\r\n`);
      const status = statusOf(await connection.closed);
      expect([encoding, [400, 501].includes(status)]).toEqual([encoding, true]);
    }
  });
});

describe("addresses that are not what they seem", () => {
  test.each(STRANGE_ADDRESSES)("%s leads nowhere else and shows nothing of ours", async (address) => {
    const answer = await sendBytes(`GET ${address}`, { Accept: "text/html" });
    const status = statusOf(answer);
    expect(status === 0 ? 400 : status).toBeLessThan(500);
    expect(answer).not.toMatch(/root:.*:0:0:|"private": true|\[core\]|DATABASE_URL=/);
    const location = /^location: (.+)$/im.exec(answer)?.[1] ?? "/";
    expect(location).toMatch(/^(?:\/(?![/\\])|http:\/\/localhost)/);
    expect(answer).not.toMatch(/(?:href|action|value)="[^"]*evil\.example/);
  });

  test("parameters that are said twice are read in one way or refused", async () => {
    for (const query of STRANGE_QUERIES) {
      for (const path of [
        "/api/v1/creations",
        "/api/v1/search/creations",
        "/search",
        `/media/${asset.id}/rows`,
      ]) {
        const reply = await send(api.url, { path: `${path}?${query}`, token });
        expect(`${path}?${query} ${[200, 404, 422].includes(reply.status)}`).toBe(`${path}?${query} true`);
      }
    }
    const double = await sendBytes("GET /api/v1/agent", {
      Authorization: `Bearer ${token}`,
      authorization: "Bearer x",
    });
    expect([200, 400, 401]).toContain(statusOf(double));
  });
});

/** The longest that /healthz takes until some work has ended. */
async function watchHealth(work: Promise<void>): Promise<number> {
  let [slowestMs, isOver] = [0, false];
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    await send(api.url, { path: "/healthz" });
    slowestMs = Math.max(slowestMs, performance.now() - start);
    await delay(10);
  }
  await ended;
  return slowestMs;
}

test("JSON and Markdown that are made to be costly are answered, and hold nobody else up", {
  timeout: 240_000,
}, async () => {
  const sendAll = async () => {
    for (const [name, body] of COSTLY_BODIES) {
      const answer = await sendBytes(
        "POST /api/v1/creations",
        { ...authorized(), "Content-Type": "application/json" },
        body,
      );
      expect([name, [201, 400, 413, 422].includes(statusOf(answer))]).toEqual([name, true]);
      expect(answer.length).toBeLessThan(300_000);
    }
  };
  let slowestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && slowestMs >= ANSWERS_WITHIN_MS; round++) {
    slowestMs = Math.min(slowestMs, await watchHealth(sendAll()));
  }
  console.log(
    `${COSTLY_BODIES.length} costly bodies one after the other: /healthz took ${slowestMs.toFixed(0)} ms at most`,
  );
  expect(slowestMs).toBeLessThan(ANSWERS_WITHIN_MS);
});

test("no log, table, page, feed, job or stored file holds a token, a code or the secret of a link", {
  timeout: 240_000,
}, async () => {
  const reply = await send(api.url, { method: "POST", path: "/api/v1/agent/token/rotate", token });
  secrets.push(token, reply.json.data.token);
  token = reply.json.data.token;
  const [code = "", first = ""] = secrets;
  // Where a careless client puts them.
  for (const secret of [code, first, token]) {
    await send(api.url, {
      path: `/${secret}?access_token=${secret}`,
      token,
      headers: { referer: `http://x/${secret}` },
    });
    await send(api.url, { path: `/api/v1/creations/${secret}?token=${secret}`, token });
    await send(api.url, {
      path: `/search?q=${secret}`,
      headers: { "user-agent": secret, cookie: `__Host-bs=${secret}` },
    });
    await sendBytes(
      "POST /api/v1/creations",
      { ...authorized(), "Content-Type": "application/json" },
      `{"${secret}`,
    );
    await sendBytes(
      "POST /api/v1/agents",
      { "Content-Type": "application/json" },
      JSON.stringify({ enrollment_code: secret, handle: secret }),
    );
    await sendBytes(
      "POST /mcp",
      { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      `{"method":"${secret}","params":"${secret}"}`,
    );
    await sendBytes(`GET /${secret} HTTP/9.9\r\nX`, { "X-Token": secret });
    await sendForm(api.url, "/sign-in", { email: `${secret}@example.org` });
  }
  expect(secrets.length).toBe(7);
  expect(secrets.filter((secret) => secret.length < 25)).toEqual([]);
  const logs = [...api.lines, ...workers.lines].map((line) => line.text);
  expect(logs.length).toBeGreaterThan(100);
  const written: Record<string, string[]> = {
    logs: [...logs, api.stderr(), workers.stderr(), ...service.watchdogLog],
    tables: await readDatabase(service.databaseUrl),
    pages: await readPages({ api, operatorsUrl, token, assetId: asset.id }),
    files: await readFolder(service.dataDir),
  };
  for (const [place, texts] of Object.entries(written)) {
    const text = texts.join("\n");
    expect(text.length, place).toBeGreaterThan(10);
    const held = secrets.filter((secret) => text.includes(secret.slice(8)));
    expect([place, held.length]).toEqual([place, 0]);
  }
});
