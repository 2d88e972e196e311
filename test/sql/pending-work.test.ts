import { afterAll, expect, test } from "vitest";
import { openPool } from "../../sql/connection/pool.ts";
import { claimParquet } from "../../sql/datasets/parquet-files.ts";
import {
  beginPendingWork,
  deletePendingWork,
  listPendingWork,
  renewLostWork,
  upsertPendingWork,
} from "../../sql/platform/pending-work.ts";
import { createTestDatabase, queryDatabase } from "../support/cluster.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NOW = Date.parse("2026-11-20T09:00:00Z");
const MINUTE_MS = 60_000;

const database = await createTestDatabase();
const pool = await openPool(database.url, { maxConnections: 2 });

afterAll(async () => {
  await pool.end();
});

const order = async (kind: string, subject: string, nowMs = NOW) => {
  const work = { kind, subject, subjectKind: null, runMs: nowMs + MINUTE_MS };
  await pool.transaction((tx) => upsertPendingWork(tx, [work], nowMs));
};
const ask = (text: string, values: unknown[] = []) => queryDatabase(database.url, text, values);
const empty = () => ask("DELETE FROM pending_work");

test("work that is ordered again while a worker is at it stays to be done", async () => {
  await order("draw-blocks", ID);
  const first = await beginPendingWork(pool, "draw-blocks", ID);
  await order("draw-blocks", ID);
  await deletePendingWork(pool, first?.id ?? 0);
  const second = await beginPendingWork(pool, "draw-blocks", ID);
  expect([first?.attempt, second?.attempt]).toEqual([1, 1]);
  expect((await listPendingWork(pool, "draw-blocks", ID)).map(({ id }) => id)).toEqual([second?.id]);
  await deletePendingWork(pool, second?.id ?? 0);
  expect(await beginPendingWork(pool, "draw-blocks", ID)).toBeNull();
});

test("an order of Parquet that comes again while a worker is at the first can be taken at once", async () => {
  const claim = () => claimParquet(pool, ID, { nowMs: NOW, untilMs: NOW + MINUTE_MS });
  await order("write-parquet", ID);
  expect(await claim()).toMatchObject({ asset_id: ID, attempt: 1 });
  expect(await claim()).toBeNull();
  await order("write-parquet", ID);
  expect(await claim()).toMatchObject({ asset_id: ID, attempt: 1 });
  await empty();
});

test("each change of a feed is a row of its own, for which no other waits", async () => {
  await pool.transaction(async (tx) => {
    const feed = { kind: "build-feed", subject: "site", subjectKind: null, runMs: NOW };
    await upsertPendingWork(tx, [feed], NOW);
    await order("build-feed", "site");
  });
  expect(await listPendingWork(pool, "build-feed", "site")).toHaveLength(2);
  await empty();
});

test("lost work is found once, and later each time that a worker began it", async () => {
  await order("compare-files", ID);
  const renew = (minutes: number) =>
    pool.transaction((tx) =>
      renewLostWork(tx, "compare-files", { afterMs: MINUTE_MS, nowMs: NOW + minutes * MINUTE_MS }),
    );
  const lost = [{ subject: ID, subject_kind: null }];
  expect([await renew(1), await renew(2), await renew(2), await renew(4)]).toEqual([[], lost, [], lost]);
  await beginPendingWork(pool, "compare-files", ID);
  await beginPendingWork(pool, "compare-files", ID);
  expect([await renew(6), await renew(9), await renew(10)]).toEqual([lost, [], []]);
  expect(await renew(11)).toEqual(lost);
  await empty();
});

const ORDERS_OF_BEFORE: [kind: string, subjectKind: string | null, text: string][] = [
  [
    "draw-blocks",
    "creation",
    `INSERT INTO drawing_orders (revision_id, kind, ordered_at) VALUES ($1, 'creation', $2)
     ON CONFLICT (revision_id) DO UPDATE
       SET attempt = drawing_orders.attempt + 1, ordered_at = excluded.ordered_at RETURNING attempt`,
  ],
];

test.each(ORDERS_OF_BEFORE)(
  "%s that the version before orders is work of this one",
  async (kind, of, text) => {
    const pending = () => ask("SELECT id, kind, subject, subject_kind FROM pending_work");
    await ask(text, [ID, new Date(NOW)]);
    const [first] = await pending();
    expect(first).toMatchObject({ kind, subject: ID, subject_kind: of });
    await ask(text, [ID, new Date(NOW + 1)]);
    const [second, ...more] = await pending();
    expect([more, second?.id === first?.id]).toEqual([[], false]);
    await empty();
  },
);

test("both versions see the changes of feeds that either notes, and those that either has worked off", async () => {
  await ask(
    "INSERT INTO feed_marks (feed_key, marked_at) SELECT key, $1::timestamptz FROM unnest($2::text[]) AS key",
    [new Date(NOW), ["site", `agent:${ID}`]],
  );
  await order("build-feed", "site", NOW + 1);
  expect((await listPendingWork(pool, "build-feed", "site")).map(({ created_at }) => created_at)).toEqual([
    NOW,
    NOW + 1,
  ]);
  const marks = await ask("SELECT id, marked_at FROM feed_marks WHERE feed_key = 'site' ORDER BY id");
  expect(marks).toHaveLength(2);
  await ask("WITH answered AS (DELETE FROM feed_marks WHERE id = ANY($1)) SELECT 1", [
    marks.map(({ id }) => id),
  ]);
  expect(await listPendingWork(pool, "build-feed", "site")).toEqual([]);
  expect(await listPendingWork(pool, "build-feed", `agent:${ID}`)).toHaveLength(1);
  await empty();
});

test("the version before takes works whose search words are to be written anew", async () => {
  await order("rewrite-search-text", ID);
  const taken = await ask(
    `DELETE FROM search_marks WHERE subject_id =
      (SELECT subject_id FROM search_marks ORDER BY subject_id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING subject_id`,
  );
  expect(taken).toEqual([{ subject_id: ID }]);
  expect(await ask("SELECT 1 FROM pending_work")).toEqual([]);
});
