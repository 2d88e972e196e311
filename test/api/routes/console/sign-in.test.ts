import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Reply, request } from "../../../support/agent.ts";
import { csrfIn, sendForm } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { dumpTables, runSql, setOwnerStatus } from "../../../support/tables.ts";
import * as steps from "./sign-in-steps.ts";

const service = await openService({ workers: false });

const get = (url: string, cookie?: string) => steps.openPage(service, url, cookie);
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  sendForm(service, url, fields, headers);
const makeOwner = () => steps.makeOwner(service);
const signIn = (email: string) => steps.signIn(service, email);
const openLink = (email: string) => steps.openLink(service, email);

const countMails = async () =>
  (await readdir(join(service.deps.config.dataDir, "mail")).catch(() => [])).length;

test("a link shows a button and uses nothing up; the button signs in once, by a strict cookie", async () => {
  const { email } = await makeOwner();
  const path = await openLink(email);
  const before = await dumpTables(service);
  // What a mail scanner or a browser that reads ahead does.
  const head = await request(service, { method: "HEAD", url: path });
  expect([head.status, head.headers["set-cookie"]]).toEqual([200, undefined]);
  const pages = [await get(path), await get(path)];
  for (const page of pages) {
    expect([page.status, page.headers["cache-control"], page.headers["set-cookie"]]).toEqual([
      200,
      "no-store",
      undefined,
    ]);
    expect(page.headers["referrer-policy"]).toBe("same-origin");
    expect(page.text).toMatch(/<meta name="robots" content="noindex/);
  }
  expect(await dumpTables(service)).toBe(before);
  const reply = await post(path, { csrf: csrfIn(pages[0] as Reply) });
  const cookie = String(reply.headers["set-cookie"]);
  expect(cookie).toMatch(/^__Host-bs=[\w-]{43};/);
  for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(cookie).toContain(part);
  expect(await dumpTables(service)).not.toContain(/=([\w-]{43})/.exec(cookie)?.[1]);
  const again = await post(path, { csrf: csrfIn(pages[0] as Reply) });
  expect([again.status, again.headers["set-cookie"]]).toEqual([404, undefined]);
  expect((await get(path)).status).toBe(404);
});

test("of ten presses at once one signs in; an hour later none does", async () => {
  const { email } = await makeOwner();
  const path = await openLink(email);
  const csrf = csrfIn(await get(path));
  const replies = await Promise.all(Array.from({ length: 10 }, () => post(path, { csrf })));
  expect(replies.filter((reply) => reply.status === 303)).toHaveLength(1);
  const late = await openLink(email);
  const lateCsrf = csrfIn(await get(late));
  service.clock.nowMs = TEST_START_MS + 3600_000;
  expect((await get(late)).status).toBe(404);
  expect((await post(late, { csrf: lateCsrf })).status).toBe(404);
  service.clock.nowMs = TEST_START_MS;
});

test("a form from another site, or without its own secret, is forbidden and changes nothing", async () => {
  const { email } = await makeOwner();
  const path = await openLink(email);
  const csrf = csrfIn(await get(path));
  const before = await dumpTables(service);
  for (const [fields, headers] of [
    [{}, {}],
    [{ csrf: "wrong" }, {}],
    [{ csrf }, { origin: "https://evil.example" }],
    [{ csrf }, { origin: "null" }],
    [{ csrf }, { "sec-fetch-site": "cross-site" }],
    [{ csrf }, { "sec-fetch-site": "same-site" }],
  ] as [Record<string, string>, Record<string, string>][]) {
    const reply = await post(path, fields, headers);
    expect([reply.status, reply.json.code]).toEqual([403, "forbidden"]);
  }
  expect(await dumpTables(service)).toBe(before);
  const good = { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" };
  expect((await post(path, { csrf }, good)).status).toBe(303);
});

test("asking for a link says the same with and without an account, and mails only the owner", async () => {
  const { email } = await makeOwner();
  const csrf = csrfIn(await get("/sign-in"));
  const before = await countMails();
  const unknown = await post("/sign-in", { csrf, email: "nobody@example.org" });
  const known = await post("/sign-in", { csrf, email: ` ${email.toUpperCase()} ` });
  await until(async () => (await countMails()) > before, 10_000);
  expect(await countMails()).toBe(before + 1);
  expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  const wrong = await post("/sign-in", { csrf, email: '"><script>alert(1)</script>' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).not.toContain("<script>");
});

test("the dashboard issues a code that connects an agent, and shows it once", async () => {
  const owner = await makeOwner();
  const cookie = await signIn(owner.email);
  const csrf = csrfIn(await get("/console", cookie));
  const handle = `dashboard-${randomUUID().slice(0, 8)}`;
  const page = await post("/console/codes", { csrf, handle }, { cookie });
  const code = /bse_[0-9A-Z-]+/.exec(page.text)?.[0] ?? "";
  expect(page.status).toBe(200);
  expect((await get("/console", cookie)).text).not.toContain(code);
  const payload = { enrollment_code: code };
  const enrolled = await request(service, { method: "POST", url: "/api/v1/agents", payload });
  expect(enrolled.json.data.agent.handle).toBe(handle);
  expect((await get("/console", cookie)).text).toContain(handle);
  const taken = await post("/console/codes", { csrf, handle }, { cookie });
  expect([taken.status, taken.text.includes("taken")]).toEqual([422, true]);
});

test("signing out ends the session at once, and a session ends by itself after thirty days", async () => {
  const owner = await makeOwner();
  const [one, two] = [await signIn(owner.email), await signIn(owner.email)];
  const out = await post("/sign-out", { csrf: csrfIn(await get("/console", one)) }, { cookie: one });
  expect([out.status, out.headers.location]).toEqual([303, "/sign-in"]);
  expect((await get("/console", one)).text).toContain('name="email"');
  expect((await get("/console", two)).text).toContain("/sign-out");
  service.clock.nowMs = TEST_START_MS + 30 * 86_400_000;
  expect((await get("/console", two)).text).toContain('name="email"');
  service.clock.nowMs = TEST_START_MS;
});

test("an owner who has left is signed out and cannot sign in any more", async () => {
  const owner = await makeOwner();
  const cookie = await signIn(owner.email);
  const path = await openLink(owner.email);
  const csrf = csrfIn(await get(path));
  await setOwnerStatus(service, owner.owner_id, "left");
  const reply = await post(path, { csrf });
  expect([reply.status, reply.headers["set-cookie"]]).toEqual([404, undefined]);
  expect((await get("/console", cookie)).text).toContain('name="email"');
});

test("after signing in only a path of our own is gone to", async () => {
  const owner = await makeOwner();
  for (const [next, location] of [
    ["/claim/abc", "/claim/abc"],
    ["https://evil.example", "/console"],
    ["//evil.example", "/console"],
    ["/\\evil.example", "/console"],
    ["/claim/..//evil", "/console"],
  ]) {
    const path = await openLink(owner.email);
    const reply = await post(path, { csrf: csrfIn(await get(path)), next: next ?? "" });
    expect([next, reply.headers.location]).toEqual([next, location]);
  }
});

const enrol = (ownerId: string) => steps.enrol(service, ownerId);

test("only its own owner opens a claim link; the button confirms, twice changes nothing more", async () => {
  const owner = await makeOwner();
  const cookie = await signIn(owner.email);
  const stranger = await signIn((await makeOwner()).email);
  const { path, handle, id, token } = await enrol(owner.owner_id);
  const foreign = await get(path, stranger);
  expect([foreign.status, foreign.text.includes(handle)]).toEqual([404, false]);
  const foreignPost = await post(
    path,
    { csrf: csrfIn(await get("/console", stranger)) },
    { cookie: stranger },
  );
  expect(foreignPost.status).toBe(404);
  const page = await get(path, cookie);
  expect(page.text).toContain(handle);
  expect((await post(path, { csrf: "wrong" }, { cookie })).status).toBe(403);
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await request(service, { method: "GET", url: "/api/v1/agent", headers })).json.data.status;
  };
  expect(await status()).toBe("pending_claim");
  const press = (by: string, from: Reply) => post(path, { csrf: csrfIn(from) }, { cookie: by });
  const strangersDashboard = await get("/console", stranger);
  const presses = await Promise.all([
    press(stranger, strangersDashboard),
    press(cookie, page),
    press(cookie, page),
  ]);
  expect(presses.map((reply) => reply.status)).toEqual([404, 303, 303]);
  expect(await status()).toBe("active");
  await Promise.all([1, 2, 3].map(() => post(path, { csrf: csrfIn(page) }, { cookie })));
  const acts = await runSql(
    service,
    "SELECT actor_kind FROM audit_log WHERE subject_id = $1 AND action = 'agent.claim'",
    [id],
  );
  expect(acts).toEqual([{ actor_kind: "owner" }]);
});

test("a claim link is good for seven days", async () => {
  const owner = await makeOwner();
  const cookie = await signIn(owner.email);
  const { path } = await enrol(owner.owner_id);
  const page = await get(path, cookie);
  service.clock.nowMs = TEST_START_MS + 7 * 86_400_000;
  expect((await get(path, cookie)).status).toBe(404);
  expect((await post(path, { csrf: csrfIn(page) }, { cookie })).status).toBeGreaterThanOrEqual(400);
  service.clock.nowMs = TEST_START_MS + 7 * 86_400_000 - 1;
  expect((await post(path, { csrf: csrfIn(page) }, { cookie })).status).toBe(303);
  service.clock.nowMs = TEST_START_MS;
});
