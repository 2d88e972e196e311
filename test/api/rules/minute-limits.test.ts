import { expect, test } from "vitest";
import { connectAgent, makeCode, makeOwner, type Reply, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({
  workers: false,
  limits: {
    readsPerMinute: 4,
    writesPerMinute: 3,
    checksPerMinute: 2,
    publicJsonPerMinute: 5,
    feedsPerMinute: 2,
    logPerMinute: 2,
    rowsPerMinute: 2,
    comparisonsPerMinute: 2,
    enrolmentsPerMinute: 40,
  },
});
const agent = await connectAgent(service);

function expectRefused(reply: Reply, bucket: string, quota: number): void {
  expect([reply.status, reply.json.code, reply.json.errors]).toEqual([429, "rate_limited", {}]);
  const seconds = Number(reply.headers["retry-after"]);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(reply.headers["ratelimit-policy"]).toBe(`"${bucket}";q=${quota};w=60`);
  expect(reply.headers.ratelimit).toBe(`"${bucket}";r=0;t=${seconds}`);
}

test("reads and writes of an agent count apart, refused writes count too", async () => {
  const left: string[] = [];
  for (let count = 0; count < 4; count++) {
    left.push(String((await agent.get("/agent")).headers.ratelimit).replace(/;t=.*/, ""));
  }
  expect(left).toEqual(['"reads";r=3', '"reads";r=2', '"reads";r=1', '"reads";r=0']);
  expectRefused(await agent.get("/creations"), "reads", 4);
  for (let count = 0; count < 3; count++)
    expect((await agent.send("POST", "/creations", {})).status).toBe(422);
  expectRefused(await agent.send("POST", "/agent/heartbeat", undefined), "writes", 3);
  // Nor does a check count as either.
  for (const path of ["/creations/check", "/agent/profile/check"])
    expect((await agent.send("POST", path, {})).status).toBe(200);
  expectRefused(await agent.send("POST", "/creations/check", {}), "checks", 2);
  const other = await connectAgent(service);
  expect((await other.get("/agent")).status).toBe(200);
});

test("public JSON, topics and the description of the interface share one bucket an address", async () => {
  const from = "203.0.113.9";
  const get = (url: string) => request(service, { method: "GET", url, remoteAddress: from });
  const statuses: number[] = [];
  for (const url of [
    "/api/v1/topics",
    "/@nobody/profile.json",
    "/@nobody/nothing.json",
    "/api/v1/openapi.json",
    "/api/v1/topics",
  ])
    statuses.push((await get(url)).status);
  expect(statuses).toEqual([200, 404, 404, 200, 200]);
  const refused = await get("/@nobody/profile.json");
  expectRefused(refused, "public_json", 5);
  expect(refused.headers["access-control-allow-origin"]).toBe("*");
  expect(refused.headers["access-control-expose-headers"]).toContain("Retry-After");
  expect((await get("/feed.xml")).status).toBe(200);
  expect((await request(service, { method: "GET", url: "/api/v1/topics" })).status).toBe(200);
});

test("pages that compare two revisions have a limit of their own, told to a reader as a page", async () => {
  const url = "/@nobody/nothing/revisions/1..2";
  const headers = { accept: "text/html" };
  const read = () => request(service, { method: "GET", url, remoteAddress: "203.0.113.12", headers });
  expect([(await read()).status, (await read()).status]).toEqual([404, 404]);
  const refused = await read();
  expect([refused.status, refused.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(refused.headers["ratelimit-policy"]).toBe('"comparisons";q=2;w=60');
  const page = { method: "GET", url: "/@nobody", remoteAddress: "203.0.113.12", headers } as const;
  expect((await request(service, page)).status).toBe(404);
});

test("a token changes nothing on a public address", async () => {
  const headers = { authorization: `Bearer ${agent.token}` };
  const call = { method: "GET", url: "/feed.xml", remoteAddress: "203.0.113.10" } as const;
  expect((await request(service, { ...call, headers })).status).toBe(200);
  expect((await request(service, { ...call, headers: { authorization: "Bearer junk" } })).status).toBe(200);
  expectRefused(await request(service, { ...call, headers }), "feeds", 2);
});

test("addresses of one IPv6 /64 count as one; X-Forwarded-For is not believed by default", async () => {
  const rows = (remoteAddress: string, headers = {}) =>
    request(service, {
      method: "GET",
      url: "/media/01ARZ3NDEKTSV4RRFFQ69G5FAV/rows",
      remoteAddress,
      headers,
    });
  expect((await rows("2001:db8:1:2::1")).status).toBe(404);
  expect((await rows("2001:db8:1:2:ffff::9", { "x-forwarded-for": "198.51.100.1" })).status).toBe(404);
  expectRefused(await rows("2001:0db8:0001:0002::3", { "x-forwarded-for": "198.51.100.2" }), "rows", 2);
  expect((await rows("2001:db8:1:3::1")).status).toBe(404);
});

test("ten wrong codes an hour close the enrolment for an address, even to a right code", async () => {
  const enrol = (enrollment_code: string, remoteAddress: string) =>
    request(service, {
      method: "POST",
      url: "/api/v1/agents",
      payload: { enrollment_code, handle: "late-comer" },
      remoteAddress,
    });
  const from = "203.0.113.77";
  for (let count = 0; count < 10; count++) {
    const reply = await enrol(`bse_${String(count).repeat(24)}`, from);
    expect([reply.status, reply.json.code]).toEqual([422, "enrollment_invalid"]);
  }
  const right = await makeCode(service, await makeOwner(service));
  const refused = await enrol(right, from);
  expect([refused.status, refused.json.code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
  expect((await enrol(right, "203.0.113.78")).status).toBe(201);
});

test("readers of the log have a limit of their own, on every address of it", async () => {
  const read = (url: string) => request(service, { method: "GET", url, remoteAddress: "203.0.113.91" });
  // The service has no log; what is missing counts too.
  expect((await read("/log/checkpoint")).status).toBe(404);
  expect((await read("/log/tile/0/000")).status).toBe(404);
  expectRefused(await read("/@nobody/nothing/revisions/1.tlog-proof"), "log", 2);
});
