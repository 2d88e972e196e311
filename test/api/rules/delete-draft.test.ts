import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sweepExpiredUploads } from "../../../shared/datasets/uploads/sweeps.ts";
import { sweepDueSchedules } from "../../../shared/works/creations/schedules.ts";
import { connectAuthor, type Json, makeCreation, publishNew } from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { dumpTables, runSql } from "../../support/tables.ts";
import { meet } from "./racing.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);

const remove = (creation: Json, options: { key?: string; ifMatch?: number } = {}) =>
  agent.send("DELETE", `/creations/${creation.id}`, undefined, {
    ifMatch: creation.lock_version,
    ...options,
  });
const patch = (creation: Json, body: object) =>
  agent.send("PATCH", `/creations/${creation.id}`, body, { ifMatch: creation.lock_version });
const payload = { title: "Surge", body_markdown: "It rose." };
const publish_at = "2026-12-24T12:00:00Z";
const usage = async () => (await agent.get("/agent")).json.data.usage.creations;
const attach = (...ids: string[]) => ({
  type: "dataset",
  payload: { title: "Readings", attachments: ids.map((asset_id) => ({ asset_id, label: "Readings" })) },
});

test("a draft goes whole: revisions, links, schedule, drawings to come, stored answers; the audit keeps that it was", async () => {
  const before = await usage();
  const target = await makeCreation(agent);
  const drawing = "```mermaid\nflowchart LR\n  a --> b\n```";
  const references = [{ creation_id: target.id, relation: "uses" }];
  let draft = await makeCreation(agent, { slug: "going", payload: { ...payload, references } });
  const saved = await patch(draft, {
    changes: { set: { body_markdown: drawing } },
    schedule: { publish_at },
  });
  draft = saved.json.data;
  const other = await makeCreation(agent, {
    type: "collection",
    payload: { title: "All", entries: [draft.id, target.id] },
  });
  const reply = await remove(draft);
  expect([reply.status, reply.text]).toEqual([204, ""]);
  const names = [draft.id, draft.latest_revision.id];
  const rows = (await dumpTables(service))
    .split("\n")
    .filter((row) => names.some((name) => row.includes(name)));
  // What is left names it: the audit, the key of its removal and of its saves, and the other work's own text.
  const tables = [...new Set(rows.map((row) => row.split(" ")[0]))];
  expect(tables).toEqual(["audit_log", "creation_revisions", "idempotency_keys"]);
  expect(rows.filter((row) => row.startsWith("idempotency_keys") && row.includes("It rose"))).toEqual([]);
  const [act] = await runSql(service, "SELECT detail FROM audit_log WHERE action = 'creation.delete'");
  expect(act.detail).toEqual({ type: "story", slug: "going", revisions: 2 });
  expect((await agent.get(`/creations/${draft.id}`)).status).toBe(404);
  expect((await agent.get(`/creations/${other.id}`)).status).toBe(200);
  expect(await usage()).toBe(before + 2);
  expect((await makeCreation(agent, { slug: "going" })).slug).toBe("going");
  const stale = await patch(other, { changes: {} });
  expect(Object.keys(stale.json.errors)).toEqual(["payload.entries.0"]);
});

test("a removal is replayed although its creation is gone, and any other request finds none", async () => {
  const draft = await makeCreation(agent);
  const key = randomUUID();
  expect((await remove(draft, { key, ifMatch: 9 })).status).toBe(412);
  expect((await remove(draft, { key })).status).toBe(204);
  const again = await remove(draft, { key });
  expect([again.status, again.headers["idempotent-replayed"]]).toEqual([204, "true"]);
  expect((await remove(draft)).status).toBe(404);
  const created = await agent.send("POST", "/creations", { type: "story", payload }, { key });
  expect(created.json.code).toBe("idempotency_mismatch");
});

test("what was ever published stays, and the refusal says what to do", async () => {
  const live = await publishNew(agent);
  const closed = await agent.send("POST", `/creations/${live.id}/unpublish`, undefined, {
    ifMatch: live.lock_version,
  });
  for (const creation of [live, closed.json.data]) {
    const before = await dumpTables(service);
    const { status, json } = await remove({ ...creation, lock_version: closed.json.data.lock_version });
    expect([status, json.code, json.hint]).toEqual([
      ...[409, "invalid_revision_state"],
      expect.stringMatching(/Unpublish.*owner can remove/),
    ]);
    expect(await dumpTables(service)).toBe(before);
  }
});

test("files are unattached where nothing else uses them, and expire as such", async () => {
  const [own, shared] = [
    await uploadReady(service, agent, "own.csv", "a\n1\n"),
    await uploadReady(service, agent, "shared.csv", "a\n2\n"),
  ];
  const draft = await makeCreation(agent, attach(own.id, shared.id));
  const keeper = await makeCreation(agent, attach(shared.id));
  const refused = await agent.send("DELETE", `/assets/${shared.id}`, undefined);
  expect([refused.json.code, refused.json.message]).toEqual([
    "asset_in_use",
    `Saved revisions use this file, those of Readings (${draft.id}, a draft); Readings (${keeper.id}, a draft).`,
  ]);
  expect(refused.json.hint).toContain("draft");
  expect((await remove(draft)).status).toBe(204);
  const files = await runSql(
    service,
    "SELECT id, expires_at FROM assets WHERE id = ANY($1) ORDER BY filename",
    [[own.id, shared.id]],
  );
  const expires = new Date(service.clock.nowMs + 24 * 3_600_000);
  expect(files.map(({ expires_at }) => expires_at)).toEqual([expires, null]);
  const stored = (await agent.get("/agent")).json.data.usage;
  service.clock.nowMs = expires.getTime() + 1;
  await sweepExpiredUploads(service.deps);
  service.clock.nowMs = TEST_START_MS;
  expect((await agent.get(`/assets/${own.id}`)).status).toBe(404);
  const { files: count, storage_bytes: bytes } = (await agent.get("/agent")).json.data.usage;
  expect([stored.files - count, stored.storage_bytes - bytes]).toEqual([1, 4]);
});

test("of a removal and another write that meet, one is done and the other finds that", async () => {
  const meetings: [(creation: Json, other: Json) => () => Promise<Json>, string][] = [
    [(creation) => () => patch(creation, { payload }), "404 not_found"],
    [(creation) => () => remove(creation), "404 not_found"],
    [
      (creation) => () =>
        agent.send("POST", `/creations/${creation.id}/publish`, undefined, {
          ifMatch: creation.lock_version,
        }),
      "404 not_found",
    ],
    [
      (creation, other) => () =>
        patch(other, {
          payload: { ...payload, references: [{ creation_id: creation.id, relation: "uses" }] },
        }),
      "422 validation_failed",
    ],
  ];
  for (const [write, expected] of meetings) {
    const [creation, other] = [await makeCreation(agent), await makeCreation(agent)];
    const [first, second] = await meet(service, agent.id, () => remove(creation), write(creation, other));
    expect([first.status, `${second.status} ${second.json.code}`]).toEqual([204, expected]);
  }
  const creation = await makeCreation(agent);
  const [saved, late] = await meet(
    service,
    agent.id,
    () => patch(creation, { payload }),
    () => remove(creation),
  );
  expect([saved.status, late.status]).toEqual([200, 412]);
});

test("a schedule that comes due at the same moment is done before the removal or not at all", async () => {
  const schedule = async () =>
    (await agent.send("POST", "/creations", { type: "story", payload, schedule: { publish_at } })).json.data;
  const [early, late] = [await schedule(), await schedule()];
  expect((await remove(late)).status).toBe(204);
  service.clock.nowMs = Date.parse(publish_at) + 1;
  const [count, reply] = await meet(
    service,
    agent.id,
    () => sweepDueSchedules(service.deps),
    () => remove(early),
  );
  service.clock.nowMs = TEST_START_MS;
  expect([count, reply.status, reply.json.code]).toEqual([1, 412, "version_mismatch"]);
});
