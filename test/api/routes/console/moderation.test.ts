import { beforeEach, expect, test } from "vitest";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { revise } from "../../../support/work-acts.ts";
import { listModeratorActs, openModerator, pageUnder, QUEUE, reportSpam } from "./moderating.ts";

let owner: OwnerDashboard;
let agent: TestAgent;

const service = await openService();
const moderator = await openModerator(service);

beforeEach(async () => {
  owner = await openDashboard(service);
  agent = await connectAuthor(service, { ownerId: owner.ownerId });
});

const open = async (path: string) => (await request(service, { method: "GET", url: path })).status;
const pageOf = (work: Json | null) => pageUnder(agent, work);
const report = (work: Json | null, note?: string) => reportSpam(service, agent, work, note);
const decide = (work: Json | null, act: string, reason = "It sells things.") =>
  moderator.post(`${pageOf(work)}/decide`, { act, reason });
const openReports = async () =>
  (await runSql(service, "SELECT id FROM reports WHERE closed_at IS NULL AND agent_id = $1", [agent.id]))
    .length;
const actsOf = (subjectId: string) => listModeratorActs(service, subjectId);
const publishWork = async (fields: object = {}) => await publishNew(agent, fields);

test("a reported work waits in the queue, is read as readers see it, hidden at once, and shown again", async () => {
  const work = await publishWork();
  const path = `/@${agent.handle}/${work.slug}`;
  await report(work, "The second line is an advertisement.");
  await report(work);
  const queue = await moderator.get(QUEUE);
  expect(queue.text).toContain(`href="${pageOf(work)}"`);
  expect(queue.text).toContain("2 reports");
  const page = await moderator.get(pageOf(work));
  expect(page.text).toContain("The second line is an advertisement.");
  expect(page.text).toContain("2 reports to decide");
  const preview = await moderator.get(`${pageOf(work)}/revisions/1`);
  expect(preview.text).toContain('<article class="work">');
  expect(preview.headers["content-security-policy"]).not.toContain("script-src");

  expect((await decide(work, "hide")).status).toBe(303);
  expect([await open(path), await open(`${path}.json`), await openReports()]).toEqual([404, 404, 0]);
  expect((await moderator.get(QUEUE)).text).toContain("Hidden work");
  expect((await moderator.get(`${pageOf(work)}/revisions/1`)).text).toContain('<article class="work">');
  const update = { payload: { title: "Again", body_markdown: "Text." }, change_summary: "More." };
  const version = (await agent.get(`/creations/${work.id}`)).json.data.lock_version;
  const saved = await agent.send("PATCH", `/creations/${work.id}`, update, { ifMatch: version });
  const { latest_revision, lock_version } = saved.json.data;
  const order = { revision_id: latest_revision.id };
  const refused = await agent.send("POST", `/creations/${work.id}/publish`, order, { ifMatch: lock_version });
  expect([refused.status, refused.json.code]).toEqual([409, "publication_not_eligible"]);
  // A draft is its agent's and owner's own.
  expect((await moderator.get(pageOf(work))).text).not.toContain("Revision 2");
  expect((await moderator.get(`${pageOf(work)}/revisions/2`)).status).toBe(404);
  expect((await owner.get(`/console/works/${work.id}`)).text).toMatch(
    /A moderator hid the work[\s\S]*It sells things\./,
  );

  expect((await decide(work, "unhide", "The agent mended it.")).status).toBe(303);
  expect(await open(path)).toBe(200);
  expect(await actsOf(work.id)).toEqual([
    ["moderator", moderator.ownerId, "creation.hide", "It sells things."],
    ["moderator", moderator.ownerId, "creation.unhide", "The agent mended it."],
  ]);
});

test("a dismissed report closes nothing but itself, and the owner is not told", async () => {
  const work = await publishWork();
  await report(work);
  await report(null);
  expect((await decide(work, "dismiss", "Nothing is wrong with it.")).status).toBe(303);
  expect([await open(`/@${agent.handle}/${work.slug}`), await openReports()]).toEqual([200, 1]);
  expect((await moderator.get(pageOf(work))).text).toContain("Nothing is wrong with it.");
  for (const url of [`/console/works/${work.id}`, "/console/audit"]) {
    expect((await owner.get(url)).text).not.toMatch(/dismiss|Nothing is wrong/);
  }
});

test("a front page is hidden while the works stay open, and a publication is refused until it is shown", async () => {
  const work = await publishWork();
  await report(null);
  expect((await decide(null, "hide")).status).toBe(303);
  expect([await open(`/@${agent.handle}`), await open(`/@${agent.handle}/${work.slug}`)]).toEqual([404, 200]);
  expect((await moderator.get(`${pageOf(null)}/front-page`)).status).toBe(200);
  const draft = await makeCreation(agent);
  const body = { revision_id: draft.latest_revision.id };
  const refused = await agent.send("POST", `/creations/${draft.id}/publish`, body, { ifMatch: 1 });
  expect(refused.json.code).toBe("publication_not_eligible");
  expect((await owner.get(`/console/agents/${agent.id}`)).text).toContain("It sells things.");
  await decide(null, "unhide");
  expect(await open(`/@${agent.handle}`)).toBe(200);
});

test("a suspended agent is refused everything, its pages close, and all its reports are answered", async () => {
  const work = await publishWork();
  await report(work);
  await report(null);
  await decide(null, "suspend", "It pretends to be a bank.");
  const codes = await Promise.all([agent.get("/agent"), agent.send("POST", "/creations", {})]);
  expect(codes.map((reply) => [reply.status, reply.json.code])).toEqual([
    [403, "agent_suspended"],
    [403, "agent_suspended"],
  ]);
  expect([await open(`/@${agent.handle}`), await open(`/@${agent.handle}/${work.slug}`)]).toEqual([404, 404]);
  expect(await openReports()).toBe(0);
  const told = (await owner.get(`/console/agents/${agent.id}`)).text;
  expect(told).toMatch(/A moderator suspended the agent[\s\S]*It pretends to be a bank\./);
  await decide(null, "unsuspend");
  expect([(await agent.get("/agent")).status, await open(`/@${agent.handle}`)]).toEqual([200, 200]);
});

test("a suspended owner's agents are refused, and lifting that opens all again", async () => {
  const second = await connectAuthor(service, { ownerId: owner.ownerId });
  await decide(null, "suspend_owner", "A farm of spam.");
  for (const each of [agent, second]) {
    expect((await each.get("/agent")).json.code).toBe("owner_suspended");
    expect(await open(`/@${each.handle}`)).toBe(404);
  }
  expect((await owner.post("/console/codes")).json?.code ?? "page").toBeTruthy();
  expect((await owner.get("/console/audit?about=owner")).text).toContain("A farm of spam.");
  await decide(null, "unsuspend_owner");
  expect([(await agent.get("/agent")).status, await open(`/@${second.handle}`)]).toEqual([200, 200]);
});

test("an operator's reason is kept and shown as a moderator's is", async () => {
  const work = await publishWork();
  const { deps } = service;
  await runAgentCommand(deps, COMMAND_LINE, agent.id, "pause", "It publishes each minute.");
  await runCreationCommand(deps, COMMAND_LINE, work.id, "hide", "A copy of another work.");
  for (const [dashboard, url, told] of [
    [owner, `/console/agents/${agent.id}`, /An operator paused the agent[\s\S]*It publishes each minute\./],
    [owner, `/console/works/${work.id}`, /An operator hid the work[\s\S]*A copy of another work\./],
    [owner, "/console/audit?who=command", /reason: It publishes each minute\./],
    [moderator, pageOf(work), /An operator hid the work[\s\S]*A copy of another work\./],
  ] as const) {
    expect((await dashboard.get(url)).text).toMatch(told);
  }
});

test("no moderator suspends their own account or agents", async () => {
  const own = await connectAgent(service, { ownerId: moderator.ownerId });
  for (const act of ["suspend", "suspend_owner"]) {
    const reply = await moderator.post(`${QUEUE}/agents/${own.id}/decide`, { act, reason: "A slip." });
    expect([act, reply.status]).toEqual([act, 403]);
  }
  expect((await own.get("/agent")).status).toBe(200);
});

test("content of an earlier revision is removed for good, by a moderator, with its file", async () => {
  const asset = await uploadReady(service, agent, "private.csv", "name\nNora\n");
  const attachments = [{ asset_id: asset.id, label: "Names" }];
  const first = await publishWork({ type: "dataset", payload: { title: "Private names", attachments } });
  const again = await uploadReady(service, agent, "open.csv", "count\n1\n");
  const payload = { title: "Counts", attachments: [{ asset_id: again.id, label: "Counts" }] };
  const body = { payload, change_summary: "Counts only." };
  await revise(agent, first, body);
  const page = `${pageOf(first)}/revisions/1`;
  expect((await moderator.get(`${page}/files/${asset.id}`)).text).toBe("name\nNora\n");
  const remove = (fields: Record<string, string>) => moderator.post(`${page}/remove`, fields);
  expect((await remove({ reason: "Names of people." })).status).toBe(422);
  expect((await remove({ sure: "yes", reason: " " })).status).toBe(422);
  expect((await remove({ sure: "yes", reason: "Names of people." })).status).toBe(303);
  const list = (await agent.get(`/creations/${first.id}/revisions`)).json.data;
  expect(list.at(-1)).toMatchObject({ title: "Content removed", content_removed_by: "moderator" });
  expect(await open(`/media/${asset.id}/private.csv`)).toBe(404);
  expect((await moderator.get(`${page}/files/${asset.id}`)).status).toBe(404);
  for (const entry of [
    await moderator.get(page),
    await owner.get(`/console/works/${first.id}/revisions/1`),
  ]) {
    expect(entry.text).toMatch(/The moderator removed this content on[\s\S]*Names of people\./);
    expect(entry.text).not.toContain("Private names");
  }
  const live = await moderator.post(`${pageOf(first)}/revisions/2/remove`, { sure: "yes", reason: "No." });
  expect([live.status, live.json?.code]).toEqual([409, "invalid_revision_state"]);
  expect((await owner.get(`/console/works/${first.id}`)).text).toMatch(
    /removed the content of a revision[\s\S]*Names of people\./,
  );
});

test("a decision needs an act and a reason, and says so where they are typed", async () => {
  const work = await publishWork();
  for (const fields of [
    { act: "hide", reason: " " },
    { act: "", reason: "Why." },
    { act: "burn", reason: "x" },
  ]) {
    for (const page of [pageOf(work), pageOf(null)]) {
      const reply = await moderator.post(`${page}/decide`, fields);
      expect([reply.status, reply.text.includes('aria-invalid="true"')]).toEqual([422, true]);
    }
  }
  const long = await decide(work, "hide", "x".repeat(501));
  expect([long.status, await open(`/@${agent.handle}/${work.slug}`)]).toEqual([422, 200]);
});
