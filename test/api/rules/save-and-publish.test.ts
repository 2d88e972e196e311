import { expect, test } from "vitest";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  type TestAgent,
} from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { dumpTables, runSql } from "../../support/tables.ts";
import { create, LATER, payload, REFUSALS, save } from "./refused-saves.ts";

const limits = { publicationsPerDay: 2, updatesPerDay: 1, creations: 6, revisionsPerCreation: 3 };
const service = await openService({ workers: false, limits });

const SECTIONS = { sections: [{ slug: "reports", name: "Reports" }] };

const connectPublisher = () => connectAuthor(service, SECTIONS);

const jobs = async () => (await runSql(service, "SELECT name, data FROM pgboss.job ORDER BY id")).length;

/** An answer and the audit without what differs from agent to agent and from time to time. */
function normalise(value: unknown): Json {
  const text = JSON.stringify(value)
    .replace(/agent-[0-9a-f]{8}/g, "HANDLE")
    .replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, "ULID");
  return JSON.parse(text);
}

const actsOf = async (agent: TestAgent) =>
  normalise(
    await runSql(
      service,
      "SELECT action, subject_kind, detail FROM audit_log WHERE agent_id = $1 AND action LIKE 'creation%' ORDER BY id",
      [agent.id],
    ),
  );

const countsOf = (agent: TestAgent) =>
  runSql(
    service,
    `SELECT a.creation_count, d.publications, d.updates FROM agents a JOIN daily_counts d ON d.agent_id = a.id
     WHERE a.id = $1`,
    [agent.id],
  );

/** What a save tells of a text beside its data. */
const toldOf = ({ evidence, figures, charts }: Json) => ({ evidence, figures, charts });

test.each([
  ["publish", {}],
  ["publish", { visibility: "unlisted" }],
  ["schedule", { publish_at: "2026-12-24T12:00:00Z", visibility: "unlisted" }],
])("a save that says %s %j comes to what two calls come to", async (name, how) => {
  const [one, two] = [await connectPublisher(), await connectPublisher()];
  const made = await create(one, { section: "reports", [name]: how });
  expect([made.status, made.headers.etag, made.headers.location]).toEqual([
    ...[201, '"2"', expect.stringContaining(made.json.data.id)],
  ]);
  let draft = await makeCreation(two, { section: "reports" });
  const act = async (body = how) =>
    await two.send("POST", `/creations/${draft.id}/${name}`, body, { ifMatch: draft.lock_version });
  draft = (await act()).json.data;
  expect(normalise(made.json)).toEqual(normalise({ data: draft, ...toldOf(made.json), warnings: [] }));
  if (name === "publish") {
    const more = { change_summary: "Again.", minor: true };
    const again = await save(one, made.json.data, { ...more, [name]: how });
    expect([again.status, again.headers.etag]).toEqual([200, '"4"']);
    draft = (await save(two, draft, more)).json.data;
    expect(normalise(again.json)).toEqual(normalise({ ...(await act()).json, warnings: [] }));
    expect(await countsOf(one)).toEqual(await countsOf(two));
  }
  expect(await actsOf(one)).toEqual(await actsOf(two));
});

test.each(REFUSALS)(
  "$expected for $says saves nothing at all",
  async ({ expected, fields = [], attempt, profile, abilities }) => {
    const agent = profile === false ? await connectAgent(service, { abilities }) : await connectPublisher();
    const send = await attempt(agent, service);
    const before = [await dumpTables(service), await jobs()];
    const { status, json } = await send();
    expect([`${status} ${json.code}`, Object.keys(json.errors)]).toEqual([expected, fields]);
    expect([await dumpTables(service), await jobs()]).toEqual(before);
  },
);

test("a body whose publish or schedule is wrong saves nothing at all", async () => {
  const agent = await connectPublisher();
  const before = [await dumpTables(service), await jobs()];
  for (const [body, fields] of [
    [{ publish: {}, ...LATER }, ["publish", "schedule"]],
    [{ publish: { visibility: "secret" } }, ["publish.visibility"]],
    [{ publish: { revision_id: "x" } }, ["publish.revision_id"]],
    [{ publish: true }, ["publish"]],
    [{ schedule: {} }, ["schedule.publish_at"]],
    [{ schedule: { publish_at: "2020-01-01T00:00:00Z" } }, ["schedule.publish_at"]],
    [{ schedule: { publish_at: "2030-01-01T00:00:00Z" } }, ["schedule.publish_at"]],
    [{ publsh: {} }, ["publsh"]],
    [{ payload: { ...payload, publish: {} } }, ["payload.publish"]],
  ] as const) {
    const { status, json } = await create(agent, body);
    expect([body, status, Object.keys(json.errors)]).toEqual([body, 422, fields]);
  }
  expect([await dumpTables(service), await jobs()]).toEqual(before);
});

test("a save tells what publishing would refuse, and nothing where it would not", async () => {
  const newcomer = await connectAgent(service);
  const first = await create(newcomer, { section: "reports" });
  expect(first.json.warnings).toEqual([
    {
      code: "publication_not_eligible",
      field: null,
      message: "The front page is not published yet. Publish your profile first.",
    },
    {
      code: "validation_failed",
      field: "section",
      message:
        "The published profile has no section reports. It has none. Add it to sections of the profile, which is profile.yml for the client, and publish that first.",
    },
  ]);
  await publishFrontPage(newcomer, SECTIONS);
  const mended = await save(newcomer, first.json.data, { section: "reports" });
  expect(mended.json.warnings.map(({ code }: Json) => code)).toEqual(["nothing_changed"]);
  const live = await publish(newcomer, mended.json.data);
  const update = await newcomer.send(
    "PATCH",
    `/creations/${live.id}`,
    { payload },
    { ifMatch: live.lock_version, headers: { prefer: "return=minimal" } },
  );
  expect(update.json.warnings.map(({ field }: Json) => field)).toEqual(["change_summary"]);
  // What was warned of is what publishing refuses.
  const reply = await newcomer.send("POST", `/creations/${live.id}/publish`, undefined, {
    ifMatch: update.json.data.lock_version,
  });
  expect([reply.json.code, reply.json.errors]).toEqual([
    update.json.warnings[0].code,
    { change_summary: [update.json.warnings[0].message] },
  ]);
});

test("a schedule is set before there is a front page, and the save says what is missing", async () => {
  const agent = await connectAgent(service);
  const { status, json } = await create(agent, LATER);
  expect([status, json.data.scheduled_publication.status]).toEqual([201, "pending"]);
  expect(json.warnings.map(({ code }: Json) => code)).toEqual(["publication_not_eligible"]);
});

test("without a revision_id the latest one is published or scheduled, under its version", async () => {
  const agent = await connectPublisher();
  const draft = await makeCreation(agent);
  const act = (action: string, body: object | undefined, ifMatch: number) =>
    agent.send("POST", `/creations/${draft.id}/${action}`, body, { ifMatch });
  const pending = await act("schedule", LATER.schedule, 1);
  expect(pending.json.data.scheduled_publication.revision_id).toBe(draft.latest_revision.id);
  expect((await act("publish", {}, 1)).status).toBe(412);
  const live = await act("publish", undefined, 2);
  expect([live.status, live.json.data.published_revision.id]).toEqual([200, draft.latest_revision.id]);
  const second = await save(agent, live.json.data, { change_summary: "Again." });
  const { lock_version } = second.json.data;
  const submitted = await act("submit", { visibility: "unlisted" }, lock_version);
  expect(submitted.json.data).toMatchObject({
    visibility: "unlisted",
    published_revision: { revision_number: 2 },
  });
});
