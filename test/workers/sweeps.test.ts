import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sweepExpiredRows } from "../../shared/care/sweeps.ts";
import { sweepExpiredUploads, sweepOrphanFiles } from "../../shared/datasets/uploads/sweeps.ts";
import { CATALOGUE, JOB_NAMES } from "../../shared/platform/jobs/catalogue.ts";
import { enqueueLostWork } from "../../shared/platform/pending-work/enqueue-lost-work.ts";
import { rebuildFeed } from "../../shared/reading/feeds/build-feed.ts";
import { upsertPendingWork } from "../../sql/platform/pending-work.ts";
import { connectAuthor, makeCreation, publishNew, request } from "../support/agent.ts";
import { uploadReady } from "../support/inspection.ts";
import { openService, TEST_START_MS } from "../support/service.ts";
import { listStoredFiles, runSql } from "../support/tables.ts";

const DAY_MS = 24 * 3600_000;

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const usage = async () => (await agent.get("/agent")).json.data.usage;

test("an unattached upload goes after 24 hours with bytes, key and quota; an attached one stays", async () => {
  const before = await usage();
  const loose = await uploadReady(service, agent, "loose.csv", "a\n1\n");
  const kept = await uploadReady(service, agent, "kept.csv", "a\n1\n");
  const attachments = [{ asset_id: kept.id, label: "L" }];
  await makeCreation(agent, { type: "dataset", payload: { title: "D", attachments } });
  service.clock.nowMs = TEST_START_MS + DAY_MS - 1;
  expect(await sweepExpiredUploads(service.deps)).toBe(0);
  expect((await agent.get(`/assets/${loose.id}`)).status).toBe(200);
  service.clock.nowMs = TEST_START_MS + DAY_MS;
  expect((await agent.get(`/assets/${loose.id}`)).status).toBe(404);
  const outcomes = await Promise.all([1, 2, 3].map(() => sweepExpiredUploads(service.deps)));
  expect(outcomes.reduce((sum, count) => sum + count)).toBe(1);
  service.clock.nowMs = TEST_START_MS;
  expect(await listStoredFiles(service)).toEqual([kept.id]);
  expect(await runSql(service, "SELECT key FROM idempotency_keys WHERE asset_id = $1", [loose.id])).toEqual(
    [],
  );
  expect(await usage()).toMatchObject({ files: before.files + 1, storage_bytes: before.storage_bytes + 4 });
  expect((await agent.get(`/assets/${kept.id}/content`)).text).toBe("a\n1\n");
});

test("bytes without a row go after a while; a fresh write and a known file stay", async () => {
  const known = await uploadReady(service, agent, "known.csv", "a\n1\n");
  const [orphan, fresh] = [service.deps.newId(), service.deps.newId()];
  async function* bytes() {
    yield Buffer.from("left over");
  }
  await service.deps.files.put(orphan, bytes());
  await service.deps.files.put(fresh, bytes());
  const old = new Date(Date.now() - 2 * 3600_000);
  const folder = fileURLToPath(service.deps.config.filesUrl.replace(/^file:(?!\/\/)/, "file://"));
  for (const key of [orphan, known.id]) await utimes(join(folder, key.slice(-2), key), old, old);
  await sweepOrphanFiles(service.deps);
  const left = await listStoredFiles(service);
  expect([left.includes(orphan), left.includes(fresh), left.includes(known.id)]).toEqual([false, true, true]);
});

test("answers past the replay window are forgotten, younger ones kept", async () => {
  await makeCreation(agent);
  service.clock.nowMs = TEST_START_MS + DAY_MS - 1;
  expect((await sweepExpiredRows(service.deps)).forgotten_answers).toBe(0);
  service.clock.nowMs = TEST_START_MS + DAY_MS;
  expect((await sweepExpiredRows(service.deps)).forgotten_answers).toBeGreaterThan(0);
  service.clock.nowMs = TEST_START_MS;
  expect(await runSql(service, "SELECT key FROM idempotency_keys")).toEqual([]);
});

const feed = async (url = "/@tidewatch/feed.xml") => await request(service, { method: "GET", url });
const marks = async () =>
  (await runSql(service, "SELECT subject FROM pending_work WHERE kind = 'build-feed'")).map(
    (row) => row.subject,
  );

test("a marked feed is right before its worker came, and the same bytes after it", async () => {
  const creation = await publishNew(agent, { slug: "in-the-feed" });
  expect((await marks()).length).toBeGreaterThan(0);
  const [early, site] = [await feed(), await feed("/feed.xml")];
  expect(early.text).toContain(creation.id);
  for (const key of new Set(await marks())) {
    await rebuildFeed(service.deps, key);
    await rebuildFeed(service.deps, key);
  }
  expect(await marks()).toEqual([]);
  const [late, lateSite] = [await feed(), await feed("/feed.xml")];
  expect([late.text, late.headers.etag]).toEqual([early.text, early.headers.etag]);
  expect([lateSite.text, lateSite.headers.etag]).toEqual([site.text, site.headers.etag]);
  expect(late.headers["last-modified"]).toBe(early.headers["last-modified"]);
});

test("a rebuild of a feed that nobody has is harmless", async () => {
  for (const key of ["site", "agent:01ARZ3NDEKTSV4RRFFQ69G5FAV", "section:x:y", "nonsense", "agent"])
    await rebuildFeed(service.deps, key);
  expect((await feed()).status).toBe(200);
});

test.each(JOB_NAMES.filter((name) => CATALOGUE[name].lost !== undefined))(
  "work of %s whose job was lost is enqueued again once it has waited, by the worker that does it",
  async (name) => {
    const { lost, worker } = CATALOGUE[name];
    const subject = service.deps.newId();
    const subjectKind = name === "draw-blocks" ? "creation" : null;
    await runSql(service, "DELETE FROM pending_work");
    await service.deps.pool.transaction((tx) =>
      upsertPendingWork(tx, [{ kind: name, subject, subjectKind, runMs: TEST_START_MS }], TEST_START_MS),
    );
    const sweep = async () => (await enqueueLostWork(service.deps, worker))[lost?.counts ?? ""];
    expect(await sweep()).toBe(0);
    service.clock.nowMs = TEST_START_MS + (lost?.afterMs ?? 0);
    expect([await sweep(), await sweep()]).toEqual([1, 0]);
    service.clock.nowMs = TEST_START_MS;
    const jobs = await runSql(service, "SELECT name FROM pgboss.job WHERE data::text LIKE $1", [
      `%${subject}%`,
    ]);
    expect(jobs).toEqual([{ name }]);
  },
);

test("a feed holds the fifty that were updated last, newest first", async () => {
  const prolific = await connectAuthor(service, { handle: "prolific" });
  await runSql(
    service,
    `WITH made AS (
       INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
         live_revision_id, first_published_at, updated_at, created_at)
       SELECT '01ARZ3NDEKTSV4RRFFQ69G5' || lpad(n::text, 3, '0'), $1, 'story', 's-' || n, 'public',
         '01ARZ3NDEKTSV4RRFFQ69R5' || lpad(n::text, 3, '0'), 1, '01ARZ3NDEKTSV4RRFFQ69R5' || lpad(n::text, 3, '0'),
         $2::timestamptz, $2::timestamptz + n * interval '1 second', $2::timestamptz
       FROM generate_series(1, 60) n RETURNING id, latest_revision_id)
     INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, created_at,
       published_at)
     SELECT latest_revision_id, id, 1, 'published', 'T & <' || right(id, 3), '{"summary":"]]> & <b>"}', repeat('a', 64),
       $2::timestamptz, $2::timestamptz FROM made`,
    [prolific.id, new Date(TEST_START_MS)],
  );
  const { text } = await feed("/@prolific/feed.xml");
  const numbers = [...text.matchAll(/\/@prolific\/s-(\d+)"/g)].map((match) => Number(match[1]));
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, place) => 60 - place));
});
