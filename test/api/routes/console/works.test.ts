import { expect, test } from "vitest";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { endLeakedCredentials } from "../../../../shared/identity/agents/end-leaked.ts";
import { issueCode, reissueCode, revokeCode } from "../../../../shared/identity/agents/enrolment-codes.ts";
import { describeAct } from "../../../../shared/identity/audit/act-words.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { ACT_NOUNS } from "../../../../shared/identity/owners/audit-log.ts";
import { runOwnerCommand } from "../../../../shared/identity/owners/suspension.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAuthor, makeCreation, publish, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { revise } from "../../../support/work-acts.ts";

const service = await openService();
const dashboard = await openDashboard(service);
const agent = await connectAuthor(service, { ownerId: dashboard.ownerId });

/** The part of a page that shows the work itself. */
const workIn = (text: string) => /<article class="work">[\s\S]*<\/article>/.exec(text)?.[0] ?? "no work";
const story = (title: string) => ({
  payload: { title, body_markdown: "## What rose\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nIt **rose**.\n" },
});

test("drafts and schedules stand in the list, and a draft reads as it will once it is published", async () => {
  const draft = await makeCreation(agent, story("Read before"));
  const at = new Date(service.clock.nowMs + HOUR_MS).toISOString();
  const order = { revision_id: draft.latest_revision.id, publish_at: at };
  const set = await agent.send("POST", `/creations/${draft.id}/schedule`, order, { ifMatch: 1 });
  const version = set.json.data.lock_version;
  const list = await dashboard.get(`/console/agents/${agent.id}/works`);
  expect(list.text).toContain("Read before");
  expect(list.text).toMatch(/Not published[\s\S]*Scheduled for <time datetime="2026-11-20T10:00:00Z">/);
  const preview = await dashboard.get(`/console/works/${draft.id}/revisions/1`);
  expect(preview.text).toContain('<meta name="robots" content="noindex">');
  expect(preview.headers["content-security-policy"]).not.toContain("script-src");
  // Nothing leads to an address that is nobody's yet, and the cover is in the page.
  expect(preview.text).not.toMatch(/href="[^"]*\/read-before|\/art\//);
  expect(preview.text).toMatch(/<img class="cover" src="data:image\/svg\+xml;base64,[^"]+"/);
  expect(preview.text).toContain("<dt>Saved</dt>");
  expect((await request(service, { method: "GET", url: `/@${agent.handle}/read-before` })).status).toBe(404);
  await publish(agent, { ...draft, lock_version: version });
  const open = await request(service, { method: "GET", url: `/@${agent.handle}/read-before` });
  expect(workIn(preview.text)).toContain("<strong>rose</strong>");
  const facts = /<aside[\s\S]*<\/aside>/;
  expect(workIn(preview.text).replace(facts, "")).toBe(workIn(open.text).replace(facts, ""));
  expect((await dashboard.get(`/console/works/${draft.id}/revisions/2`)).status).toBe(404);
});

test("a preview publishes no picture of a draft and replaces none of what readers see", async () => {
  const open = await publishNew(agent, story("Seen by all"));
  const url = `/@${agent.handle}/${open.slug}`;
  await request(service, { method: "GET", url });
  await request(service, { method: "GET", url: `/@${agent.handle}` });
  const listArtworks = () =>
    runSql(service, "SELECT hash, replaced_at FROM artworks WHERE agent_id IS NOT NULL ORDER BY hash");
  const before = await listArtworks();
  expect(before).not.toEqual([]);
  const body = { ...story("Seen by its owner"), change_summary: "Another title" };
  await agent.send("PATCH", `/creations/${open.id}`, body, { ifMatch: open.lock_version });
  const design = { colors: ["#102030", "#a0b0c0"], pattern: "waves", seed: 7 };
  const profile = {
    profile: { display_name: "Another name", tagline: "Water", topics: ["climate"], design },
  };
  const { lock_version } = (await agent.get("/agent")).json.data;
  await agent.send("PATCH", "/agent/profile", profile, { ifMatch: lock_version });
  for (const page of [`/console/works/${open.id}/revisions/2`, `/console/agents/${agent.id}/front-page`]) {
    const preview = await dashboard.get(page);
    expect([preview.status, preview.text.includes("/art/")]).toEqual([200, false]);
    expect(preview.text).toContain('<img class="cover" src="data:');
  }
  expect(await listArtworks()).toEqual(before);
});

test("a draft's file opens for its owner alone", async () => {
  const asset = await uploadReady(service, agent, "hidden.csv", "station,height\nHusum,4\n");
  const attachments = [{ asset_id: asset.id, label: "Hourly" }];
  const draft = await makeCreation(agent, { type: "dataset", payload: { title: "Gauges", attachments } });
  const page = await dashboard.get(`/console/works/${draft.id}/revisions/1`);
  const path = `/console/works/${draft.id}/revisions/1/files/${asset.id}`;
  expect(page.text).toContain(`href="${path}"`);
  const file = await dashboard.get(path);
  expect([file.status, file.text]).toEqual([200, "station,height\nHusum,4\n"]);
  expect(file.headers["content-disposition"]).toContain("attachment");
  expect(file.headers["cache-control"]).toBe("no-store");
  expect((await request(service, { method: "GET", url: `/media/${asset.id}/hidden.csv` })).status).toBe(404);
});

test("the owner takes a work off the site at once and removes an earlier revision for good", async () => {
  const first = await publishNew(agent, story("Taken down"));
  const body = { ...story("Taken down twice"), change_summary: "Newer." };
  await revise(agent, first, body);
  const page = `/console/works/${first.id}`;
  expect((await dashboard.get(page)).text).toContain(`${page}/revisions/1/remove`);
  expect((await dashboard.post(`${page}/revisions/1/remove`)).status).toBe(422);
  expect((await dashboard.post(`${page}/revisions/2/remove`, { sure: "yes" })).status).toBe(409);
  expect((await dashboard.post(`${page}/revisions/1/remove`, { sure: "yes" })).status).toBe(303);
  expect((await dashboard.get(page)).text).toMatch(/The owner removed this content on/);
  const entry = await dashboard.get(`${page}/revisions/1`);
  expect(entry.text).toMatch(/The owner removed this content on <time[^>]*>20 November 2026/);
  expect([entry.status, entry.text.includes("Taken down<"), workIn(entry.text)]).toEqual([
    ...[200, false, "no work"],
  ]);
  const url = `/@${agent.handle}/taken-down`;
  expect((await request(service, { method: "GET", url })).status).toBe(200);
  expect((await dashboard.post(`${page}/unpublish`)).status).toBe(303);
  expect((await request(service, { method: "GET", url })).status).toBe(404);
});

test("the owner cancels the schedule of a draft that nobody has read, and nothing is published", async () => {
  const draft = await makeCreation(agent, story("Not after all"));
  const due = service.clock.nowMs + HOUR_MS;
  const order = { revision_id: draft.latest_revision.id, publish_at: new Date(due).toISOString() };
  const set = await agent.send("POST", `/creations/${draft.id}/schedule`, order, { ifMatch: 1 });
  const page = `/console/works/${draft.id}`;
  expect((await dashboard.get(page)).text).toMatch(
    /Revision 1 will be published on <time[\s\S]*Cancel the schedule/,
  );
  for (const _click of ["first", "second"]) {
    expect((await dashboard.post(`${page}/schedule/cancel`)).headers.location).toBe(page);
    const told = (await agent.get(`/creations/${draft.id}`)).json.data;
    expect(told.lock_version).toBe(set.json.data.lock_version + 1);
    expect(told.scheduled_publication).toMatchObject({
      status: "cancelled",
      outcome_detail: "Cancelled by the owner.",
    });
  }
  const text = (await dashboard.get(page)).text;
  expect([text.includes("Cancelled by the owner."), text.includes("Cancel the schedule")]).toEqual([
    true,
    false,
  ]);
  service.clock.nowMs = due + 1;
  expect(await sweepDueSchedules(service.deps)).toBe(0);
  service.clock.nowMs = TEST_START_MS;
  const acts = await runSql(
    service,
    "SELECT actor_kind, actor_id FROM audit_log WHERE subject_id = $1 AND action = 'creation.cancel_schedule'",
    [draft.id],
  );
  expect(acts).toEqual([{ actor_kind: "owner", actor_id: dashboard.ownerId }]);
});

test("the front page is read before it is published", async () => {
  const { lock_version } = (await agent.get("/agent/profile")).json.data;
  await agent.send("PATCH", "/agent/profile", { tagline: "Not told yet" }, { ifMatch: lock_version });
  const page = await dashboard.get(`/console/agents/${agent.id}/front-page`);
  expect([page.status, page.text.includes("Not told yet"), page.text.includes("Only you")]).toEqual([
    200,
    true,
    true,
  ]);
  expect((await request(service, { method: "GET", url: `/@${agent.handle}` })).text).not.toContain(
    "Not told",
  );
});

test("what was done is filtered, told in parts and taken away whole", async () => {
  const all = await dashboard.get("/console/audit.ndjson");
  const entries = all.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(entries.map(({ who }) => who))).toEqual(new Set(["agent", "owner", "command"]));
  const nouns = entries.map(({ action }) => action.split(".")[0]);
  expect(entries.filter(({ action }) => describeAct(action) === action)).toEqual([]);
  expect(nouns.filter((noun) => !(ACT_NOUNS as readonly string[]).includes(noun))).toEqual([]);
  const mine = await dashboard.get(
    `/console/audit.ndjson?agent=${agent.id}&who=owner&about=creation&from=2026-11-20`,
  );
  expect(
    mine.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).action),
  ).toEqual(["creation.cancel_schedule", "creation.unpublish"]);
  expect((await dashboard.get("/console/audit.ndjson?to=2026-11-19")).text).toBe("");
  await runSql(
    service,
    `INSERT INTO audit_log (at, actor_kind, action, subject_kind, subject_id, agent_id)
     SELECT '2026-11-20T09:00:00Z', 'service', 'agent.many', 'agent', '=1+' || n, $1 FROM generate_series(1, 1203) n`,
    [agent.id],
  );
  const csv = (await dashboard.get("/console/audit.csv?who=service")).text.trim().split("\r\n");
  expect(csv).toHaveLength(1204);
  expect(csv[1]).toContain(`"'=1+1203"`);
  let url = "/console/audit?who=service";
  let seen = 0;
  while (url !== "") {
    const page = await dashboard.get(url);
    seen += page.text.match(/<p class="hash">agent\.many/g)?.length ?? 0;
    url = (/href="([^"]+)" rel="next"/.exec(page.text)?.[1] ?? "").replaceAll("&amp;", "&");
  }
  expect(seen).toBe(1203);
  for (const wrong of ["who=nobody", "about=x", "from=yesterday"]) {
    expect((await dashboard.get(`/console/audit?${wrong}`)).status).toBe(422);
  }
  const stranger = await openDashboard(service);
  for (const place of ["/console/audit", "/console/audit.csv", "/console/audit.ndjson"]) {
    expect((await stranger.get(`${place}?agent=${agent.id}`)).status).toBe(404);
    expect((await stranger.get(place)).text).not.toContain(agent.handle);
  }
});

test("what was done tells of codes that others issued and ended, and leads to nothing that is gone or of others", async () => {
  const draft = await makeCreation(agent);
  await agent.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch: draft.lock_version });
  const other = await connectAuthor(service);
  const watched = await publishNew(other);
  for (const target of [`creations/${watched.id}`, `agents/${other.id}`])
    expect((await agent.send("PUT", `/watches/${target}`, undefined)).status).toBe(204);
  const own = { ownerId: dashboard.ownerId, handle: null };
  const first = await issueCode(service.deps, COMMAND_LINE, own);
  await endLeakedCredentials(service.deps, [first.enrollment_code], "01M7WW40S0RPRWNC8S9C3DKSCZ");
  const again = await reissueCode(service.deps, COMMAND_LINE, { agentId: agent.id });
  await revokeCode(service.deps, COMMAND_LINE, again.enrollment_id);
  const page = (await dashboard.get("/console/audit")).text;
  expect(page).toContain(`creation ${draft.id}`);
  for (const gone of [draft, watched, other])
    expect(page).not.toMatch(new RegExp(`/console/\\w+/${gone.id}`));
  const claim = (await dashboard.get("/console/audit?about=agent&who=command")).text;
  expect(claim).toContain(`href="/console/agents/${agent.id}"`);
  const kept = (await dashboard.get("/console/audit.ndjson?about=enrollment")).text.trim().split("\n");
  const told = kept.map((line) => JSON.parse(line)).slice(0, 4);
  expect(told.map(({ action, subject_id, agent: handle }) => [action, subject_id, handle])).toEqual([
    ["enrollment.revoke", again.enrollment_id, agent.handle],
    ["enrollment.reissue", again.enrollment_id, agent.handle],
    ["enrollment.leaked", first.enrollment_id, null],
    ["enrollment.issue", first.enrollment_id, null],
  ]);
});

test("no page leads an owner to readers' pages that are closed", async () => {
  const open = await publishNew(agent);
  const links = async () =>
    await Promise.all(
      [`works/${open.id}`, `agents/${agent.id}`].map(async (page) =>
        (await dashboard.get(`/console/${page}`)).text.includes("Read it as readers do"),
      ),
    );
  expect(await links()).toEqual([true, true]);
  await runOwnerCommand(service.deps, COMMAND_LINE, dashboard.ownerId, "suspend");
  expect(await links()).toEqual([false, false]);
  await runOwnerCommand(service.deps, COMMAND_LINE, dashboard.ownerId, "unsuspend");
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "suspend");
  expect(await links()).toEqual([false, false]);
});
