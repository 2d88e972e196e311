import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connectAgent, makeCreation, type Reply, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

test("an answer of the agent interface carries every header of its table", async () => {
  const created = await agent.send("POST", "/creations", {
    type: "story",
    payload: { title: "t", body_markdown: "b" },
  });
  expect(created.headers).toMatchObject({
    etag: '"1"',
    "cache-control": "no-store",
    "ratelimit-policy": '"writes";q=1000000;w=60',
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
  });
  expect(created.headers.ratelimit).toMatch(/^"writes";r=\d+;t=\d+$/);
  expect(created.headers["x-request-id"]).toMatch(ULID);
  expect(created.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(created.headers["permissions-policy"]).toBeTruthy();
  expect(created.headers["set-cookie"]).toBeUndefined();
  expect(created.headers["access-control-allow-origin"]).toBeUndefined();
  expect(created.headers.location).toBe(`http://localhost:3000/api/v1/creations/${created.json.data.id}`);
  const read = await agent.get(`/creations/${created.json.data.id}`, { "x-request-id": "mine" });
  expect(read.headers["ratelimit-policy"]).toBe('"reads";q=1000000;w=60');
  expect(read.headers["x-request-id"]).toMatch(ULID);
  expect(read.headers["x-request-id"]).not.toBe(created.headers["x-request-id"]);
});

test.each([
  ["none", undefined],
  ["an unknown token", `Bearer bst_${"0".repeat(46)}`],
  ["junk", "Bearer %00"],
  ["no token", "Bearer "],
  ["another scheme", "Basic YTpi"],
])("without a valid token (%s) the answer is 401 and names the scheme", async (_name, authorization) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const reply = await request(service, { method: "GET", url: "/api/v1/agent", headers });
  expect([reply.status, reply.json.code]).toEqual([401, "unauthenticated"]);
  expect(reply.headers["www-authenticate"]).toBe("Bearer");
});

test("a token in the query is not one, and the scheme's case does not matter", async () => {
  const url = `/api/v1/agent?access_token=${agent.token}`;
  expect((await request(service, { method: "GET", url })).status).toBe(401);
  const headers = { authorization: `bearer  ${agent.token}` };
  expect((await request(service, { method: "GET", url: "/api/v1/agent", headers })).status).toBe(200);
});

test("the agent interface never answers 304", async () => {
  for (const path of ["/agent", "/agent/profile"]) {
    const first = await agent.get(path);
    const again = await agent.get(path, { "if-none-match": String(first.headers.etag) });
    expect([again.status, again.text === first.text]).toEqual([200, true]);
    expect((await agent.get(path, { "if-none-match": "*" })).status).toBe(200);
  }
});

describe("If-Match", () => {
  const patch = async (ifMatch: string | null): Promise<Reply> => {
    const creation = await makeCreation(agent);
    const body = { payload: { title: "Two", body_markdown: "b" } };
    return await agent.send("PATCH", `/creations/${creation.id}`, body, { ifMatch });
  };

  test.each(['"1"', "1", 'W/"1"', '"7", "1"', '"7","1"', ' W/"9" , 1 ', "01"])(
    "%s names version 1",
    async (given) => {
      const reply = await patch(given);
      expect([reply.status, reply.headers.etag]).toEqual([200, '"2"']);
    },
  );

  test.each(['"2"', "2", "0", "-1", "abc", '""', '"1.0"', "1e0", '"one"', "99999999999999999999"])(
    "%s names another version: 412",
    async (given) => {
      const reply = await patch(given);
      expect([reply.status, reply.json.code, reply.json.errors]).toEqual([412, "version_mismatch", {}]);
      expect(reply.json.message).toContain("lock_version 1");
    },
  );

  test.each([null, "*", " * ", "", "  "])("%j is none: 428", async (given) => {
    const reply = await patch(given);
    expect([reply.status, reply.json.code, reply.json.errors]).toEqual([428, "precondition_required", {}]);
  });
});

test("OPTIONS tells which methods an address of the agent interface answers", async () => {
  const reply = await request(service, { method: "OPTIONS", url: "/api/v1/creations" });
  expect(reply.status).toBe(204);
  expect(reply.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
});

test("an address with another method is 405 with Allow, an unknown one 404", async () => {
  const wrong = await request(service, { method: "PUT", url: "/api/v1/creations" });
  expect([wrong.status, wrong.json.code]).toEqual([405, "http_error"]);
  expect(String(wrong.headers.allow).split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
  for (const [method, url] of [
    ["DELETE", "/api/v1/agent"],
    ["PATCH", "/api/v1/topics"],
    ["POST", "/@somebody/profile.json"],
    ["DELETE", "/media/01ARZ3NDEKTSV4RRFFQ69G5FAV/rows"],
  ] as const) {
    const reply = await request(service, { method, url });
    expect(`${method} ${url} ${reply.status} ${reply.json?.code}`).toBe(`${method} ${url} 405 http_error`);
    expect(reply.json.hint).toMatch(/^[A-Z].*\.$/);
  }
  for (const url of ["/api/v1/nothing", "/api/v2/agent", "/api/v1", "/api/v1/creations/x/y/z"]) {
    const reply = await request(service, { method: "GET", url });
    expect(`${url} ${reply.status} ${reply.json.code}`).toBe(`${url} 404 not_found`);
  }
});

test.each([
  ["PUT", "/agent/profile", "PATCH saves the members"],
  ["DELETE", "/agent/profile", "A profile stays"],
  ["PATCH", "/agent", "PATCH on /agent/profile"],
  ["PUT", "/creations/x", "PATCH saves a new draft revision"],
  ["PATCH", "/creations", "PATCH on /creations/{creation}"],
  ["DELETE", "/creations/x/publish", "POST to /creations/{creation}/unpublish"],
  ["GET", "/creations/x/schedule", "The schedule stands in GET"],
  ["PUT", "/creations/x/visibility", "POST sets the visibility"],
  ["POST", "/creations/x/revisions", "PATCH on /creations/{creation} saves"],
  ["DELETE", "/creations/x/revisions/1", "Revisions stay"],
  ["PUT", "/assets/x", "Files never change"],
  ["GET", "/creations/x/publish", "It is an act: send POST."],
  ["GET", "/agents", "It is an act: send POST."],
  ["POST", "/topics", "It can only be read: send GET."],
] as const)("%s %s names in its hint what does what was wanted", async (method, path, hint) => {
  const { status, json } = await request(service, { method, url: `/api/v1${path}` });
  expect([status, json.hint?.slice(0, hint.length)]).toEqual([405, hint]);
});

test.each([
  ["/api/v1/creations/%"],
  ["/api/v1/creations/%ff"],
  ["/@%c0%ae%c0%ae/profile.json"],
  ["/media/%zz/rows"],
  ["/api/v1/creations/%00"],
  ["/api/v1/creations/AAA…"],
])("a path that cannot be read (%s) is a refusal in our own shape", async (path) => {
  const url = path.replace("…", "A".repeat(8_000));
  const headers = { authorization: `Bearer ${agent.token}` };
  const reply = await request(service, { method: "GET", url, headers });
  expect([400, 404]).toContain(reply.status);
  expect(["http_error", "not_found"]).toContain(reply.json.code);
  expect(reply.json.errors).toEqual({});
  expect(reply.headers).toMatchObject({
    "x-request-id": reply.json.request_id,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  const page = await request(service, { method: "GET", url, headers: { ...headers, accept: "text/html" } });
  expect(page.status).toBe(reply.status);
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
});

test("HEAD answers as GET does, without a body", async () => {
  const { authorization } = { authorization: `Bearer ${agent.token}` };
  for (const url of ["/api/v1/agent", "/api/v1/creations", "/api/v1/topics", "/", "/feed.xml"]) {
    const get = await request(service, { method: "GET", url, headers: { authorization } });
    const head = await request(service, { method: "HEAD", url, headers: { authorization } });
    expect([url, head.status, head.text]).toEqual([url, 200, ""]);
    expect([url, head.headers.etag]).toEqual([url, get.headers.etag]);
  }
});

test("a trailing slash is answered in place, never redirected", async () => {
  const headers = { authorization: `Bearer ${agent.token}` };
  for (const url of ["/api/v1/agent/", "/api/v1/creations/", "/api/v1/topics/", "/feed.xml/"]) {
    expect([url, (await request(service, { method: "GET", url, headers })).status]).toEqual([url, 200]);
  }
  const body = { type: "story", payload: { title: "Slash", body_markdown: "b" } };
  expect((await agent.send("POST", "/creations/", body)).status).toBe(201);
});

test("the same key on the address with and without a slash is the same request", async () => {
  const key = randomUUID();
  const body = { type: "story", payload: { title: "Slash", body_markdown: "b" } };
  const first = await agent.send("POST", "/creations", body, { key });
  const again = await agent.send("POST", "/creations/", body, { key });
  expect([first.status, again.status, again.text === first.text]).toEqual([201, 201, true]);
});

test("a query parameter that a write does not know is 422", async () => {
  const body = { type: "story", payload: { title: "t", body_markdown: "b" } };
  const written = await agent.send("POST", "/creations?zzz=1", body);
  expect([written.status, Object.keys(written.json.errors ?? {})]).toEqual([422, ["zzz"]]);
});

test.each([
  "/console/account",
  "/%63onsole/account",
  "/c%6Fnsole%2Faccount",
  "/%63onsole/nothing",
  "/%73ign-in",
])("%s is kept by no cache and told to no other site, however it is written", async (url) => {
  const { headers } = await request(service, { method: "GET", url });
  expect([headers["cache-control"], headers["referrer-policy"]]).toEqual(["no-store", "same-origin"]);
});
