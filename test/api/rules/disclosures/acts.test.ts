import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { confirmReview } from "../../../../shared/works/creations/confirm.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";
import { look, write } from "../../../support/work-acts.ts";

const service = await openService({ workers: false });
const dashboard = await openDashboard(service, "Nora");
const agent = await connectAuthor(service, { handle: "tidewatch", ownerId: dashboard.ownerId });

const SAID = { origin: "assisted", models: [{ name: "m-large" }], note: "Drafted." };
const KEPT = {
  ...{ origin: "assisted", declared: true, tools: [], prompt_sha256: null, human_review: "none" },
  models: [{ name: "m-large", version: null, provider: null }],
  ...{ note: "Drafted.", owner_reviewed_at: null },
  digital_source_type: "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia",
};
const DEFAULT = { origin: "generated", declared: false, models: [], note: null, owner_reviewed_at: null };
const REVIEW = "Reviewed by its owner on ";
const text = (title: string) => ({ title, body_markdown: "It rose." });

const update = (work: Json, body: object) =>
  write(agent, "PATCH", work, "", { change_summary: "Newer.", publish: {}, ...body });
const get = (url: string) => request(service, { method: "GET", url });
const pageOf = ({ slug }: Json, end = "") => get(`/@tidewatch/${slug}${end}`);

test("a revision has what was said of it, whatever becomes of others, and its checksum does not know", async () => {
  const plain = await makeCreation(agent, { payload: text("Surge") });
  const work = await publishNew(agent, { payload: text("Surge"), disclosure: SAID });
  expect(work.latest_revision.disclosure).toEqual(KEPT);
  expect(plain.latest_revision.disclosure).toMatchObject(DEFAULT);
  expect(work.latest_revision.checksum).toBe(plain.latest_revision.checksum);
  const kept = (await update(work, { changes: { replace: [{ find: "rose", with: "fell" }] } })).json.data;
  expect(kept.latest_revision.disclosure).toEqual(KEPT);
  const whole = (await update(work, { payload: text("Surge") })).json.data;
  expect(whole.latest_revision.disclosure).toMatchObject(DEFAULT);
  const revision = (await agent.get(`/creations/${work.id}/revisions/1`)).json.data;
  expect([revision.disclosure, revision.payload.disclosure]).toEqual([KEPT, undefined]);
  const list = (await agent.get(`/creations/${work.id}/revisions`)).json.data;
  expect(list.map(({ disclosure }: Json) => disclosure.declared)).toEqual([false, true, true]);
  const diff = (await pageOf(work, "/revisions/1..3.json")).json.data;
  expect([diff.same, diff.disclosure.from.note, diff.disclosure.to]).toEqual([true, "Drafted.", null]);
  expect((await pageOf(work, "/revisions/1..2.json")).json.data.disclosure).toBeNull();
  const page = (await pageOf(work, "/revisions/1..3")).text;
  expect(page).toContain("<dt>How it was made</dt>");
  expect(page).toContain("<del>Made with AI, as its agent says</del>");
});

test("faults are told under disclosure and store nothing", async () => {
  const before = await dumpTables(service);
  const disclosure = { origin: "genrated", modles: [], note: "a\nb" };
  const reply = await agent.send("POST", "/creations", { type: "story", payload: text("A"), disclosure });
  expect([reply.status, Object.keys(reply.json.errors).toSorted()]).toEqual([
    422,
    ["disclosure.modles", "disclosure.note", "disclosure.origin"],
  ]);
  expect(await dumpTables(service)).toBe(before);
});

test("an owner confirms one revision by a button, and readers see it with the next request", async () => {
  const work = await publishNew(agent, { payload: text("Read"), disclosure: SAID });
  const before = await pageOf(work);
  expect([before.text.includes(REVIEW), before.headers["ai-disclosure"]]).toEqual([
    false,
    'mode=ai-modified, model="m-large"',
  ]);
  const path = `/console/works/${work.id}/revisions/1`;
  expect((await dashboard.get(path)).text).toContain("I have read this and answer for it");
  service.clock.nowMs = TEST_START_MS + 1_000;
  const sent = await dashboard.post(`${path}/confirm-review`);
  expect([sent.status, sent.headers.location]).toEqual([303, path]);
  expect((await pageOf(work)).text).toContain(REVIEW);
  expect((await pageOf(work, ".json")).json.data.disclosure.owner_reviewed_at).toBe("2026-11-20T09:00:01Z");
  expect((await pageOf(work, "/revisions/1")).text).toContain(REVIEW);
  const shown = await dashboard.get(path);
  expect([shown.text.includes("I have read"), shown.text.includes(REVIEW)]).toEqual([false, true]);
  const { lock_version } = await look(agent, work);
  expect(lock_version).toBe(work.lock_version + 1);
  service.clock.nowMs += 1_000;
  await dashboard.post(`${path}/confirm-review`);
  expect(await look(agent, work)).toMatchObject({
    lock_version,
    latest_revision: { disclosure: { owner_reviewed_at: "2026-11-20T09:00:01Z" } },
  });
  const acts = await runSql(
    service,
    "SELECT actor_kind, actor_id, subject_id, detail FROM audit_log WHERE action = 'revision.confirm_review'",
  );
  const { id } = work.latest_revision;
  expect(acts).toEqual([
    { actor_kind: "owner", actor_id: dashboard.ownerId, subject_id: id, detail: { revision_number: 1 } },
  ]);
  expect((await dashboard.get("/console/audit")).text).toContain("read a revision and answers for it");
});

test("a confirmation ends with the content: no new, restored or removed revision has it", async () => {
  const work = await publishNew(agent, { payload: text("One"), disclosure: SAID });
  const { id } = work.latest_revision;
  const confirmed = await confirmReview(service.deps, COMMAND_LINE, id);
  expect(Object.keys(confirmed)).toEqual(["revision_id", "owner_reviewed_at"]);
  const reviewedOf = async () => (await pageOf(work, ".json")).json.data.disclosure.owner_reviewed_at;
  expect(await reviewedOf()).toBe(confirmed.owner_reviewed_at);
  await update(work, { changes: { replace: [{ find: "rose", with: "fell" }] } });
  expect(await reviewedOf()).toBeNull();
  const restored = await write(agent, "POST", work, "/restore", { revision_id: id });
  expect(restored.json.data.latest_revision.disclosure).toEqual(KEPT);
  const old = (await pageOf(work, "/revisions/1.json")).json.data.disclosure;
  expect(old.owner_reviewed_at).toBe(confirmed.owner_reviewed_at);
  await removeContent(service.deps, COMMAND_LINE, id, "owner");
  const gone = await pageOf(work, "/revisions/1.json");
  expect([gone.json.data.disclosure, gone.headers["ai-disclosure"]]).toEqual([null, undefined]);
  expect((await agent.get(`/creations/${work.id}/revisions/1`)).json.data.disclosure).toBeNull();
  const row = "SELECT disclosure, owner_reviewed_at FROM creation_revisions WHERE id = $1";
  expect(await runSql(service, row, [id])).toEqual([{ disclosure: null, owner_reviewed_at: null }]);
  await expect(confirmReview(service.deps, COMMAND_LINE, id)).rejects.toMatchObject({
    code: "revision_content_removed",
  });
});

test("a draft is confirmed before it is published, and nobody else can", async () => {
  const draft = await makeCreation(agent, { payload: text("Draft"), disclosure: { origin: "generated" } });
  const path = `/console/works/${draft.id}/revisions/1/confirm-review`;
  const stranger = await openDashboard(service);
  expect((await stranger.post(path)).status).toBe(404);
  expect((await request(service, { method: "POST", url: path })).status).toBe(401);
  expect((await dashboard.post(`/console/works/${draft.id}/revisions/2/confirm-review`)).status).toBe(404);
  expect((await look(agent, draft)).lock_version).toBe(1);
  await dashboard.post(path);
  const work = await publish(agent, { ...draft, lock_version: 2 });
  const page = await pageOf(work);
  expect([page.text.includes(REVIEW), page.headers["ai-disclosure"]]).toEqual([true, "mode=ai-originated"]);
});

test("a search finds works of one origin, stated or by default", async () => {
  const named: [string, object][] = [
    ["story", { disclosure: { origin: "computed" } }],
    ["story", {}],
    ["brief", { disclosure: { origin: "human" } }],
  ];
  for (const [type, more] of named) {
    const payload = type === "brief" ? { body_markdown: "Wanderung" } : text("Wanderung");
    await publishNew(agent, { type, payload, ...more });
  }
  const find = async (query: string) =>
    (await get(`/api/v1/search/creations?query=wanderung&${query}`)).json.data.map(({ type }: Json) => type);
  expect(await find("origin=computed")).toEqual(["story"]);
  expect(await find("origin=generated")).toEqual(["story"]);
  expect(await find("origin=human")).toEqual(["brief"]);
  expect(await find("origin=assisted")).toEqual([]);
  expect((await find("")).length).toBe(3);
  const wrong = await get("/api/v1/search/creations?origin=humans");
  expect([wrong.status, wrong.json.errors]).toEqual([
    422,
    { origin: ["The origin must be one of generated, assisted, computed, human. Did you mean human?"] },
  ]);
});

test("every form of a page and the profile say it too", async () => {
  const work = await publishNew(agent, { payload: text("Forms"), disclosure: SAID });
  for (const accept of ["text/markdown", "application/json", "application/ld+json", "application/x-bibtex"]) {
    const reply = await request(service, {
      method: "GET",
      url: `/@tidewatch/${work.slug}`,
      headers: { accept },
    });
    expect([reply.status, reply.headers["ai-disclosure"]]).toEqual([
      200,
      'mode=ai-modified, model="m-large"',
    ]);
  }
  const byId = await request(service, {
    method: "GET",
    url: `/id/${work.id}`,
    headers: { accept: "application/json" },
  });
  expect(byId.headers["ai-disclosure"]).toBe('mode=ai-modified, model="m-large"');
  expect((await get("/@tidewatch/profile.json")).json.data.kind).toBe("software_agent");
  const page = await pageOf(work);
  const known = { "if-none-match": String(page.headers.etag) };
  const again = await request(service, { method: "GET", url: `/@tidewatch/${work.slug}`, headers: known });
  expect([again.status, again.headers["ai-disclosure"]]).toEqual([304, page.headers["ai-disclosure"]]);
});
