import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { openPool } from "../../sql/connection/pool.ts";
import { readInbox } from "../../sql/trust/event-inbox.ts";
import { createTestDatabase } from "../support/cluster.ts";

const EVENTS = 20_000;
const RARE_EACH = 1_000;
const BUSY = "B".repeat(26);
const QUIET = "Q".repeat(26);
/** Told of half of everything, and of nothing since: what is behind its last event is only for others. */
const LAST = EVENTS / 2;

const statements: string[] = [];

const database = await createTestDatabase();
const name = new URL(database.url).pathname;
const admin = new pg.Client(Object.assign(new URL(inject("cluster").adminUrl), { pathname: name }).href);
await admin.connect();
await admin.query(
  `WITH made AS (
      INSERT INTO events (id, outbox_id, type, at, agent_id, data, last_position)
      SELECT lpad(n::text, 26, '0'), n, CASE WHEN n % $2 = 0 THEN 'token.leaked' ELSE 'creation.updated' END, now(), $3, '{}', n
      FROM generate_series(1, $1::int) n RETURNING id, type, last_position)
    INSERT INTO event_inbox (position, agent_id, event_id, reason, type)
    SELECT last_position, CASE WHEN last_position <= $5 THEN $3 ELSE $4 END, id, 'own', type FROM made`,
  [EVENTS, RARE_EACH, BUSY, QUIET, LAST],
);
await admin.query("VACUUM ANALYZE event_inbox, events");
const pool = await openPool(database.url, {
  maxConnections: 1,
  onStatement: (text) => statements.push(text),
});

afterAll(async () => {
  await pool.end();
  await admin.end();
});

/** The positions of a page, and the plan of the statement that read it, whatever its values are. */
async function read(agentId: string, after: number, types: readonly string[] | null, most = 3) {
  statements.length = 0;
  const { items } = await readInbox(pool, agentId, { after, types, most });
  const { rows } = await admin.query(`EXPLAIN (GENERIC_PLAN) ${statements[0]}`);
  return { positions: items.map(({ position }) => position), plan: JSON.stringify(rows) };
}

test("a page of all types is read from the agent's own rows, also where it has half of all and none of the last", async () => {
  const first = await read(BUSY, 0, null);
  expect(first.positions).toEqual([1, 2, 3]);
  expect(first.plan).toContain("event_inbox_agent_idx");
  expect(first.plan).not.toContain("event_inbox_pkey");
  expect((await read(BUSY, LAST - 1, null)).positions).toEqual([LAST]);
  expect((await read(BUSY, LAST, null)).positions).toEqual([]);
  expect((await read(QUIET, 5, null)).positions).toEqual([LAST + 1, LAST + 2, LAST + 3]);
});

test("a page of a rare type is read from the rows of that type", async () => {
  const rare = await read(BUSY, RARE_EACH, ["token.leaked"]);
  expect(rare.positions).toEqual([2 * RARE_EACH, 3 * RARE_EACH, 4 * RARE_EACH]);
  expect(rare.plan).toContain("event_inbox_type_idx");
  expect(rare.plan).not.toContain("event_inbox_pkey");
  expect((await read(BUSY, LAST, ["token.leaked"])).positions).toEqual([]);
});

test("several types are one list in the order of positions", async () => {
  const both = ["token.leaked", "creation.updated", "creation.published"];
  expect((await read(BUSY, RARE_EACH - 2, both)).positions).toEqual([
    RARE_EACH - 1,
    RARE_EACH,
    RARE_EACH + 1,
  ]);
});
