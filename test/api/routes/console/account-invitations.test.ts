import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { request } from "../../../support/agent.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { csrfIn, openDashboard, sendForm, signInAgain } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, runSql, setOwnerStatus } from "../../../support/tables.ts";
import { askLink, invitationsOf, inviteFrom, linkTo, openAccount, ownersOf, press } from "./sign-up-steps.ts";

const captured = captureLog();

const service = await openService({ workers: false, log: captured.log, config: { signUp: "invite" } });

afterEach(() => {
  service.clock.nowMs = TEST_START_MS;
  service.deps.config.signUp = "invite";
});

const makeAddress = () => `mara-${randomUUID()}@example.net`;
const cli = (...args: string[]) => runBeside(service, args);
const get = (url: string) => request(service, { method: "GET", url });

/** An owner, and the path of the link that somebody whom the owner invited got. */
async function inviteSomebody() {
  const owner = await openDashboard(service);
  const email = makeAddress();
  expect((await inviteFrom(owner, email)).status).toBe(200);
  return { owner, email, path: await linkTo(service, email) };
}

test("an invitation is mailed; its link opens the account of its address once, and signs it in", async () => {
  const { owner, email, path } = await inviteSomebody();
  const [mail = ""] = await mailsTo(service, email);
  expect(mail).toContain("Subject: An invitation to Broadsheet");
  expect(mail).not.toContain(owner.email);
  const before = await dumpTables(service);
  const page = await get(path);
  expect([page.status, page.headers["cache-control"], page.headers["set-cookie"]]).toEqual([
    200,
    "no-store",
    undefined,
  ]);
  expect(page.text).toContain(email);
  expect(page.text).toContain("Open my account");
  expect(await dumpTables(service)).toBe(before);
  expect(before).not.toContain(path.slice("/sign-in/".length));
  const cookie = await openAccount(service, path);
  const home = await request(service, { method: "GET", url: "/console", headers: { cookie } });
  expect(home.text).toContain(email);
  expect((await owner.get("/console/account")).text).toContain("accepted <time");
  const [opened] = await ownersOf(service, email);
  const acts = await runSql(
    service,
    "SELECT action, actor_kind, actor_id, detail FROM audit_log WHERE subject_id = $1",
    [opened.id],
  );
  const [{ id }] = await invitationsOf(service, owner.ownerId);
  expect(acts).toEqual([
    { action: "owner.create", actor_kind: "owner", actor_id: opened.id, detail: { invitation: id } },
  ]);
  const log = await owner.get("/console/audit?about=invitation");
  expect(log.text).toContain("invited somebody to an account");
});

test("of ten presses at once one opens the account; two links of one address open one", async () => {
  const { email, path } = await inviteSomebody();
  const csrf = csrfIn(await get(path));
  const replies = await Promise.all(Array.from({ length: 10 }, () => sendForm(service, path, { csrf }, {})));
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 404)).toHaveLength(9);
  expect(await ownersOf(service, email)).toHaveLength(1);
  const [one, two] = [await inviteSomebody(), await openDashboard(service)];
  await inviteFrom(two, one.email);
  const other = await linkTo(service, one.email, 2);
  const both = await Promise.all([press(service, one.path), press(service, other)]);
  expect(both.map(({ status }) => status).sort()).toContain(303);
  expect(await ownersOf(service, one.email)).toHaveLength(1);
  // The account is open: no link of an invitation signs in to it any more.
  expect([(await get(one.path)).status, (await get(other)).status]).toEqual([404, 404]);
});

describe("a link opens nothing", () => {
  const isDead = async (path: string, email: string, csrf: string) => {
    expect((await get(path)).status).toBe(404);
    const reply = await sendForm(service, path, { csrf }, {});
    expect([reply.status, reply.json.code, reply.headers["set-cookie"]]).toEqual([
      404,
      "not_found",
      undefined,
    ]);
    expect(await ownersOf(service, email)).toEqual([]);
  };

  test("after seven days, and once it is withdrawn", async () => {
    const { owner, email, path } = await inviteSomebody();
    const csrf = csrfIn(await get(path));
    service.clock.nowMs = TEST_START_MS + 7 * DAY_MS - 1;
    expect((await get(path)).status).toBe(200);
    service.clock.nowMs += 1;
    await isDead(path, email, csrf);
    service.clock.nowMs = TEST_START_MS;
    const [{ id }] = await invitationsOf(service, owner.ownerId);
    const stranger = await openDashboard(service);
    expect((await stranger.post(`/console/invitations/${id}/revoke`)).status).toBe(404);
    expect((await get(path)).status).toBe(200);
    expect((await owner.post(`/console/invitations/${id}/revoke`)).status).toBe(303);
    expect((await owner.get("/console/account")).text).toContain("withdrawn");
    await isDead(path, email, csrf);
    expect((await owner.post(`/console/invitations/${id}/revoke`)).status).toBe(404);
  });

  test("while who invited is suspended or has left, while its address is blocked, and where sign-up is closed", async () => {
    const { owner, email, path } = await inviteSomebody();
    const csrf = csrfIn(await get(path));
    await setOwnerStatus(service, owner.ownerId, "suspended");
    await isDead(path, email, csrf);
    const refused = await inviteFrom(owner, makeAddress());
    expect([refused.status, refused.text.includes("suspended you cannot invite")]).toEqual([422, true]);
    await setOwnerStatus(service, owner.ownerId, "active");
    await cli("site", "block", "--email", email);
    await isDead(path, email, csrf);
    await cli("site", "unblock", "--email", email);
    service.deps.config.signUp = "closed";
    await isDead(path, email, csrf);
    service.deps.config.signUp = "open";
    expect((await get(path)).status).toBe(200);
    await owner.post("/console/leave", { confirm: owner.email });
    await isDead(path, email, csrf);
    expect(await invitationsOf(service, owner.ownerId)).toEqual([]);
  });
});

test.each([
  ["", "The email must be an address such as nora@example.org."],
  ["nobody", "The email must be an address such as nora@example.org."],
  ["OWN", "This is your own address."],
  ["TWICE", "Your invitation to this address is open; withdraw it first to send another one."],
])("the form refuses %j beside its field, and stores nothing", async (given, sentence) => {
  const owner = await openDashboard(service);
  const twice = makeAddress();
  await inviteFrom(owner, twice);
  const before = await invitationsOf(service, owner.ownerId);
  const invitee = { OWN: owner.email, TWICE: twice.toUpperCase() }[given] ?? given;
  const reply = await inviteFrom(owner, invitee);
  expect([reply.status, reply.text.includes(sentence)]).toEqual([422, true]);
  expect(await invitationsOf(service, owner.ownerId)).toEqual(before);
});

test("where sign-up is closed there is no form, and sending it is no act", async () => {
  service.deps.config.signUp = "closed";
  const owner = await openDashboard(service);
  expect((await owner.get("/console/account")).text).not.toContain("invitee");
  expect((await inviteFrom(owner, makeAddress())).status).toBe(404);
  expect(await invitationsOf(service, owner.ownerId)).toEqual([]);
  expect((await get("/sign-in")).text).toContain("The operators of this site open one for you");
});

test("an address with an invitation gets no other link by asking, and an account that was opened meanwhile signs in", async () => {
  const { email, path } = await inviteSomebody();
  await askLink(service, email);
  await cli("owner", "create", "--email", email);
  await openAccount(service, path);
  expect(await ownersOf(service, email)).toHaveLength(1);
  expect(await mailsTo(service, email)).toHaveLength(1);
});

test("signing out everywhere voids the links of invitations to the address", async () => {
  const { email, path } = await inviteSomebody();
  await cli("owner", "create", "--email", email);
  expect((await get(path)).status).toBe(200);
  const owner = await signInAgain(service, { ownerId: "", email });
  await owner.post("/console/sessions/end-all");
  expect((await get(path)).status).toBe(404);
});

test("no line of the log but that of an unsent mail holds the secret of a link", () => {
  const secrets = captured
    .lines()
    .map(({ sign_in_link }) => /\/sign-in\/([\w-]{43})/.exec(String(sign_in_link))?.[1] ?? "")
    .filter((secret) => secret !== "");
  expect(secrets.length).toBeGreaterThan(10);
  const others = captured.lines().filter((line) => line.sign_in_link === undefined);
  expect(others.length).toBeGreaterThan(20);
  const text = JSON.stringify(others);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
