import { expect, test } from "vitest";
import { CheckResult, SavedCreation } from "../../../../api/openapi/schemas.ts";
import { connectAuthor, type Json, publishNew } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { look, write } from "../../../support/work-acts.ts";

// A save that ends a schedule, or takes along what was only saved before, says so: in its check, too.

const service = await openService();
const agent = await connectAuthor(service, { handle: "tide" });
const AT = "2026-12-24T00:00:00Z";

async function begin(): Promise<Json> {
  const { json } = await agent.upload("rain.csv", "day,mm\n2026-10-01,4\n");
  const attachments = [{ asset_id: json.data.id, label: "Rain" }];
  return await publishNew(agent, { type: "dataset", payload: { title: "Rain", attachments } });
}

/** Saves, after a check of the same body has told the same; the warnings that are no hints. */
async function save(work: Json, body: object): Promise<Json[]> {
  const { lock_version } = await look(agent, work);
  const checked = await agent.send("POST", `/creations/${work.id}/check`, { ...body, lock_version });
  const { status, json } = await write(agent, "PATCH", work, "", body);
  expect([status, SavedCreation.safeParse(json).error]).toEqual([200, undefined]);
  expect([checked.status, CheckResult.safeParse(checked.json).error]).toEqual([200, undefined]);
  expect(checked.json.data.warnings).toEqual(json.warnings);
  return json.warnings;
}

const changing = (summary: string, more: object = {}) => ({
  ...{ changes: { set: { summary } }, change_summary: "Another summary." },
  ...more,
});
const cancelled = (number: number) => ({
  code: "schedule_cancelled",
  field: null,
  message: `Revision ${number} was to be published at ${AT}. That schedule is cancelled: this revision takes its place.`,
});
const published = (number: number) => ({
  code: "draft_published",
  field: null,
  message: `Revision ${number} was not published. What it changed goes live with this revision, which builds on it.`,
});

test("a save that ends a schedule says so, unless it sets another one", async () => {
  const work = await begin();
  expect(await save(work, changing("One", { schedule: { publish_at: AT } }))).toEqual([]);
  expect(await save(work, changing("Two"))).toEqual([cancelled(2)]);
  expect(await save(work, changing("Three"))).toEqual([]);
  expect(await save(work, changing("Four", { schedule: { publish_at: AT } }))).toEqual([published(4)]);
  expect(await save(work, changing("Five", { schedule: { publish_at: AT } }))).toEqual([published(5)]);
});

test("changes that publish name the draft that they take along; a whole payload takes none", async () => {
  const work = await begin();
  await save(work, changing("One"));
  expect(await save(work, changing("Two", { publish: {} }))).toEqual([published(2)]);
  expect(await save(work, changing("Three", { publish: {} }))).toEqual([]);
  await save(work, changing("Four", { schedule: { publish_at: AT } }));
  const { payload } = (await look(agent, work)).latest_revision;
  const whole = { payload: { ...payload, summary: "Five" }, change_summary: "Five.", publish: {} };
  expect(await save(work, whole)).toEqual([cancelled(5)]);
});

test("a save that takes the place of a correction which nobody read says so, unless it is one", async () => {
  const work = await begin();
  await save(work, changing("One", { correction: true }));
  expect(await save(work, changing("Two", { correction: true }))).toEqual([]);
  const message =
    "Revision 3 was a correction, and was not published. This revision takes its place and is none: readers are told of none.";
  const undone = { code: "correction_undone", field: "correction", message };
  expect(await save(work, changing("Three", { minor: true, publish: {} }))).toEqual([undone, published(3)]);
  expect(await save(work, changing("Four", { correction: true, publish: {} }))).toEqual([]);
  expect(await save(work, changing("Five"))).toEqual([]);
});

test("an append to a dataset whose draft waits for its time says that both go live", async () => {
  const work = await begin();
  await save(work, changing("Not before Christmas", { schedule: { publish_at: AT } }));
  const rows = [{ day: "2026-10-02", mm: 1 }];
  const { status, json } = await write(agent, "POST", work, "/append", { rows, publish: {} });
  expect([status, json.warnings]).toEqual([200, [cancelled(2), published(2)]]);
});

test("what was never published before goes live without a word", async () => {
  const { json } = await agent.send("POST", "/creations", {
    type: "brief",
    payload: { body_markdown: "One." },
  });
  const changes = { replace: [{ find: "One", with: "Two" }] };
  expect(await save(json.data, { changes, publish: {} })).toEqual([]);
});
