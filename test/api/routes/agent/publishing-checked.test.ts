import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { type Json, publishNew } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { dumpTables, listActsOn, runSql } from "../../../support/tables.ts";
import { act, look } from "../../../support/work-acts.ts";
import { change, confirm, makePublisher, publishDataset, readJson } from "../../rules/freshness/datasets.ts";
import { meet, tally } from "../../rules/racing.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const service = await openService({ workers: false });
const tide = await makePublisher(service, "tidewatch");

/** A refused confirmation leaves every row as it was. */
async function expectRefused(creation: Json, expected: unknown[], more: object = {}) {
  const before = await dumpTables(service);
  const { status, json } = await confirm(tide.agent, creation, more);
  expect([status, json.code, json.message]).toEqual(expected);
  expect(await dumpTables(service)).toBe(before);
}

test("a confirmation answers with the freshness, and moves nothing else", async () => {
  const creation = await publishDataset(tide, "gauges", ["1"]);
  const before = await readJson(tide, "gauges");
  service.clock.nowMs += 30 * HOUR_MS;
  expect((await readJson(tide, "gauges")).freshness).toEqual({
    update_frequency: "daily",
    data_changed_at: "2026-11-20T09:00:00Z",
    data_checked_at: "2026-11-20T09:00:00Z",
    due_at: "2026-11-21T09:00:00Z",
    state: "due",
  });
  await runSql(service, "DELETE FROM feeds");
  const reply = await confirm(tide.agent, creation);
  const freshness = {
    update_frequency: "daily",
    data_changed_at: "2026-11-20T09:00:00Z",
    data_checked_at: "2026-11-21T15:00:00Z",
    due_at: "2026-11-22T15:00:00Z",
    state: "fresh",
  };
  expect([reply.status, reply.json, reply.headers.etag]).toEqual([200, { data: { freshness } }, undefined]);
  expect(await readJson(tide, "gauges")).toEqual({ ...before, freshness });
  expect(await look(tide.agent, creation)).toEqual(creation);
  expect(await runSql(service, "SELECT 1 FROM feeds")).toEqual([]);
  const counts = await runSql(service, "SELECT sum(updates)::int AS updates FROM daily_counts");
  expect(counts).toEqual([{ updates: 0 }]);
  expect((await listActsOn(service, tide.agent.id)).at(-1)).toContain("creation.confirm");
});

test("the same key gives the same answer, however late, and one confirmation", async () => {
  const creation = await publishDataset(tide, "replayed", ["1"]);
  const key = randomUUID();
  const first = await confirm(tide.agent, creation, { key });
  service.clock.nowMs += 2 * HOUR_MS;
  const again = await confirm(tide.agent, creation, { key });
  expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
  const { freshness } = await readJson(tide, "replayed");
  expect(freshness.data_checked_at).toBe(first.json.data.freshness.data_checked_at);
  const other = await publishDataset(tide, "replayed-not", ["1"]);
  const mismatch = await confirm(tide.agent, other, { key });
  expect([mismatch.status, mismatch.json.code]).toEqual([409, "idempotency_mismatch"]);
});

test("a dataset is confirmed at most once in five minutes", async () => {
  const creation = await publishDataset(tide, "often", ["1"]);
  expect((await confirm(tide.agent, creation)).status).toBe(200);
  service.clock.nowMs += 5 * MINUTE_MS - 500;
  const soon = await confirm(tide.agent, creation);
  expect([soon.status, soon.json.code, soon.headers["retry-after"]]).toEqual([429, "rate_limited", "1"]);
  await expectRefused(creation, [429, "rate_limited", "A dataset is confirmed at most once in 5 minutes."]);
  service.clock.nowMs += 500;
  expect((await confirm(tide.agent, creation)).status).toBe(200);
});

test("of two confirmations at once one counts and one is refused", async () => {
  const creation = await publishDataset(tide, "racing", ["1"]);
  const replies = await meet(
    service,
    tide.agent.id,
    () => confirm(tide.agent, creation),
    () => confirm(tide.agent, creation),
  );
  expect(tally(replies)).toEqual({ 200: 1, "429 rate_limited": 1 });
});

test("a draft, an unpublished dataset and a story are not published datasets", async () => {
  const story = await publishNew(tide.agent);
  const told = "Only published datasets are confirmed; this creation is a story.";
  await expectRefused(story, [409, "not_published", told]);
  const dataset = await publishDataset(tide, "closed", ["1"]);
  await act(tide.agent, dataset, "unpublish");
  await expectRefused(dataset, [409, "not_published", "The dataset is not published."]);
  await act(tide.agent, dataset, "restore", { revision_id: dataset.latest_revision.id });
  expect((await confirm(tide.agent, dataset)).status).toBe(200);
});

test("a confirmation has no body and needs no version", async () => {
  const creation = await publishDataset(tide, "ordered", ["1"]);
  const url = `/creations/${creation.id}/checked`;
  const { status, json } = await tide.agent.send("POST", url, { more: 1 });
  expect([status, Object.keys(json.errors)]).toEqual([422, ["more"]]);
  // An empty object is no body.
  expect((await tide.agent.send("POST", url, {}, { ifMatch: 99 })).status).toBe(200);
});

test("a hidden dataset is confirmed, and an erased one keeps nothing of it", async () => {
  const creation = await publishDataset(tide, "gone", ["1"]);
  await confirm(tide.agent, creation);
  await runCreationCommand(service.deps, COMMAND_LINE, creation.id, "hide");
  service.clock.nowMs += 10 * MINUTE_MS;
  // Hidden is no matter of the agent's: the data hold, and readers see nothing of it.
  expect((await confirm(tide.agent, creation)).status).toBe(200);
  expect(await readJson(tide, "gone")).toBeUndefined();
  await runCreationCommand(service.deps, COMMAND_LINE, creation.id, "unpublish");
  await eraseCreation(service.deps, COMMAND_LINE, creation.id);
  expect((await confirm(tide.agent, creation)).json.code).toBe("revision_content_removed");
  const columns = await runSql(
    service,
    `SELECT data_changed_at, data_confirmed_at, data_frequency, data_due_at, data_overdue_at, data_sha256
      FROM creations WHERE id = $1`,
    [creation.id],
  );
  expect(Object.values(columns[0])).toEqual([null, null, null, null, null, null]);
});

test("a dataset without a frequency is confirmed for later, and says nothing until it names one", async () => {
  const creation = await publishDataset(tide, "plain", ["1"], {});
  service.clock.nowMs += HOUR_MS;
  const { status, json } = await confirm(tide.agent, creation);
  expect([status, json]).toEqual([200, { data: { freshness: null } }]);
  const confirmedAt = new Date(service.clock.nowMs).toISOString().replace(".000", "");
  service.clock.nowMs += HOUR_MS;
  await change(tide, creation, { update_frequency: "never" });
  expect((await readJson(tide, "plain")).freshness).toMatchObject({
    update_frequency: "never",
    data_checked_at: confirmedAt,
    due_at: null,
    state: "final",
  });
});
