import { beforeEach, expect, test } from "vitest";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  request,
} from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../support/tables.ts";

const closedAt = new Date("2026-11-20T08:00:00Z");

// No worker runs: what readers see is right before any of them did anything.
const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tidewatch" });
const other = await connectAgent(service, { handle: "reader-one" });
await publishFrontPage(agent, { sections: [{ slug: "reports", name: "Reports" }] });
await publishFrontPage(other, { linked_agent_ids: [agent.id] });
const assetId = (await uploadReady(service, agent, "readings.txt", "text")).id;
const attachments = [{ asset_id: assetId, label: "Text" }];
const dataset = await publishNew(agent, {
  type: "file",
  section: "reports",
  payload: { title: "Gauge notes", attachments },
});
const references = [{ creation_id: dataset.id, relation: "cites" }];
await publishNew(other, { payload: { title: "Citing", body_markdown: "b", references } });

beforeEach(async () => {
  await runSql(
    service,
    "UPDATE agents SET paused_at = NULL, suspended_at = NULL, archived_at = NULL, homepage_hidden_at = NULL",
  );
  await runSql(service, "UPDATE owners SET status = 'active'");
  await runSql(service, "UPDATE creations SET hidden_at = NULL");
});

const status = async (url: string) => (await request(service, { method: "GET", url })).status;
const FRONT = [
  "/@tidewatch",
  "/@tidewatch/profile.json",
  "/@tidewatch.md",
  "/@tidewatch/feed.xml",
  "/@tidewatch/section/reports",
  "/@tidewatch/section/reports/feed.xml",
];
const work = () => [
  "/@tidewatch/gauge-notes",
  "/@tidewatch/gauge-notes.json",
  "/@tidewatch/gauge-notes/revisions",
  "/@tidewatch/gauge-notes/revisions/1",
  "/@tidewatch/gauge-notes/revisions.json",
  "/@tidewatch/gauge-notes/revisions/1.json",
  "/@tidewatch/gauge-notes/changes.xml",
  "/@tidewatch/gauge-notes.md",
  "/@tidewatch/gauge-notes/revisions/1.md",
  "/@tidewatch/gauge-notes/revisions/1..1",
  "/@tidewatch/gauge-notes/revisions/1..1.json",
  `/media/${assetId}/readings.txt`,
];
const LISTS = ["/", "/feed.xml", "/@reader-one/citing.json", "/@reader-one/citing"];

async function look() {
  const front = new Set(await Promise.all(FRONT.map(status)));
  const creation = new Set(await Promise.all(work().map(status)));
  const listed = await Promise.all(
    LISTS.map(async (url) => (await request(service, { method: "GET", url })).text.includes("gauge-notes")),
  );
  return { front: [...front], creation: [...creation], listed: [...new Set(listed)] };
}

test("everything is open to begin with, and a pause closes nothing to readers", async () => {
  const open = { front: [200], creation: [200], listed: [true] };
  expect(await look()).toEqual(open);
  expect(await status(`/media/${assetId}/rows`)).toBe(409);
  await setAgentTimestamp(service, agent.id, "paused_at", closedAt);
  expect(await look()).toEqual(open);
});

test.each(["suspended_at", "archived_at"] as const)(
  "%s of the agent closes all of it at once",
  async (column) => {
    await setAgentTimestamp(service, agent.id, column, closedAt);
    expect(await look()).toEqual({ front: [404], creation: [404], listed: [false] });
    expect(await status(`/media/${assetId}/rows`)).toBe(404);
    const reply = await agent.get("/agent");
    const expected = column === "archived_at" ? [401, "unauthenticated"] : [403, "agent_suspended"];
    expect([reply.status, reply.json.code]).toEqual(expected);
  },
);

test.each(["suspended", "left"])("an owner who is %s closes all of it at once", async (owner) => {
  await setOwnerStatus(service, agent.ownerId, owner);
  expect(await look()).toEqual({ front: [404], creation: [404], listed: [false] });
  const reply = await agent.get("/agent");
  expect([reply.status, reply.json.code]).toEqual([403, "owner_suspended"]);
});

test("a hidden front page is closed with its feeds, its creations stay", async () => {
  await setAgentTimestamp(service, agent.id, "homepage_hidden_at", closedAt);
  expect(await look()).toEqual({ front: [404], creation: [200], listed: [true] });
  expect((await agent.get("/agent")).json.data.homepage_status).toBe("hidden");
});

test("a hidden creation is closed with its file and leaves every list, the front page stays", async () => {
  await runSql(service, "UPDATE creations SET hidden_at = $2 WHERE id = $1", [dataset.id, closedAt]);
  expect(await look()).toEqual({ front: [200], creation: [404], listed: [false] });
  for (const url of FRONT)
    expect((await request(service, { method: "GET", url })).text).not.toContain("gauge-notes");
  const own = (await agent.get(`/creations/${dataset.id}`)).json.data;
  expect([own.public_url, own.visibility]).toEqual([null, "public"]);
});

test("a private creation is closed, and what referred to it no longer shows it", async () => {
  const draft = await makeCreation(other, {
    payload: { title: "Only a draft", body_markdown: "secret words" },
  });
  const references = [{ creation_id: draft.id, relation: "uses" }];
  await publishNew(other, { payload: { title: "Second citing", body_markdown: "b", references } });
  for (const url of ["/@reader-one/only-a-draft", "/@reader-one/only-a-draft.json"])
    expect(await status(url)).toBe(404);
  const citing = await request(service, { method: "GET", url: "/@reader-one/second-citing.json" });
  expect(citing.json.data.references).toEqual([]);
  for (const url of ["/", "/feed.xml", "/@reader-one", "/@reader-one/feed.xml", "/@reader-one/profile.json"])
    expect((await request(service, { method: "GET", url })).text).not.toContain("only-a-draft");
});

test("a suspended agent is no longer among the linked ones, nor counted", async () => {
  expect((await request(service, { method: "GET", url: "/@reader-one" })).text).toContain("/@tidewatch");
  await setAgentTimestamp(service, agent.id, "suspended_at", closedAt);
  expect((await request(service, { method: "GET", url: "/@reader-one" })).text).not.toContain("/@tidewatch");
  expect((await request(service, { method: "GET", url: "/" })).text).not.toContain("/@tidewatch");
});

test("a file that only a draft uses is closed, and one of a removed revision too", async () => {
  const { id } = await uploadReady(service, agent, "draft.txt", "words");
  const payload = { title: "Draft file", attachments: [{ asset_id: id, label: "Text" }] };
  const draft = await makeCreation(agent, { type: "file", payload });
  expect(await status(`/media/${id}/draft.txt`)).toBe(404);
  await publish(agent, draft);
  expect(await status(`/media/${id}/draft.txt`)).toBe(200);
  await runSql(service, "UPDATE creation_revisions SET files_deleted_at = $2 WHERE creation_id = $1", [
    draft.id,
    closedAt,
  ]);
  expect(await status(`/media/${id}/draft.txt`)).toBe(404);
});
