import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { connectAuthor, type Json, makeCreation, type WriteOptions } from "../../../support/agent.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { listActsOn, runSql } from "../../../support/tables.ts";
import { look } from "../../../support/work-acts.ts";

const REASON = "The gauge was read in feet.";

const service = await openService({ workers: false, limits: { publicationsPerDay: 8, updatesPerDay: 1 } });
const owner = await openDashboard(service, "Nora");
const agent = await connectAuthor(service, { ownerId: owner.ownerId });

const publishWork = async () => await makeCreation(agent, { publish: {} });
const post = async (work: Json, action: string, body: unknown, more: WriteOptions = {}) =>
  await agent.send("POST", `/creations/${work.id}/${action}`, body, { ifMatch: work.lock_version, ...more });

test("what is missing or wrong is named with how to mend it, and nothing is stored", async () => {
  const work = await publishWork();
  const draft = await makeCreation(agent);
  const cases: [unknown, Record<string, string>][] = [
    [undefined, { reason: "The reason is required." }],
    [{ reason: "" }, { reason: "" }],
    [{ reason: "  \n " }, { reason: "" }],
    [{ reason: "x".repeat(501) }, { reason: "500" }],
    [{ reason: "a\u0000b" }, { reason: "control character" }],
    [{ reason: 7 }, { reason: "must be text" }],
    [{ reason: REASON, superseded_by: "surge" }, { superseded_by: "must be a ULID" }],
    [{ reason: REASON, superseded_by: work.id }, { superseded_by: "cannot supersede itself" }],
    [{ reason: REASON, superseded_by: draft.id }, { superseded_by: "that readers can open" }],
    [{ reason: REASON, superseded_by: "01M7WVCCXGEVQM8BZ45NSYPBF2" }, { superseded_by: "can open" }],
    [
      { reason: "", superseded_by: draft.id },
      { reason: "", superseded_by: "that readers can open" },
    ],
    [{ reason: REASON, superseeded_by: null }, { superseeded_by: "superseded_by" }],
  ];
  for (const [body, errors] of cases) {
    const { status, json } = await post(work, "retract", body);
    expect([body, status, Object.keys(json.errors ?? {})]).toEqual([body, 422, Object.keys(errors)]);
    for (const [field, words] of Object.entries(errors)) expect(json.errors[field][0]).toContain(words);
  }
  const unsaid = await post({ ...work }, "reinstate", { superseded_by: null });
  expect([unsaid.status, Object.keys(unsaid.json.errors).sort()]).toEqual([422, ["reason", "superseded_by"]]);
  expect((await look(agent, work)).lock_version).toBe(work.lock_version);
});

test("a retracted work takes drafts and nothing else; each act has its state", async () => {
  const work = await publishWork();
  const draft = await makeCreation(agent);
  expect((await post(draft, "retract", { reason: REASON })).json.code).toBe("not_published");
  expect((await post(draft, "reinstate", { reason: REASON })).json.code).toBe("not_published");
  expect((await post(work, "reinstate", { reason: REASON })).json.code).toBe("invalid_revision_state");
  const body = { changes: {}, change_summary: "Later." };
  const saved = await agent.send("PATCH", `/creations/${work.id}`, body, { ifMatch: work.lock_version });
  const publish_at = new Date(service.clock.nowMs + 3_600_000).toISOString();
  const set = (await post(saved.json.data, "schedule", { publish_at })).json.data;
  expect(set.scheduled_publication.status).toBe("pending");
  const key = randomUUID();
  const retracted = await post(set, "retract", { reason: ` ${REASON} ` }, { key });
  const { data } = retracted.json;
  expect([retracted.status, data.lock_version]).toEqual([200, set.lock_version + 1]);
  expect(data.scheduled_publication).toMatchObject({
    status: "cancelled",
    outcome_detail: "Cancelled by the retraction.",
  });
  expect(data.retracted).toMatchObject({ by: "agent", reason: REASON, superseded_by: null });
  const replay = await post(set, "retract", { reason: ` ${REASON} ` }, { key });
  expect([replay.json, replay.headers["idempotent-replayed"]]).toEqual([retracted.json, "true"]);
  expect((await post(data, "retract", { reason: REASON })).json.code).toBe("invalid_revision_state");
  const { lock_version: ifMatch } = data;
  for (const [action, sent] of [
    ["publish", {}],
    ["schedule", { publish_at }],
    ["restore", { revision_id: 1 }],
  ] as const) {
    const { status, json } = await post(data, action, sent);
    expect([action, status, json.code]).toEqual([action, 409, "publication_not_eligible"]);
    expect(json.hint).toContain("reinstate");
  }
  const refused = await agent.send("PATCH", `/creations/${work.id}`, { ...body, publish: {} }, { ifMatch });
  expect(refused.json.code).toBe("publication_not_eligible");
  const kept = await agent.send("PATCH", `/creations/${work.id}`, body, { ifMatch });
  expect([kept.status, kept.json.warnings.map(({ code }: Json) => code)]).toEqual([
    200,
    ["nothing_changed", "publication_not_eligible"],
  ]);
  const list = (await agent.get("/creations?per_page=100")).json.data;
  expect(list.find(({ id }: Json) => id === work.id).retracted.reason).toBe(REASON);
  const off = (await post(kept.json.data, "unpublish", undefined)).json.data;
  expect(off.retracted.reason).toBe(REASON);
  const again = await post(off, "reinstate", { reason: "It was metric." });
  expect([again.status, again.json.data.retracted]).toEqual([200, null]);
  const open = await post(again.json.data, "restore", { revision_id: 1 });
  expect(open.status).toBe(200);
  expect(await listActsOn(service, agent.id)).toEqual(
    expect.arrayContaining(["agent creation.retract", "agent creation.reinstate"]),
  );
});

test("no limit of a day refuses it", async () => {
  const work = await publishWork();
  await runSql(service, "UPDATE daily_counts SET publications = 1000, updates = 1000");
  const brief = { type: "brief", payload: { body_markdown: "High." }, publish: {} };
  expect((await agent.send("POST", "/creations", brief)).json.code).toBe("publication_limit");
  expect((await post(work, "retract", { reason: REASON })).status).toBe(200);
  expect((await look(agent, work)).retracted.by).toBe("agent");
});

test("an owner does both in the console, also for a paused agent", async () => {
  const [work, better] = await runSql(
    service,
    "SELECT c.id, c.slug FROM creations c WHERE c.visibility = 'public' AND c.retracted_at IS NULL ORDER BY c.id",
  );
  const page = `/console/works/${work.id}`;
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
  expect((await owner.get(page)).text).toContain("Take it back");
  expect((await owner.post(`${page}/retract`, { reason: " " })).status).toBe(422);
  const wrong = { reason: REASON, superseded_by: "/@nobody/nothing" };
  expect((await owner.post(`${page}/retract`, wrong)).status).toBe(422);
  const form = { reason: REASON, superseded_by: `@${agent.handle}/${better.slug}` };
  expect((await owner.post(`${page}/retract`, form)).status).toBe(303);
  const { retracted } = await look(agent, work);
  expect([retracted.by, retracted.superseded_by.id]).toEqual(["owner", better.id]);
  expect((await owner.get(page)).text).toContain("Reinstate it");
  expect((await owner.post(`${page}/retract`, { reason: REASON })).status).toBe(409);
  expect((await owner.post(`${page}/reinstate`, { reason: "It holds." })).status).toBe(303);
  expect((await look(agent, work)).retracted).toBeNull();
  const stranger = await openDashboard(service);
  expect((await stranger.post(`${page}/retract`, { reason: REASON })).status).toBe(404);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "resume");
});

test("an erased work keeps nothing of its retraction", async () => {
  const [work] = await runSql(service, "SELECT id FROM creations WHERE retracted_at IS NOT NULL");
  await eraseCreation(service.deps, COMMAND_LINE, work.id);
  const [row] = await runSql(
    service,
    "SELECT retracted_at, retracted_by, retracted_reason, superseded_by, reinstated_reason FROM creations WHERE id = $1",
    [work.id],
  );
  expect(Object.values(row)).toEqual([null, null, null, null, null]);
});
