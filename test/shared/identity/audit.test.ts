import { expect, inject, test } from "vitest";
import { withClient } from "../../../cli/embedded/database.ts";
import { sweepExpiredUploads } from "../../../shared/datasets/uploads/sweeps.ts";
import { issueCode, revokeCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  type TestAgent,
} from "../../support/agent.ts";
import { inspectNow, uploadReady } from "../../support/inspection.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

const service = await openService({ workers: false });

const acts = (): Promise<Json[]> => runSql(service, "SELECT * FROM audit_log ORDER BY id");

test("a whole run leaves one row a write, in its order, and none for reads, replays and refusals", async () => {
  const expected: string[] = [];
  const did = (...actions: string[]) => expected.push(...actions);
  const agent: TestAgent = await connectAgent(service, { handle: "tidewatch" });
  did("owner.create", "enrollment.issue", "enrollment.redeem", "agent.claim");
  await publishFrontPage(agent);
  did("profile.save", "profile.publish");
  const good = await uploadReady(service, agent, "good.csv", "a\n1\n");
  did("asset.upload");
  const bad = await agent.upload("bad.csv", "a,b\n1\n", { headers: { prefer: "respond-async" } });
  await inspectNow(service, bad.json.data.id);
  did("asset.upload", "asset.refuse");
  const key = "0b9f7f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11";
  const body = {
    type: "dataset",
    payload: { title: "D", attachments: [{ asset_id: good.id, label: "L" }] },
  };
  const made = await agent.send("POST", "/creations", body, { key });
  did("creation.create");
  await agent.send("POST", "/creations", body, { key });
  await agent.send("POST", "/creations", { type: "nonsense" });
  await agent.send("POST", "/agent/heartbeat", undefined);
  await agent.get("/creations");
  const live = await publish(agent, made.json.data);
  did("creation.publish");
  const patch = { payload: { ...body.payload, title: "D2" } };
  await agent.send("PATCH", `/creations/${live.id}`, patch, { ifMatch: live.lock_version });
  did("creation.update");
  await agent.send("PATCH", `/creations/${live.id}`, patch, { ifMatch: live.lock_version });
  await agent.upload("late.csv", "a\n1\n", { headers: { prefer: "respond-async" } });
  did("asset.upload");
  service.clock.nowMs = TEST_START_MS + 25 * 3600_000;
  await sweepExpiredUploads(service.deps);
  did("asset.expire", "asset.expire");
  service.clock.nowMs = TEST_START_MS;
  const issued = await issueCode(service.deps, COMMAND_LINE, { ownerId: agent.ownerId, handle: null });
  await revokeCode(service.deps, COMMAND_LINE, issued.enrollment_id);
  did("enrollment.issue", "enrollment.revoke");

  const rows = await acts();
  expect(rows.map((row) => row.action)).toEqual(expected);
  const ofAgent = rows.filter((row) => row.actor_kind === "agent" && row.action !== "enrollment.redeem");
  for (const row of ofAgent) {
    expect(row).toMatchObject({ actor_id: agent.id, agent_id: agent.id });
    expect(row.request_id).toMatch(/^[0-9A-Z]{26}$/);
    expect(row.token_id).toMatch(/^[0-9A-Z]{26}$/);
  }
  const published = rows.find((row) => row.action === "creation.publish");
  expect(published).toMatchObject({
    subject_kind: "creation",
    subject_id: live.id,
    detail: { revision_number: 1, visibility: "public" },
  });
  expect(rows.filter((row) => row.actor_kind === "service").map((row) => row.action)).toEqual([
    "asset.refuse",
    "asset.expire",
    "asset.expire",
  ]);
});

test("the request that an act names is the one whose answer said so", async () => {
  const agent = await connectAgent(service);
  const reply = await agent.send("POST", "/creations", {
    type: "story",
    payload: { title: "t", body_markdown: "b" },
  });
  const [row] = await runSql(service, "SELECT * FROM audit_log ORDER BY id DESC LIMIT 1");
  expect(row).toMatchObject({ request_id: reply.headers["x-request-id"], subject_id: reply.json.data.id });
});

test("of many writes at once each leaves its one row", async () => {
  const agent = await connectAgent(service);
  const before = (await acts()).length;
  const made = await Promise.all(Array.from({ length: 12 }, () => makeCreation(agent)));
  const rows = (await acts()).slice(before);
  expect(rows.map((row) => row.subject_id).sort()).toEqual(made.map((creation) => creation.id).sort());
});

test.each([
  ["UPDATE", "UPDATE audit_log SET action = 'x'"],
  ["UPDATE of one row", "UPDATE audit_log SET detail = '{}' WHERE id = 1"],
  ["DELETE", "DELETE FROM audit_log"],
  ["TRUNCATE", "TRUNCATE audit_log"],
  ["TRUNCATE with others", "TRUNCATE owners CASCADE; TRUNCATE audit_log"],
])("%s is refused to the service's own role and to a superuser", async (_name, statement) => {
  const before = await acts();
  const admin = new URL(inject("cluster").adminUrl);
  admin.pathname = new URL(service.databaseUrl).pathname;
  for (const url of [service.databaseUrl, admin.href]) {
    await withClient(url, (client) =>
      expect(client.query(statement)).rejects.toMatchObject({ code: "42501" }),
    );
  }
  expect(await acts()).toEqual(before);
});

test("a write that fails at its end leaves neither work nor act", async () => {
  const agent = await connectAgent(service);
  const before = (await acts()).length;
  await runSql(
    service,
    "ALTER TABLE audit_log ADD CONSTRAINT stop CHECK (action <> 'creation.create') NOT VALID",
  );
  try {
    const body = { type: "story", payload: { title: "t", body_markdown: "b" } };
    const key = "1b9f7f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11";
    const reply = await agent.send("POST", "/creations", body, { key });
    expect([reply.status, reply.json.code]).toEqual([500, "server_error"]);
    expect((await agent.get("/creations")).json.meta.total).toBe(0);
    expect((await agent.get("/agent")).json.data.usage.creations).toBe(0);
    expect(await acts()).toHaveLength(before);
    await runSql(service, "ALTER TABLE audit_log DROP CONSTRAINT stop");
    expect((await agent.send("POST", "/creations", body, { key })).status).toBe(201);
  } finally {
    await runSql(service, "ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS stop");
  }
});
