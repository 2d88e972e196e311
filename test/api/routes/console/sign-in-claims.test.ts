import { expect, test } from "vitest";
import { type Reply, request } from "../../../support/agent.ts";
import { csrfIn, sendForm } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import * as steps from "./sign-in-steps.ts";

const service = await openService({ workers: false });

const get = (url: string, cookie?: string) => steps.openPage(service, url, cookie);
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  sendForm(service, url, fields, headers);
const makeOwner = () => steps.makeOwner(service);
const signIn = (email: string) => steps.signIn(service, email);
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
