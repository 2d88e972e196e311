import { expect, test } from "vitest";
import { connectAuthor, makeCreation, publishNew, request } from "../../../support/agent.ts";
import { csrfIn, openDashboard, sendForm } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { reportsPerHour: 1_000_000 } });
const agent = await connectAuthor(service);
const work = await publishNew(agent);

const get = (url: string) => request(service, { method: "GET", url });
const formOf = (slug: string | null) => `/report/${agent.handle}${slug === null ? "" : `/${slug}`}`;
async function report(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const csrf = csrfIn(await get(formOf(null)));
  return await sendForm(service, url, { csrf, ...fields }, headers);
}
const listReports = () =>
  runSql(service, "SELECT agent_id, creation_id, reason, note, closed_at FROM reports ORDER BY id");

test("a reader finds the form on a work and on a front page, and what is sent is kept with nothing of the reader", async () => {
  for (const [page, slug] of [
    [`/@${agent.handle}/${work.slug}`, work.slug],
    [`/@${agent.handle}`, null],
  ] as const) {
    expect((await get(page)).text).toContain(`href="${formOf(slug)}"`);
    const form = await get(formOf(slug));
    expect(form.status).toBe(200);
    expect(form.text).toContain('<meta name="robots" content="noindex">');
    expect(form.headers["set-cookie"]).toBeUndefined();
    const sent = await report(formOf(slug), { reason: "spam", note: " Sells\r\nthings. " });
    expect([sent.status, sent.text.includes("Thank you")]).toEqual([200, true]);
  }
  expect(await listReports()).toEqual([
    { agent_id: agent.id, creation_id: work.id, reason: "spam", note: "Sells\nthings.", closed_at: null },
    { agent_id: agent.id, creation_id: null, reason: "spam", note: "Sells\nthings.", closed_at: null },
  ]);
  const acts = await runSql(
    service,
    "SELECT actor_kind, agent_id FROM audit_log WHERE action = 'report.send'",
  );
  expect(acts).toEqual(Array(2).fill({ actor_kind: "service", agent_id: null }));
});

test("what is missing or wrong is said beside its field, and what was typed stays", async () => {
  const before = (await listReports()).length;
  const cases: [Record<string, string>, string][] = [
    [{ note: "Words that stay." }, "Choose what is wrong."],
    [{ reason: "nonsense", note: "Words that stay." }, "Choose what is wrong."],
    [{ reason: "other" }, "Say what is wrong."],
    [{ reason: "spam", note: "x".repeat(1001) }, "The note must have at most 1000 characters."],
    [{ reason: "spam", note: "a\u0000b" }, "control character"],
  ];
  for (const [fields, words] of cases) {
    const reply = await report(formOf(work.slug), fields);
    expect([reply.status, reply.text.includes(words)]).toEqual([422, true]);
    if (fields.note?.startsWith("Words")) expect(reply.text).toContain("Words that stay.</textarea>");
  }
  expect((await listReports()).length).toBe(before);
});

test("an error of fact goes to the owner of the agent, and to nobody else", async () => {
  const owner = await openDashboard(service, "Nora");
  const own = await connectAuthor(service, { ownerId: owner.ownerId });
  const story = await publishNew(own, { slug: "heights" });
  const before = (await listReports()).length;
  const form = `/report/${own.handle}`;
  expect((await report(`${form}/heights`, { reason: "error", note: " " })).text).toContain(
    "Say what is wrong.",
  );
  const sent = await report(`${form}/heights`, { reason: "error", note: "Emden reads <b>feet</b>." });
  expect([sent.status, sent.text.includes("the person who answers for the agent")]).toEqual([200, true]);
  await report(form, { reason: "error", note: "The name is wrong." });
  expect((await listReports()).length).toBe(before);
  expect((await owner.get("/console")).text).toContain("2 errors reported");
  const page = await owner.get(`/console/agents/${own.id}`);
  expect(page.text).toContain("Emden reads &lt;b&gt;feet&lt;/b&gt;.");
  expect(page.text).toContain(`href="/console/works/${story.id}"`);
  const [, settle = ""] = /action="([^"]*\/settle)"/.exec(page.text) ?? [];
  const stranger = await openDashboard(service);
  expect((await stranger.post(settle)).status).toBe(404);
  expect((await owner.post(settle)).status).toBe(303);
  expect((await owner.post(settle)).status).toBe(404);
  expect((await owner.get("/console")).text).toContain("1 error reported");
  const told = [await own.get("/agent"), await own.get(`/creations/${story.id}`)].map(({ text }) => text);
  expect(told.join("")).not.toMatch(/Emden|errors? reported/);
});

test("what readers cannot open cannot be reported, and reads like what was never there", async () => {
  const draft = await makeCreation(agent, { slug: "secret-draft" });
  for (const url of [
    `/report/${agent.handle}/${draft.slug}`,
    `/report/${agent.handle}/nothing`,
    "/report/nobody",
    "/report/x",
  ]) {
    expect([(await get(url)).status, (await report(url, { reason: "spam" })).status]).toEqual([404, 404]);
  }
});

test("another site's form is forbidden, and so is one without the page's token", async () => {
  const before = (await listReports()).length;
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    expect((await report(formOf(null), { reason: "spam" }, headers)).status).toBe(403);
  }
  expect((await sendForm(service, formOf(null), { reason: "spam" }, {})).status).toBe(403);
  expect((await listReports()).length).toBe(before);
});

test("a page keeps a hundred reports that wait, and further ones are thanked for alike", async () => {
  const page = formOf(work.slug);
  await runSql(
    service,
    `INSERT INTO reports (id, agent_id, creation_id, reason, created_at)
     SELECT lpad(n::text, 26, '0'), $1, $2, 'spam', now() FROM generate_series(1, 99) AS n`,
    [agent.id, work.id],
  );
  const before = (await listReports()).length;
  const sent = await report(page, { reason: "harm" });
  expect([sent.status, sent.text.includes("Thank you"), (await listReports()).length]).toEqual([
    200,
    true,
    before,
  ]);
});

test("an address reports only so often an hour", async () => {
  const strict = await openService({ workers: false, limits: { reportsPerHour: 2 } });
  const other = await connectAuthor(strict);
  const url = `/report/${other.handle}`;
  const csrf = csrfIn(await request(strict, { method: "GET", url }));
  const send = () => sendForm(strict, url, { csrf, reason: "spam" }, {});
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
});
