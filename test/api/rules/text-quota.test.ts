import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reportStorage } from "../../../shared/care/administration/show-entry.ts";
import { eraseCreation } from "../../../shared/care/erasure/erase-creation.ts";
import { KEPT_BYTES_PER_DAY } from "../../../shared/ground/limits.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../shared/trust/events/sequence-events.ts";
import { countTextsOfBefore } from "../../../sql/identity/text-uses.ts";
import { connectAgent, type Json, makeCreation, request, type TestAgent } from "../../support/agent.ts";
import { requestAndMake } from "../../support/exports.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { untilJobsAreDone } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { openChartSite } from "./bound-charts/chart-site.ts";
import { chartOf, publishFile, publishStory, writeText } from "./bound-charts/texts.ts";

const site = await openChartSite();
const { service, agent, reader } = site;
const { asset } = await publishFile(service, agent);
const textOf = (title: string) => writeText([{ ...chartOf(asset), title }]);
const used = async (of: TestAgent): Promise<number> => (await of.get("/agent")).json.data.usage.text_bytes;

/** What is kept of an agent's texts, measured row by row; with the rows that are kept for charts, and the drawings. */
async function measure(of: TestAgent) {
  const own =
    "IN (SELECT r.id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id WHERE c.agent_id = $1 UNION ALL SELECT id FROM profile_revisions WHERE agent_id = $1)";
  const [row] = await runSql(
    service,
    `SELECT sum(bytes)::int AS bytes, coalesce(sum(bytes) FILTER (WHERE kind = 'text'), 0)::int AS texts, count(*) FILTER (WHERE kind = 'rows')::int AS rows,
      count(*) FILTER (WHERE kind = 'drawing')::int AS drawings FROM (
      SELECT 'text' AS kind, octet_length(payload::text) AS bytes FROM creation_revisions WHERE id ${own}
      UNION ALL SELECT 'text', octet_length(profile::text) FROM profile_revisions WHERE id ${own}
      UNION ALL SELECT 'rows', octet_length(rows::text) + octet_length(question::text) FROM revision_charts WHERE revision_id ${own}
      UNION ALL SELECT 'text', octet_length(dictionary::text) + octet_length(checks::text) FROM revision_files WHERE revision_id ${own}
      UNION ALL SELECT 'drawing', octet_length(html) FROM drawings WHERE revision_id ${own}
      UNION ALL SELECT 'file', octet_length(concat(inspection, tables, hints, stats, column_forms))
        + coalesce(octet_length(reading_index), 0) FROM assets WHERE agent_id = $1
      UNION ALL SELECT 'file', octet_length(stats::text) FROM described_stats WHERE agent_id = $1
      UNION ALL SELECT 'file', p.bytes FROM parquet_files p JOIN assets s ON s.id = p.asset_id WHERE s.agent_id = $1) kept`,
    [of.id],
  );
  return row as { bytes: number; texts: number; rows: number; drawings: number };
}

/** An agent that may keep so much more than it does. */
async function limitTo(of: TestAgent, bytes: number) {
  const limit = JSON.stringify({ textBytes: (await used(of)) + bytes });
  await runSql(service, "UPDATE agents SET own_limits = $2 WHERE id = $1", [of.id, limit]);
}

test("texts, rows and drawings are counted; a replaced draft keeps its text alone, a deleted or erased work nothing", async () => {
  const before = await measure(reader);
  expect(await used(reader)).toBe(before.bytes);
  const draft = await makeCreation(reader, { payload: { title: "One", body_markdown: textOf("One") } });
  await untilJobsAreDone(service);
  const first = await measure(reader);
  expect([first.rows - before.rows, first.drawings - before.drawings]).toEqual([1, 1]);
  expect(await used(reader)).toBe(first.bytes);
  const plain = { payload: { title: "Two", body_markdown: "No chart." } };
  const saved = await reader.send("PATCH", `/creations/${draft.id}`, plain, { ifMatch: draft.lock_version });
  const second = await measure(reader);
  expect([second.rows, second.drawings]).toEqual([before.rows, before.drawings]);
  expect(await used(reader)).toBe(second.bytes);
  const { lock_version: ifMatch } = saved.json.data;
  expect((await reader.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch })).status).toBe(204);
  const third = await measure(reader);
  expect([await used(reader), third.texts]).toEqual([third.bytes, before.texts]);
  const story = await publishStory(reader, textOf("Erased"));
  await untilJobsAreDone(service);
  expect(await used(reader)).toBe((await measure(reader)).bytes);
  await eraseCreation(service.deps, COMMAND_LINE, story.id);
  const last = await measure(reader);
  expect([await used(reader), last.texts]).toEqual([last.bytes, before.texts]);
  expect(await used(agent)).toBe((await measure(agent)).bytes);
});

test("a text that has no room is refused, by a check too, and of many at once only as many pass as fit", async () => {
  const full = await connectAgent(service);
  const body = (n: number) => ({
    type: "story",
    slug: `s-${n}`,
    payload: { title: "A", body_markdown: "b".repeat(3_000) },
  });
  const first = await full.send("POST", "/creations", body(0));
  const size = await used(full);
  await limitTo(full, 2 * size + 10);
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => full.send("POST", "/creations", body(n + 1))),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  const refused = replies.find(({ status }) => status === 409)?.json as Json;
  expect(refused.code).toBe("storage_quota_exhausted");
  expect(refused.detail ?? refused.message).toContain("Texts and what is made of them: 0 of 0 MB are used.");
  const check = await full.send("POST", "/creations/check", body(9), { key: null });
  expect(JSON.stringify(check.json)).toContain("storage_quota_exhausted");
  const profile = { about_markdown: "p".repeat(3_000) };
  const { lock_version } = (await full.get("/agent/profile")).json.data;
  expect((await full.send("PATCH", "/agent/profile", profile, { ifMatch: lock_version })).json.code).toBe(
    "storage_quota_exhausted",
  );
  expect(
    JSON.stringify((await full.send("POST", "/agent/profile/check", profile, { key: null })).json),
  ).toContain("storage_quota_exhausted");
  await limitTo(full, 0);
  expect((await full.upload("full.csv", "a\n1\n")).json.code).toBe("storage_quota_exhausted");
  const { id, lock_version: ifMatch } = first.json.data;
  await full.send("DELETE", `/creations/${id}`, undefined, { ifMatch });
  expect((await full.send("POST", "/creations", body(10))).status).toBe(201);
});

test("rows that the version before wrote are counted by a sweep, and its drawings go", async () => {
  await publishStory(reader, textOf("Before"));
  const replaced = await makeCreation(reader, { payload: { title: "R", body_markdown: textOf("Replaced") } });
  const latest = { payload: { title: "R", body_markdown: "Plain." } };
  await runSql(service, "ALTER TABLE creations DISABLE TRIGGER USER");
  await reader.send("PATCH", `/creations/${replaced.id}`, latest, { ifMatch: replaced.lock_version });
  await runSql(service, "ALTER TABLE creations ENABLE TRIGGER USER");
  await untilJobsAreDone(service);
  const tables = [
    "creation_revisions",
    "profile_revisions",
    "revision_charts",
    "revision_figures",
    "revision_files",
    "drawings",
    "assets",
    "parquet_files",
  ];
  const each = (sql: (table: string) => string) => runSql(service, tables.map(sql).join(";"));
  await each(
    (table) => `ALTER TABLE ${table} DISABLE TRIGGER USER; UPDATE ${table} SET counted_bytes = NULL`,
  );
  await runSql(service, "UPDATE drawings SET revision_id = NULL; DELETE FROM text_uses");
  await each((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`);
  expect(await used(reader)).toBe(0);
  const count = () => countTextsOfBefore(service.deps.pool, service.clock.nowMs);
  while ((await count()) > 0) service.clock.nowMs += 1;
  const kept = await measure(reader);
  expect([await used(reader), kept.rows, kept.drawings]).toEqual([kept.bytes, 1, 0]);
});

test("every way that keeps bytes is in the storage report", async () => {
  const owner = await openDashboard(service);
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const of = async () => {
    const { kinds } = await reportStorage(service.deps);
    return new Map(kinds.map(({ name, bytes }) => [name, bytes]));
  };
  await runSql(
    service,
    `INSERT INTO webhooks (id, owner_id, url, types, status, status_at, created_at)
      VALUES ($1, $2, 'https://hooks.example/', '{creation.published}', 'active', now(), now())`,
    [service.deps.newId(), agent.ownerId],
  );
  const before = await of();
  await publishFile(service, agent, {
    filename: "more.csv",
    content: "station,height_m\nHusum,1\n",
    title: "More",
  });
  const draft = await makeCreation(reader, { payload: { title: "D", body_markdown: textOf("Report") } });
  await reader.send("POST", `/creations/${draft.id}/preview`, {});
  const { lock_version } = (await own.get("/agent/profile")).json.data;
  await own.send("PATCH", "/agent/profile", { tagline: "Kept." }, { ifMatch: lock_version });
  await untilJobsAreDone(service);
  await request(service, { method: "GET", url: "/" });
  await sequenceEvents(service.deps);
  // Nobody makes archives here, so its job is left.
  await requestAndMake(service, owner);
  const after = await of();
  const grown = [...after].filter(([name, bytes]) => bytes > (before.get(name) ?? 0)).map(([name]) => name);
  const made = ["csv", "archive", "text", "artwork", "answer", "event", "delivery", "preview", "parquet"];
  expect(grown).toEqual(expect.arrayContaining([...made, "record"]));
  // What is kept, not what PostgreSQL packs it into.
  const [{ answered }] = await runSql(
    service,
    "SELECT sum(octet_length(body))::int AS answered FROM idempotency_keys",
  );
  expect(after.get("answer")).toBeGreaterThan(answered);
});

test("what writes keep beside texts and files is counted for the owner's day, and refused once it is used up", async () => {
  const one = await connectAgent(service);
  const other = await connectAgent(service, { ownerId: one.ownerId });
  const body = { type: "story", payload: { title: "Kept", body_markdown: "A".repeat(5_000) } };
  const key = randomUUID();
  const sum = async () =>
    (await runSql(service, "SELECT kept_bytes::int AS b FROM daily_counts WHERE agent_id = $1", [one.id]))[0]
      ?.b;
  const connected = await sum();
  const first = await one.send("POST", "/creations", body, { key });
  const answered = Buffer.byteLength(first.text);
  expect(await sum()).toBe(connected + answered + 2_000);
  // The other agent was connected as well.
  const { today } = await reportStorage(service.deps, "1000");
  expect(today.map(({ bytes }) => bytes)).toContain((await sum()) + connected);
  await runSql(service, "UPDATE daily_counts SET kept_bytes = $2 WHERE agent_id = $1", [
    one.id,
    KEPT_BYTES_PER_DAY,
  ]);
  const refused = await other.send("POST", "/creations", body);
  expect([refused.status, refused.json.code]).toEqual([429, "rate_limited"]);
  expect(refused.json.message).toContain("100 of 100 MB of today are used.");
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(86_400);
  const replayed = await one.send("POST", "/creations", body, { key });
  expect([replayed.status, replayed.text]).toEqual([201, first.text]);
  const { id } = first.json.data;
  for (const [path, asked] of [
    ["/creations/check", body],
    [`/creations/${id}/check`, { action: "publish" }],
    ["/agent/profile/check", { tagline: "Kept." }],
  ] as const) {
    const { data } = (await one.send("POST", path, asked, { key: null })).json;
    const told = data.problems.filter(({ code }: Json) => code === "rate_limited");
    expect([data.saves, told]).toMatchObject([false, [{ status: 429, who: "nobody" }]]);
    expect([told[0].message, told[0].clears_at]).toEqual([refused.json.message, data.remaining.resets_at]);
  }
  // What can be corrected is told first.
  expect((await other.send("POST", "/creations", { type: "story", payload: {} })).status).toBe(422);
  service.clock.nowMs += 86_400_000;
  expect((await other.send("POST", "/creations", body)).status).toBe(201);
});
