import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, type TestAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { act } from "../../../support/work-acts.ts";
import { citing, publishWork, readJson, readPage, republish, textOf } from "./works.ts";

const SITE = "http://localhost:3000";

const service = await openService({
  workers: false,
  limits: { publicationsPerDay: 1000, updatesPerDay: 1000 },
});
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const referenceOf = async (work: Json) => (await readJson(service, reader, work)).references[0];
const citationOf = async (work: Json) => (await readJson(service, author, work)).cited_by[0];
const stateOf = async (work: Json) => {
  const { pinned, current_revision_number, changed_since, diff_url } = await referenceOf(work);
  const compared = diff_url?.replace(/^.*\/revisions\//, "") ?? null;
  return [pinned?.revision_number ?? null, current_revision_number, changed_since, compared];
};
const revisionOf = async (work: Json, number: number) =>
  (await reader.get(`/creations/${work.id}/revisions/${number}`)).json.data;

/** The references that the page of a work lists, without the marks of times. */
const listedOn = async (agent: TestAgent, work: Json) => {
  const [, list = ""] = (await readPage(service, agent, work)).split('aria-labelledby="references"');
  return list.slice(0, list.indexOf("</section>")).replace(/<time[^>]*>|<\/time>/g, "");
};

test("every way of going live pins a reference to what is live then, and no later publication moves the pin", async () => {
  const target = await publishWork(author, textOf("One."));
  const created = await publishWork(reader, citing(target));
  await republish(author, target, textOf("Two."));
  const saved = await makeCreation(reader, { payload: citing(target) });
  await act(reader, saved, "publish", {});
  const scheduled = await makeCreation(reader, {
    payload: citing(target),
    schedule: { publish_at: new Date(service.clock.nowMs + MINUTE_MS).toISOString() },
  });
  await republish(author, target, textOf("Three."));
  service.clock.nowMs += 2 * MINUTE_MS;
  expect(await sweepDueSchedules(service.deps)).toBe(1);
  expect(await Promise.all([created, saved, scheduled].map(stateOf))).toEqual([
    [1, 3, true, "1..3.json"],
    [2, 3, true, "2..3.json"],
    [3, 3, false, null],
  ]);
  await act(reader, created, "restore", { revision_id: 1 });
  expect(await stateOf(created)).toEqual([3, 3, false, null]);
  await republish(reader, saved, citing(target));
  expect(await stateOf(saved)).toEqual([3, 3, false, null]);
  const [first, second] = [await revisionOf(created, 1), await revisionOf(created, 2)];
  expect([first, second].map(({ references }) => references[0].pinned.revision_number)).toEqual([1, 3]);
  expect(first.payload.references).toEqual([{ creation_id: target.id, relation: "uses", note: null }]);
});

test("a reference tells the revision with its checksum and address, and its target tells the same of who cites it", async () => {
  const target = await publishWork(author, textOf("One."));
  const { checksum } = (await author.get(`/creations/${target.id}/revisions/1`)).json.data;
  const story = await publishWork(reader, citing(target));
  const pinned = {
    revision_number: 1,
    checksum,
    url: `${SITE}/@${author.handle}/${target.slug}/revisions/1`,
  };
  const told = { pinned, current_revision_number: 1, changed_since: false, diff_url: null };
  expect(await referenceOf(story)).toMatchObject({ id: target.id, relation: "uses", ...told });
  expect(await citationOf(target)).toMatchObject({ id: story.id, relation: "uses", ...told });
  await republish(author, target, textOf("Two."));
  const diff_url = pinned.url.replace(/1$/, "1..2.json");
  const changed = { pinned, current_revision_number: 2, changed_since: true, diff_url };
  expect(await referenceOf(story)).toMatchObject({ id: target.id, ...changed });
  expect(await citationOf(target)).toMatchObject({ id: story.id, ...changed });
  expect(await revisionOf(story, 1)).toMatchObject({ references: [{ id: target.id, ...changed }] });
});

test("a minor update alone is no change, one behind it is, and the old content put back is none", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  await republish(author, target, textOf("One!"), { minor: true });
  expect(await stateOf(story)).toEqual([1, 2, false, "1..2.json"]);
  await republish(author, target, textOf("Two."));
  expect(await stateOf(story)).toEqual([1, 3, true, "1..3.json"]);
  await republish(author, target, textOf("Two!"), { minor: true });
  expect(await stateOf(story)).toEqual([1, 4, true, "1..4.json"]);
  await act(author, target, "restore", { revision_id: 1 });
  expect(await stateOf(story)).toEqual([1, 5, false, "1..5.json"]);
});

test("the page says it behind the reference, with the next request, and nothing of what is not pinned", async () => {
  const target = await publishWork(author, textOf("One."));
  const draft = await makeCreation(author, { payload: textOf("Draft.") });
  const own = await publishWork(author, citing(draft));
  const story = await publishWork(reader, citing(target));
  const at = `/@${author.handle}/${target.slug}`;
  expect(await listedOn(reader, story)).toContain(` · <a href="${at}/revisions/1">revision 1</a></p>`);
  await republish(author, target, textOf("Two."));
  expect(await listedOn(reader, story)).toContain(
    ` · <a href="${at}/revisions/1">revision 1</a>. Changed since: <a href="${at}">revision 2</a>, 20 November 2026 · <a href="${at}/revisions/1..2">What changed</a></p>`,
  );
  await act(author, draft, "publish", {});
  const list = await listedOn(author, own);
  expect([list.includes(`/${draft.slug}"`), list.includes("revision")]).toEqual([true, false]);
});

test("an own target that is not open is not pinned, not even to a number, and is not listed", async () => {
  const draft = await makeCreation(author, { payload: textOf("Draft.") });
  const shut = await publishWork(author, textOf("Shut."));
  await act(author, shut, "unpublish", {});
  const references = [
    { creation_id: draft.id, relation: "uses" },
    { creation_id: shut.id, relation: "cites", revision_number: 1 },
  ];
  const story = await publishWork(author, textOf("Both.", { references }));
  const own = async () => (await author.get(`/creations/${story.id}/revisions/1`)).json.data.references;
  expect([(await readJson(service, author, story)).references, await own()]).toEqual([[], []]);
  await act(author, draft, "publish", {});
  await act(author, shut, "restore", { revision_id: 1, visibility: "unlisted" });
  const unpinned = { pinned: null, changed_since: null, diff_url: null };
  const open = { id: draft.id, current_revision_number: 1, ...unpinned };
  expect((await readJson(service, author, story)).references).toMatchObject([open]);
  expect(await own()).toMatchObject([open, { id: shut.id, current_revision_number: 2, ...unpinned }]);
});

test("a draft tells of its references without pins; what closes meanwhile is not listed", async () => {
  const target = await publishWork(author, textOf("One."));
  const draft = await makeCreation(reader, { payload: citing(target) });
  expect((await revisionOf(draft, 1)).references).toMatchObject([
    { id: target.id, pinned: null, current_revision_number: 1, changed_since: null },
  ]);
  await act(author, target, "unpublish", {});
  expect((await revisionOf(draft, 1)).references).toEqual([]);
  await act(reader, draft, "publish", {});
  await act(author, target, "restore", { revision_id: 1 });
  expect(await stateOf(draft)).toEqual([null, 2, null, null]);
});

test("a removed revision keeps its number and checksum and loses its address; a hidden target is not listed", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  const before = (await referenceOf(story)).pinned;
  await republish(author, target, textOf("Two."));
  expect(await listedOn(reader, story)).toContain("/revisions/1");
  await removeContent(service.deps, COMMAND_LINE, target.latest_revision.id, "owner");
  expect((await referenceOf(story)).pinned).toEqual({ ...before, url: null });
  expect((await citationOf(target)).pinned).toEqual({ ...before, url: null });
  const listed = await listedOn(reader, story);
  expect(listed).not.toContain("/revisions/1");
  expect(listed).toContain(" · revision 1. Changed since: ");
  await runCreationCommand(service.deps, COMMAND_LINE, target.id, "hide");
  expect((await readJson(service, reader, story)).references).toEqual([]);
  expect((await revisionOf(story, 1)).references).toEqual([]);
});

const pinOf = async (agent: TestAgent, work: Json) =>
  (await readJson(service, agent, work)).references[0].pinned.revision_number;

/**
 * Lets two publications meet: the first holds what it wrote, because the words of its work for the search are locked;
 * the second comes then, and waits for it.
 */
async function meet(
  first: { work: Json; publish: () => Promise<Json> },
  second: () => Promise<Json>,
): Promise<void> {
  await withClient(service.databaseUrl, async (client) => {
    const waiting = async () => {
      const { rows } = await client.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].count;
    };
    await client.query("BEGIN");
    const held = await client.query("SELECT 1 FROM search_creations WHERE creation_id = $1 FOR UPDATE", [
      first.work.id,
    ]);
    expect(held.rowCount).toBe(1);
    const one = first.publish();
    await until(async () => (await waiting()) === 1, 5000);
    const other = second();
    await until(async () => (await waiting()) === 2, 5000);
    await client.query("COMMIT");
    await Promise.all([one, other]);
  });
}

test("a text that goes live while its target is being published waits, and is pinned to the newer revision", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  const publish = () => republish(author, target, textOf("Two."));
  await meet({ work: target, publish }, () => republish(reader, story, citing(target)));
  expect(await pinOf(reader, story)).toBe(2);
});

test("a target that is published while a citing text goes live waits, and the pin is the older revision", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  const publish = () => republish(reader, story, citing(target));
  await meet({ work: story, publish }, () => republish(author, target, textOf("Two.")));
  expect((await readJson(service, reader, story)).references).toMatchObject([
    { pinned: { revision_number: 1 }, current_revision_number: 2, changed_since: true },
  ]);
});

test("of two texts that cite each other and go live at once, one comes first: the other is pinned to it", async () => {
  const one = await publishWork(author, textOf("One."));
  const other = await publishWork(reader, citing(one));
  await republish(author, one, citing(other));
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all([republish(author, one, citing(other)), republish(reader, other, citing(one))]);
    // Before this round the works were at these revisions.
    const before = { one: round + 1, other: round };
    const pins = [(await pinOf(author, one)) - before.other, (await pinOf(reader, other)) - before.one];
    expect(pins.toSorted()).toEqual([0, 1]);
  }
});
