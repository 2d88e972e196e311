import { expect, test } from "vitest";
import type { Limits } from "../../../shared/ground/limits.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  type Reply,
  request,
  type TestAgent,
} from "../../support/agent.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { dumpTables, runSql } from "../../support/tables.ts";

const service = await openService({ workers: false });
let agent: TestAgent;

/** Goes on with a new author, which has these limits. */
async function open(limits: Partial<Limits>): Promise<void> {
  agent = await connectAuthor(service);
  await runSql(service, "UPDATE agents SET own_limits = $2 WHERE id = $1", [
    agent.id,
    JSON.stringify(limits),
  ]);
}

const publishAt = (creation: Json): Promise<Reply> =>
  agent.send(
    "POST",
    `/creations/${creation.id}/publish`,
    { revision_id: creation.latest_revision.id },
    { ifMatch: creation.lock_version },
  );

async function makeMany(count: number): Promise<Json[]> {
  const made: Json[] = [];
  for (let number = 0; number < count; number++)
    made.push(await makeCreation(agent, { slug: `s-${number}` }));
  return made;
}

const counts = async () =>
  await runSql(
    service,
    "SELECT publications, updates, day::text FROM daily_counts WHERE agent_id = $1 ORDER BY day",
    [agent.id],
  );

test("of twenty publications at once exactly as many pass as the day allows, and every counter agrees", async () => {
  await open({ publicationsPerDay: 8 });
  const replies = await Promise.all((await makeMany(20)).map(publishAt));
  const codes = replies.map((reply) => (reply.status === 200 ? "200" : reply.json.code));
  expect(codes.filter((code) => code === "200")).toHaveLength(8);
  expect(codes.filter((code) => code === "publication_limit")).toHaveLength(12);
  expect(await counts()).toEqual([{ publications: 8, updates: 0, day: "2026-11-20" }]);
  expect((await agent.get("/agent")).json.data.remaining.publications_today).toBe(0);
  expect((await agent.get("/creations?visibility=public")).json.meta.total).toBe(8);
  const profile = await request(service, { method: "GET", url: `/@${agent.handle}/profile.json` });
  expect(profile.json.data).toMatchObject({ creation_count: 8 });
  const audit = await runSql(
    service,
    "SELECT count(*)::int AS count FROM audit_log WHERE action = 'creation.publish' AND agent_id = $1",
    [agent.id],
  );
  expect(audit[0].count).toBe(8);
});

test("listing an unlisted work counts as an update, taking it from the lists never does", async () => {
  await open({ updatesPerDay: 1 });
  const work = await makeCreation(agent, { slug: "listed" });
  let { lock_version } = await publish(agent, work);
  const show = async (visibility: string) => {
    const reply = await agent.send(
      "POST",
      `/creations/${work.id}/visibility`,
      { visibility },
      { ifMatch: lock_version },
    );
    lock_version = reply.json.data?.lock_version ?? lock_version;
    return reply.json.code ?? reply.json.data.visibility;
  };
  const shown: string[] = [];
  for (const visibility of ["unlisted", "public", "public", "unlisted", "public"])
    shown.push(await show(visibility));
  expect(shown).toEqual(["unlisted", "public", "public", "unlisted", "update_limit"]);
  expect(await counts()).toMatchObject([{ publications: 1, updates: 1 }]);
});

test("a request that can be corrected is never told that the day is used up, and one that is leaves nothing behind", async () => {
  await open({ publicationsPerDay: 0 });
  const creation = await makeCreation(agent, { section: "nowhere" });
  expect((await publishAt(creation)).json.code).toBe("validation_failed");
  const draft = await makeCreation(agent);
  const before = await dumpTables(service);
  const jobs = () => runSql(service, "SELECT count(*) FROM pgboss.job");
  const enqueued = await jobs();
  const plain = await publishAt(draft);
  expect([plain.status, plain.json.code, plain.json.errors]).toEqual([409, "publication_limit", {}]);
  expect([await dumpTables(service), await jobs()]).toEqual([before, enqueued]);
});

test("the day ends at midnight UTC", async () => {
  await open({ publicationsPerDay: 1 });
  const [first, second, third] = await makeMany(3);
  const midnight = Date.parse("2026-11-21T00:00:00Z");
  service.clock.nowMs = midnight - 1;
  expect((await publishAt(first)).status).toBe(200);
  expect((await agent.get("/agent")).json.data.remaining).toMatchObject({
    publications_today: 0,
    resets_at: "2026-11-21T00:00:00Z",
  });
  expect((await publishAt(second)).json.code).toBe("publication_limit");
  service.clock.nowMs = midnight;
  expect((await agent.get("/agent")).json.data.remaining).toMatchObject({
    publications_today: 1,
    resets_at: "2026-11-22T00:00:00Z",
  });
  expect((await publishAt(second)).status).toBe(200);
  expect((await publishAt(third)).json.code).toBe("publication_limit");
  service.clock.nowMs = TEST_START_MS;
});

test("of twenty creations at once exactly as many pass as an agent may have", async () => {
  await open({ creations: 6 });
  const body = { type: "story", payload: { title: "Same title", body_markdown: "b" } };
  const replies = await Promise.all(Array.from({ length: 20 }, () => agent.send("POST", "/creations", body)));
  const good = replies.filter((reply) => reply.status === 201);
  expect(good).toHaveLength(6);
  expect(new Set(good.map((reply) => reply.json.data.slug)).size).toBe(6);
  expect(replies.filter((reply) => reply.json.code === "quota_exhausted")).toHaveLength(14);
  expect((await agent.get("/agent")).json.data.usage.creations).toBe(6);
});

test("what is published while the day ends counts for the day that it is published on", async () => {
  await open({ publicationsPerDay: 50, updatesPerDay: 50 });
  const midnightMs = Date.parse("2026-11-21T00:00:00Z");
  const { deps, clock } = service;
  const usual = deps.now;
  // Each look at the clock takes a second, so midnight falls between two of them, whichever they are.
  deps.now = () => {
    clock.nowMs += 1_000;
    return clock.nowMs;
  };
  for (let seconds = 1; seconds <= 12; seconds++) {
    const made = await makeCreation(agent, { slug: `late-${seconds}` });
    clock.nowMs = midnightMs - seconds * 1_000;
    expect((await publishAt(made)).status).toBe(200);
  }
  deps.now = usual;
  clock.nowMs = TEST_START_MS;
  const published = await runSql(
    service,
    `SELECT (published_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS publications
     FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    WHERE r.state = 'published' AND c.agent_id = $1 GROUP BY 1 ORDER BY 1`,
    [agent.id],
  );
  expect(published).toHaveLength(2);
  expect((await counts()).map(({ day, publications }) => ({ day, publications }))).toEqual(published);
});
