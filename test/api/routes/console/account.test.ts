import { expect, test } from "vitest";
import { warnOfAddress } from "../../../../api/http/console-route.ts";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../../shared/identity/owners/alias.ts";
import { request } from "../../../support/agent.ts";
import { captureLog } from "../../../support/log-lines.ts";
import * as mails from "../../../support/mail-folder.ts";
import { csrfIn, openDashboard, sendForm, signInAgain } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const captured = captureLog();

const service = await openService({ workers: false, log: captured.log });

const mailsTo = (email: string) => mails.mailsTo(service, email);
const { pathIn } = mails;

test("sessions are listed with where they came from, ended one by one, and all at once", async () => {
  const one = await openDashboard(service);
  const two = await signInAgain(service, one);
  const page = await one.get("/console/account");
  expect(page.text.match(/127\.0\.0\.1/g)).toHaveLength(2);
  const ids = [...page.text.matchAll(/\/console\/sessions\/(\w{26})\/end/g)].map(([, id]) => id);
  expect(ids).toHaveLength(2);
  const other = ids.find((id) => page.text.indexOf(`${id}`) > page.text.indexOf("Another browser"));
  await one.post(`/console/sessions/${other}/end`);
  expect((await two.get("/console")).text).toContain('name="email"');
  expect((await one.get("/console")).text).toContain("Your agents");
  const three = await signInAgain(service, one);
  const reply = await three.post("/console/sessions/end-all");
  expect([reply.headers.location, String(reply.headers["set-cookie"])]).toEqual([
    "/sign-in",
    expect.stringContaining("Expires=Thu, 01 Jan 1970"),
  ]);
  for (const dashboard of [one, three])
    expect((await dashboard.get("/console")).text).toContain('name="email"');
});

test("a new address counts when its link is confirmed by the owner who asked; other sessions end then", async () => {
  const dashboard = await openDashboard(service);
  const other = await signInAgain(service, dashboard);
  const stranger = await openDashboard(service);
  const wanted = `new-${dashboard.email}`;
  expect((await dashboard.post("/console/account/email", { email: dashboard.email })).status).toBe(422);
  expect((await dashboard.post("/console/account/email", { email: "no address" })).status).toBe(422);
  const asked = await dashboard.post("/console/account/email", { email: wanted.toUpperCase() });
  expect(asked.text).toContain("a link is on its way");
  expect(await mailsTo(dashboard.email)).toHaveLength(1);
  const path = pathIn((await mailsTo(wanted))[0]);
  expect(path).toMatch(/^\/console\/email\/[\w-]{43}$/);
  const before = await dumpTables(service);
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.post(path)).status).toBe(404);
  expect((await dashboard.get(path)).text).toContain(wanted);
  expect(await dumpTables(service)).toBe(before);
  expect((await dashboard.post(path)).status).toBe(303);
  expect((await dashboard.get("/console/account")).text).toContain(wanted);
  expect((await other.get("/console")).text).toContain('name="email"');
  expect((await dashboard.post(path)).status).toBe(404);
  await dashboard.post("/console/account/email", { email: `late-${wanted}` });
  const late = pathIn((await mailsTo(`late-${wanted}`))[0]);
  service.clock.nowMs = TEST_START_MS + HOUR_MS;
  expect((await dashboard.post(late)).status).toBe(404);
  service.clock.nowMs = TEST_START_MS;
});

test("an address that has an account is not told, and gets no mail", async () => {
  const dashboard = await openDashboard(service);
  const known = await openDashboard(service);
  const free = await dashboard.post("/console/account/email", { email: `free-${dashboard.email}` });
  const taken = await dashboard.post("/console/account/email", { email: known.email });
  const shown = (text: string) => /role="status">[^<]*/.exec(text)?.[0];
  expect([taken.status, shown(taken.text)]).toEqual([free.status, shown(free.text)]);
  expect(await mailsTo(known.email)).toEqual([]);
  for (let count = 0; count < 3; count++)
    await dashboard.post("/console/account/email", { email: known.email });
  expect((await dashboard.post("/console/account/email", { email: known.email })).status).toBe(429);
});

test("an alias is changed, shown, hidden and taken away; one that another owner shows is refused beside its field", async () => {
  const dashboard = await openDashboard(service, "First Alias");
  const other = await openDashboard(service);
  await dashboard.post("/console/account/alias", { alias: "Second Alias", shown: "yes" });
  const stored = async () =>
    (await runSql(service, "SELECT alias, show_alias FROM owners WHERE id = $1", [dashboard.ownerId]))[0];
  expect(await stored()).toEqual({ alias: "Second Alias", show_alias: true });
  await other.post("/console/account/alias", { alias: "Fine Alias" });
  const taken = await other.post("/console/account/alias", { alias: "second alias", shown: "yes" });
  expect([taken.status, taken.text.includes("Another owner shows this alias")]).toEqual([422, true]);
  const kept = await runSql(service, "SELECT alias FROM owners WHERE id = $1", [other.ownerId]);
  expect(kept).toEqual([{ alias: "Fine Alias" }]);
  await dashboard.post("/console/account/alias", { alias: "", shown: "yes" });
  expect(await stored()).toEqual({ alias: null, show_alias: false });
});

test("nobody learns of a hidden alias: another owner may choose the same one, and the first to show it has it", async () => {
  const [one, other] = [await openDashboard(service, "Quiet Alias"), await openDashboard(service)];
  expect((await other.post("/console/account/alias", { alias: "quiet alias" })).status).toBe(303);
  expect((await other.post("/console/account/alias", { alias: "quiet alias", shown: "yes" })).status).toBe(
    303,
  );
  expect(await showAlias(one.ownerId)).toMatchObject({
    errors: { alias: [expect.stringContaining("Another")] },
  });
  await other.post("/console/account/alias", { alias: "quiet alias" });
  expect(await showAlias(one.ownerId)).toMatchObject({ show_alias: true });
});

/** The outcome of the operators' command that shows an alias. */
async function showAlias(ownerId: string): Promise<unknown> {
  return await showOwnerAlias(service.deps, COMMAND_LINE, ownerId, true).catch((error) => error);
}

test("an address is mailed ten links an hour at most, and the answer never tells", async () => {
  const dashboard = await openDashboard(service);
  const csrf = csrfIn(await request(service, { method: "GET", url: "/sign-in" }));
  const texts = new Set<string>();
  for (let count = 0; count < 12; count++) {
    texts.add((await sendForm(service, "/sign-in", { csrf, email: dashboard.email }, {})).text);
  }
  expect(texts.size).toBe(1);
  const later = await openDashboard(service);
  await sendForm(service, "/sign-in", { csrf, email: later.email }, {});
  await until(async () => (await mailsTo(later.email)).length > 0, 10_000);
  // The dashboard itself was opened by one. Mails go out behind the answers, in no order.
  await until(async () => (await mailsTo(dashboard.email)).length >= 9, 10_000);
  expect(await mailsTo(dashboard.email)).toHaveLength(9);
});

test("whoever opened a claim link and signs in by mail is led back to it", async () => {
  const dashboard = await openDashboard(service);
  const asked = await request(service, { method: "GET", url: `/claim/${"c".repeat(43)}` });
  const next = /name="next" value="([^"]+)"/.exec(asked.text)?.[1] ?? "";
  const csrf = csrfIn(asked);
  await sendForm(service, "/sign-in", { csrf, next, email: dashboard.email }, {});
  await until(async () => (await mailsTo(dashboard.email)).length > 0, 10_000);
  const path = pathIn((await mailsTo(dashboard.email))[0]);
  const page = await request(service, { method: "GET", url: path });
  const carried = /name="next" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const fields = { csrf: csrfIn(page), next: carried };
  const signedIn = await sendForm(service, path.split("?")[0] ?? "", fields, {});
  expect([signedIn.status, signedIn.headers.location]).toEqual([303, `/claim/${"c".repeat(43)}`]);
});

test("passkey answers that were not asked for sign nobody in and tell nothing", async () => {
  const csrf = csrfIn(await request(service, { method: "GET", url: "/sign-in" }));
  const dashboard = await openDashboard(service);
  const before = await dumpTables(service);
  const junk = JSON.stringify({ id: "AAAA", rawId: "AAAA", type: "public-key", response: {} });
  for (const response of ["", "{", "null", "[]", junk]) {
    const reply = await sendForm(service, "/sign-in/passkey", { csrf, response }, {});
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([422, undefined]);
    expect((await dashboard.post("/console/passkeys", { response, name: "x" })).status).toBe(422);
  }
  expect(await dumpTables(service)).toBe(before);
  const foreign = await sendForm(service, "/sign-in/passkey", { csrf }, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
});

test("where the site's address is an IP address passkeys are switched off, and the page says why", async () => {
  const bare = await openService({ workers: false, config: { siteUrl: "http://127.0.0.1:3000" } });
  expect((await request(bare, { method: "GET", url: "/sign-in" })).text).not.toContain("passkey");
  const dashboard = await openDashboard(bare);
  expect((await dashboard.get("/console/account")).text).toContain("Passkeys are switched off");
  const warned = captureLog();
  warnOfAddress(bare.deps.config, warned.log);
  expect(warned.text()).toMatch(/session cookie unprotected[\s\S]*IP address/);
  const quiet = captureLog();
  warnOfAddress(service.deps.config, quiet.log);
  expect(quiet.text()).toBe("");
});

test("the log of all this holds no cookie, no form token and no code, and a link only where a mail was a file", async () => {
  const dashboard = await openDashboard(service);
  const page = await dashboard.post("/console/codes");
  const code = /bse_[0-9A-Z-]+/.exec(page.text)?.[0] ?? "none";
  const payload = { enrollment_code: code, handle: "log-reader" };
  const enrolled = await request(service, { method: "POST", url: "/api/v1/agents", payload });
  const { token, claim_url } = enrolled.json.data;
  await dashboard.post(new URL(claim_url).pathname);
  const told = captured.text();
  expect(told).toContain("/claim/:secret");
  const secrets = [code, token, claim_url.split("/").at(-1), dashboard.cookie.split("=")[1], csrfIn(page)];
  expect(secrets.filter((secret) => !secret || told.includes(secret))).toEqual([]);
  const links = captured
    .lines()
    .filter((line) => JSON.stringify(line).match(/\/(?:sign-in|console\/email)\/[\w-]{43}/));
  expect(links.every((line) => String(line.msg).startsWith("mail is written to a file"))).toBe(true);
});
