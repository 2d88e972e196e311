import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { type Reply, request } from "../../../support/agent.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { listMails, mailsTo } from "../../../support/mail-folder.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { openSmtpServer } from "../../../support/smtp-server.ts";
import { runSql } from "../../../support/tables.ts";
import { askLink, linkTo, openAccount, ownersOf, press } from "./sign-up-steps.ts";

const service = await openService({
  ...{ workers: false, config: { signUp: "open", trustProxy: ["10.9.9.9"] } },
  limits: { signUpsPerHour: 5 },
});

afterEach(() => {
  service.clock.nowMs = TEST_START_MS;
  service.deps.config.signUp = "open";
});

let networks = 0;
/** A network address that nobody asked from yet. */
const nextNetwork = () => `203.0.113.${++networks}`;
const makeAddress = () => `mara-${randomUUID()}@example.net`;
const cli = (...args: string[]) => runBeside(service, args);
const ask = (email: string, from = nextNetwork()) => askLink(service, email, { from });

/** Waits until the work behind earlier answers is done: the mail to a known owner is asked for last. */
async function untilAnswered(): Promise<void> {
  const { email } = await openDashboard(service);
  await ask(email);
  await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
}

test("whoever gives an address gets a link, which opens an account within an hour and leads on", async () => {
  const email = makeAddress();
  await askLink(service, email, { from: nextNetwork(), next: "/console/audit" });
  const path = await linkTo(service, email);
  expect((await mailsTo(service, email))[0]).toContain("Subject: Open your account at Broadsheet");
  const page = await request(service, { method: "GET", url: path });
  expect(page.text).toContain('name="next" value="/console/audit"');
  service.clock.nowMs = TEST_START_MS + HOUR_MS;
  expect((await press(service, path)).status).toBe(404);
  service.clock.nowMs -= 1;
  const opened = await press(service, path, { next: "/console/audit" });
  expect([opened.status, opened.headers.location]).toEqual([303, "/console/audit"]);
  const [{ id }] = await ownersOf(service, email);
  const [act] = await runSql(service, "SELECT detail FROM audit_log WHERE subject_id = $1", [id]);
  expect(act.detail).toEqual({ sign_up: "open" });
  expect((await press(service, path)).status).toBe(404);
  // From now on it is an owner's address like any other.
  await ask(email);
  await until(async () => (await mailsTo(service, email)).length === 2, 10_000);
  expect((await mailsTo(service, email))[1]).toContain("Subject: Sign in to Broadsheet");
});

test("three links to one address open one account, and the others end with it", async () => {
  const email = makeAddress();
  const paths: string[] = [];
  for (const count of [1, 2, 3]) {
    await ask(email);
    paths.push(await linkTo(service, email, count));
  }
  expect(new Set(paths).size).toBe(3);
  const replies = await Promise.all(paths.flatMap((path) => [press(service, path), press(service, path)]));
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await ownersOf(service, email)).toHaveLength(1);
  for (const path of paths) expect((await press(service, path)).status).toBe(404);
});

/** How many links to addresses with a name were made. */
const countLinks = async (name: string): Promise<number> =>
  (await runSql(service, "SELECT count(*)::int FROM invitations WHERE email LIKE $1", [`${name}%`]))[0].count;

const COUNTS_MAILS = /SELECT count\(\*\) FROM invitations\s+WHERE mailbox = /;

test("a mailbox gets three links a day, however many ask for them at once", async () => {
  const name = `mara-${randomUUID()}`;
  const addresses = Array.from({ length: 20 }, (_, n) => `${name}${n % 2 === 0 ? "" : `+${n}`}@example.net`);
  service.statements.length = 0;
  await Promise.all(addresses.map((address) => ask(address)));
  // Each counts the mails of its mailbox, one after the other; one that was behind the clock of tomorrow would mail again.
  // Nothing of the tests above counts any more: each waited for its mails.
  const countCounts = () => service.statements.filter((text) => COUNTS_MAILS.test(text)).length;
  await until(() => countCounts() >= addresses.length, 10_000);
  const countMailed = async () =>
    (await listMails(service)).filter((mail) => mail.startsWith(`To: ${name}`)).length;
  await until(async () => (await countMailed()) === 3, 10_000);
  expect([await countLinks(name), countCounts()]).toEqual([3, addresses.length]);
  service.clock.nowMs = TEST_START_MS + DAY_MS;
  await ask(`${name}@example.net`);
  await until(async () => (await countMailed()) === 4, 10_000);
});

const told = ({ status, text, headers }: Reply) => {
  const { "x-request-id": _id, date: _date, ...rest } = headers;
  return { status, text, headers: { ...rest, ratelimit: null } };
};

test("the answer is the same for an address that is known, new, blocked, or over a limit", async () => {
  const [blocked, fresh] = [makeAddress(), makeAddress()];
  await cli("site", "block", "--email", blocked);
  const known = await openDashboard(service);
  const asked = told(await ask(known.email));
  expect(asked.status).toBe(200);
  expect(told(await ask(fresh))).toEqual(asked);
  expect(told(await ask(blocked))).toEqual(asked);
  for (let n = 0; n < 4; n++) expect(told(await ask(fresh))).toEqual(asked);
  const from = nextNetwork();
  for (let n = 0; n < 7; n++) expect(told(await ask(makeAddress(), from))).toEqual(asked);
  await untilAnswered();
  expect(await mailsTo(service, blocked)).toEqual([]);
});

test("one network address asks for five links an hour, and its limit holds for no owner", async () => {
  const name = `mara-${randomUUID()}`;
  const known = await openDashboard(service);
  const asked = Array.from({ length: 20 }, (_, n) =>
    ask(`${name}-${n}@example.net`, `2001:db8:1:1::${n + 1}`),
  );
  await Promise.all(asked);
  await ask(known.email, "2001:db8:1:1::1");
  await until(async () => (await mailsTo(service, known.email)).length === 1, 10_000);
  await untilAnswered();
  await until(async () => (await countLinks(name)) === 5, 10_000);
  await ask(`${name}-more@example.net`, "2001:db8:1:2::1");
  await until(async () => (await countLinks(name)) === 6, 10_000);
});

test.each(["closed", "invite"] as const)(
  "where sign-up is %s an unknown address gets nothing, and a link of before opens nothing",
  async (signUp) => {
    const [email, other] = [makeAddress(), makeAddress()];
    await ask(email);
    const path = await linkTo(service, email);
    service.deps.config.signUp = signUp;
    await ask(other);
    await untilAnswered();
    expect(await mailsTo(service, other)).toEqual([]);
    expect((await press(service, path)).status).toBe(404);
    expect(await ownersOf(service, email)).toEqual([]);
    service.deps.config.signUp = "open";
    await openAccount(service, path);
  },
);

test("the sign-in page says who can open an account", async () => {
  const read = async () => (await request(service, { method: "GET", url: "/sign-in" })).text;
  expect(await read()).toContain("Give your address: the link that we send there opens one");
  service.deps.config.signUp = "invite";
  expect(await read()).toContain("Somebody who has one can invite you");
  service.deps.config.signUp = "closed";
  expect(await read()).toContain("The operators of this site open one for you");
});

test("by a mail server nothing of a link gets into the log, pressed or not", async () => {
  const server = await openSmtpServer();
  const captured = captureLog();
  const mail = { smtpUrl: server.url, mailFrom: "mail@example.org" };
  const other = await openService({
    ...{ workers: false, log: captured.log, config: { ...mail, signUp: "open" } },
  });
  await askLink(other, "mara@example.net");
  await server.waitFor(1);
  const text = (server.received[0]?.data ?? "").replaceAll("=\r\n", "");
  const secret = /\/sign-in\/([\w-]{43})/.exec(text)?.[1] ?? "";
  await request(other, { method: "GET", url: `/sign-in/${secret}` });
  expect((await press(other, `/sign-in/${secret}`)).status).toBe(303);
  await until(async () => /mail is sent.*\/sign-in\/:secret/s.test(captured.text()), 10_000);
  expect(captured.text()).toContain("/sign-in/:secret");
  expect(captured.text()).not.toContain(secret);
  expect(captured.text()).not.toContain("mara@");
});
