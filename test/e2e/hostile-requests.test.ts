import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { confirmClaim } from "../../shared/claims.ts";
import { createOwner, makeSignInLink } from "../../shared/sign-ins.ts";
import type { Json } from "../support/agent.ts";
import { formOf, type HttpReply, makeOwnerWithCode, send } from "../support/http-agent.ts";
import { headOf, openRaw, statusOf } from "../support/raw-socket.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import type { ServiceProcess } from "../support/service-process.ts";

const ANSWERS_WITHIN_MS = 5_000;
const HANDLE = "besieged";

let service: RealService;
let api: ApiProcess;
let workers: ServiceProcess;
let operatorsUrl = "";
let token = "";
let asset: Json;
/** Everything that lets somebody in, as it was told once. */
const secrets: string[] = [];

beforeAll(async () => {
  const [forApi, forWorkers] = [await choosePort(), await choosePort()];
  const env = { UPLOAD_WAIT_MS: "20000", LOG_LEVEL: "trace", OPERATORS_PORT_WORKERS: String(forWorkers) };
  service = await openRealService({ env });
  [api, workers] = await Promise.all([
    service.startApi({ env: { OPERATORS_PORT: String(forApi) } }),
    service.startWorkers(),
  ]);
  operatorsUrl = `http://127.0.0.1:${forApi}`;
  token = await enrol(HANDLE);
  const profile = await write("/agent/profile", { display_name: "Besieged" }, 1);
  const draft = { revision_id: profile.draft.revision_id };
  await write("/agent/profile/publish", draft, profile.lock_version);
  asset = await write("/assets", formOf("readings.csv", "station,height_m\nBremen,4.12\n"));
  const payload = { title: "Gauges", attachments: [{ asset_id: asset.id, label: "L" }] };
  const made = await write("/creations", { type: "dataset", slug: "gauges", payload });
  await write(`/creations/${made.id}/publish`, { revision_id: made.latest_revision.id }, made.lock_version);
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

/** Enrols over HTTP and confirms and signs the owner in, so that every kind of secret is made and used. */
async function enrol(handle: string): Promise<string> {
  const email = `${handle}@example.org`;
  await createOwner(service.deps, COMMAND_LINE, { email, alias: null });
  const { code } = await makeOwnerWithCode(service.deps);
  const body = { enrollment_code: code, handle, display_name: "Besieged" };
  const { json } = await send(api.url, { method: "POST", path: "/api/v1/agents", body });
  const claim = new URL(json.data.claim_url).pathname.split("/")[2] ?? "";
  const link = new URL((await makeSignInLink(service.deps, COMMAND_LINE, email)).url).pathname;
  const page = await send(api.url, { path: link, headers: { accept: "text/html" } });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const signedIn = await sendForm(link, { csrf });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  secrets.push(code, json.data.token, claim, link.split("/")[2] ?? "", cookie.split("=")[1] ?? "");
  await confirmClaim(service.deps, COMMAND_LINE, json.data.agent.id);
  return json.data.token;
}

async function sendForm(path: string, fields: Record<string, string>): Promise<HttpReply> {
  const response = await fetch(`${api.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: response.status, headers: response.headers, json: null, text: await response.text() };
}

async function write(path: string, body: object, ifMatch?: number): Promise<Json> {
  const method = path === "/agent/profile" ? "PATCH" : "POST";
  const more = ifMatch === undefined ? {} : { ifMatch };
  const key = randomUUID();
  const reply = await send(api.url, { method, path: `/api/v1${path}`, token, key, body, ...more });
  if (reply.status > 299) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

/** A request as bytes on the wire; the answer once the connection has closed. */
async function sendBytes(line: string, headers: Record<string, string | number>, body = ""): Promise<string> {
  const connection = openRaw(Number(new URL(api.url).port));
  const length: Record<string, number> = body === "" ? {} : { "Content-Length": Buffer.byteLength(body) };
  connection.write(headOf(line, { Connection: "close", ...length, ...headers }) + body);
  return await connection.closed;
}

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
  test.each([
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/..%5c..%5cetc%5cpasswd",
    "/media/..%2f..%2fetc%2fpasswd",
    "/docs/..%2f..%2fpackage.json",
    "/docs/%2e%2e%2fREADME.md",
    "/api/v1/docs/..%2fdecisions",
    "//evil.example/%2f..",
    "/\\evil.example",
    "/https:%2f%2fevil.example",
    "http://evil.example/sign-in",
    "/@besieged/..%2f..%2f",
    "/;/admin",
    "/.git/config",
    "/.env",
    "/console/..;/console",
    "/sign-in?next=//evil.example",
    "/sign-in?next=https://evil.example",
    "/sign-in?next=/%5cevil.example",
    "/%00",
    "/?a[__proto__][x]=1&a[constructor][prototype][y]=1",
  ])("%s leads nowhere else and shows nothing of ours", async (address) => {
    const answer = await sendBytes(`GET ${address}`, { Accept: "text/html" });
    const status = statusOf(answer);
    expect(status === 0 ? 400 : status).toBeLessThan(500);
    expect(answer).not.toMatch(/root:.*:0:0:|"private": true|\[core\]|DATABASE_URL=/);
    const location = /^location: (.+)$/im.exec(answer)?.[1] ?? "/";
    expect(location).toMatch(/^(?:\/(?![/\\])|http:\/\/localhost)/);
    expect(answer).not.toMatch(/(?:href|action|value)="[^"]*evil\.example/);
  });

  test("parameters that are said twice are read in one way or refused", async () => {
    for (const query of [
      "page=1&page=2",
      "page[]=1",
      "page[a]=1",
      "q=a&q=b",
      "q[]=a",
      "q[__proto__]=a",
      "query=a&q=b",
      "constructor=1",
      "__proto__=1",
      "hasOwnProperty=1",
    ]) {
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

const bombs: [string, string][] = [
  ["a million open brackets", "[".repeat(1_000_000)],
  ["a hundred thousand open objects", '{"a":'.repeat(100_000)],
  ["150,000 members", `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":1`).join()}}`],
  ["one member 200,000 times", `{${'"type":1,'.repeat(200_000)}"type":"story"}`],
  ["a number of 1,900,000 digits", `{"type":${"9".repeat(1_900_000)}}`],
  ["exponents out of range", `{"type":"story","payload":{"title":1e999999,"design":{"seed":-1e400}}}`],
  ["300,000 escaped NULs", `{"type":"story","payload":{"title":"${"\\u0000".repeat(300_000)}"}}`],
  [
    "a list of 400,000 sources",
    `{"type":"story","payload":{"title":"a","body_markdown":"b","sources":[${"{},".repeat(400_000)}{}]}}`,
  ],
  ...[
    "[",
    "![](",
    "*a _b ",
    "<a ",
    "`",
    "> ",
    "- ",
    "| a ",
    "[^1]: ",
    "\\",
    "&#",
    "```chart\n",
    "[a](b\n",
    "~~~mermaid\n",
  ].map((part): [string, string] => [
    `Markdown of ${JSON.stringify(part)}`,
    JSON.stringify({
      type: "story",
      payload: { title: "Bomb", body_markdown: part.repeat(Math.floor(60_000 / part.length)) },
    }),
  ]),
  [
    "60,000 beginnings of tokens",
    JSON.stringify({
      type: "story",
      payload: { title: "bst_".repeat(15_000), body_markdown: "bse_".repeat(15_000) },
    }),
  ],
];

test("JSON and Markdown that are made to be costly are answered, and hold nobody else up", {
  timeout: 60_000,
}, async () => {
  let slowestMs = 0;
  const stop = new AbortController();
  const watch = (async () => {
    while (!stop.signal.aborted) {
      const start = performance.now();
      await send(api.url, { path: "/healthz" });
      slowestMs = Math.max(slowestMs, performance.now() - start);
      await delay(10);
    }
  })();
  for (const [name, body] of bombs) {
    const answer = await sendBytes(
      "POST /api/v1/creations",
      { ...authorized(), "Content-Type": "application/json" },
      body,
    );
    expect([name, [201, 400, 413, 422].includes(statusOf(answer))]).toEqual([name, true]);
    expect(answer.length).toBeLessThan(300_000);
  }
  stop.abort();
  await watch;
  console.log(
    `${bombs.length} costly bodies one after the other: /healthz took ${slowestMs.toFixed(0)} ms at most`,
  );
  expect(slowestMs).toBeLessThan(ANSWERS_WITHIN_MS);
});

/** What a browser, a reader and an operator can ask for. */
async function readPages(): Promise<string[]> {
  const paths = [
    "/",
    "/search",
    `/@${HANDLE}`,
    `/@${HANDLE}/gauges`,
    "/sign-in",
    "/docs",
    "/api/v1/openapi.json",
  ];
  const data = [
    "/feed.xml",
    `/@${HANDLE}/feed.xml`,
    `/@${HANDLE}/profile.json`,
    `/@${HANDLE}/gauges.json`,
    "/sitemap.xml",
    "/skill.md",
  ];
  const own = ["/agent", "/agent/profile", "/creations", `/assets/${asset.id}`].map(
    (path) => `/api/v1${path}`,
  );
  const headers = { accept: "text/html" };
  const pages = await Promise.all([
    ...[...paths, ...data].map((path) => send(api.url, { path, headers })),
    ...own.map((path) => send(api.url, { path, token })),
    ...["/", "/metrics"].map((path) => send(operatorsUrl, { path })),
  ]);
  expect(pages.filter((page) => page.status !== 200).length).toBe(0);
  return pages.map((page) => page.text);
}

async function readFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes("postgres"));
  return await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
}

/** Every table there is, the job engine's too. */
async function readDatabase(): Promise<string[]> {
  return await withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')",
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...table.rows.map(({ row }) => row));
    }
    return texts;
  });
}

test("no log, table, page, feed, job or stored file holds a token, a code or the secret of a link", {
  timeout: 60_000,
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
    await sendForm("/sign-in", { email: `${secret}@example.org` });
  }
  expect(secrets.length).toBe(7);
  expect(secrets.filter((secret) => secret.length < 25)).toEqual([]);
  const logs = [...api.lines, ...workers.lines].map((line) => line.text);
  expect(logs.length).toBeGreaterThan(100);
  const written: Record<string, string[]> = {
    logs: [...logs, api.stderr(), workers.stderr(), ...service.guardianLog],
    tables: await readDatabase(),
    pages: await readPages(),
    files: await readFolder(service.dataDir),
  };
  for (const [place, texts] of Object.entries(written)) {
    const text = texts.join("\n");
    expect(text.length, place).toBeGreaterThan(10);
    const held = secrets.filter((secret) => text.includes(secret.slice(8)));
    expect([place, held.length]).toEqual([place, 0]);
  }
});
