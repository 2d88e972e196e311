import { expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const TABLES = ["sign_in_links", "email_changes", "sessions", "passkey_challenges"] as const;

const service = await openService({ workers: false });
const dashboard = await openDashboard(service);

/** How many rows each of the tables holds, in their order. */
async function countRows(): Promise<number[]> {
  const counts = TABLES.map((table) => `(SELECT count(*)::int FROM ${table})`).join(", ");
  return (await runSql(service, `SELECT ARRAY[${counts}] AS counts`))[0].counts;
}

async function sweepAt(ms: number): Promise<number[]> {
  service.clock.nowMs = TEST_START_MS + ms;
  await sweepExpiredRows(service.deps);
  return await countRows();
}

test("links, changes and sessions go a day after their end, challenges at once; what works stays", async () => {
  const ended = await signInAgain(service, dashboard);
  const [{ id }] = await runSql(service, "SELECT id FROM sessions ORDER BY id DESC LIMIT 1");
  await dashboard.post(`/console/sessions/${id}/end`);
  await dashboard.post("/console/account/email", { email: "elsewhere@example.org" });
  await dashboard.post("/console/passkeys/options");
  expect(await countRows()).toEqual([2, 1, 2, 1]);
  expect(await sweepAt(5 * MINUTE_MS - 1)).toEqual([2, 1, 2, 1]);
  expect(await sweepAt(5 * MINUTE_MS)).toEqual([2, 1, 2, 0]);
  expect(await sweepAt(DAY_MS - 1)).toEqual([2, 1, 2, 0]);
  expect(await sweepAt(DAY_MS)).toEqual([2, 1, 1, 0]);
  expect(await sweepAt(DAY_MS + HOUR_MS - 1)).toEqual([2, 1, 1, 0]);
  expect(await sweepAt(DAY_MS + HOUR_MS)).toEqual([0, 0, 1, 0]);
  expect((await dashboard.get("/console/account")).text).toContain("This browser");
  expect((await ended.get("/console/account")).text).toContain('name="email"');
  expect(await sweepAt(31 * DAY_MS - 1)).toEqual([0, 0, 1, 0]);
  expect(await sweepAt(31 * DAY_MS)).toEqual([0, 0, 0, 0]);
  service.clock.nowMs = TEST_START_MS;
});

test("invitations go thirty days after they were sent, and links that people asked for a day after their end", async () => {
  const id = (n: number) => `01M7WTZ900ZT61DVV9HAWP9BW${n}`;
  for (const [n, ownerId, hours] of [
    [1, dashboard.ownerId, 7 * 24],
    [2, null, 1],
  ] as const) {
    await runSql(
      service,
      "INSERT INTO invitations (id, owner_id, email, mailbox, created_at, expires_at) VALUES ($1, $2, 'm@example.net', 'm@example.net', $3, $4)",
      [id(n), ownerId, new Date(TEST_START_MS), new Date(TEST_START_MS + hours * HOUR_MS)],
    );
  }
  const left = async (ms: number) => {
    await sweepAt(ms);
    return (await runSql(service, "SELECT id FROM invitations ORDER BY id")).map((row) => row.id);
  };
  expect(await left(DAY_MS + HOUR_MS - 1)).toEqual([id(1), id(2)]);
  expect(await left(DAY_MS + HOUR_MS)).toEqual([id(1)]);
  expect(await left(30 * DAY_MS - 1)).toEqual([id(1)]);
  expect(await left(30 * DAY_MS)).toEqual([]);
  service.clock.nowMs = TEST_START_MS;
});

test("thousands go in parts, and two sweeps at once count each of them once", async () => {
  await runSql(
    service,
    `INSERT INTO sign_in_links (secret_hash, owner_id, created_at, expires_at)
     SELECT lpad(n::text, 64, '0'), $1, $2, $2 FROM generate_series(1, 2500) n`,
    [dashboard.ownerId, new Date(TEST_START_MS - 2 * DAY_MS)],
  );
  const counts = await Promise.all([sweepExpiredRows(service.deps), sweepExpiredRows(service.deps)]);
  expect(counts.reduce((sum, { forgotten_sign_ins = 0 }) => sum + forgotten_sign_ins, 0)).toBe(2500);
  expect((await countRows())[0]).toBe(0);
});
