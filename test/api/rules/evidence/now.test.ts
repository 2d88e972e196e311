import { expect, test } from "vitest";
import { askNewest } from "../../../../shared/datasets/evidence/ask-newest.ts";
import { sweepStanding, toStanding } from "../../../../shared/datasets/evidence/ask-standing.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { listStandingOf } from "../../../../sql/datasets/standing-questions.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, write } from "../../../support/work-acts.ts";
import { chartOf, publishFile, publishStory, READINGS, republish, writeText } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, publishFigures, writePayload } from "../checked-figures/texts.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const json = async (work: Json) => {
  await untilJobsAreDone(service);
  return (await request(service, { method: "GET", url: `/@${reader.handle}/${work.slug}.json` })).json.data;
};
const nowOf = async (work: Json) => (await json(work)).figures.map(({ now }: Json) => now);
const mean = (asset: Json) => figureOf(asset, "3.66 m", { decimals: 2, unit: "m" });
const publishHeights = () => publishFile(service, agent, { content: HEIGHTS });

test("a figure holds, differs and holds again as the dataset moves", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset), figureOf(asset, "4.40", {}, ask("max"))]);
  const held = { state: "holds", rows_changed: null, reason: null, revision_number: 1, asset_id: asset.id };
  expect(await nowOf(story)).toMatchObject([
    { ...held, value: "3.66 m", content_sha256: asset.content_sha256 },
    { ...held, value: "4.40" },
  ]);
  const newer = await republish(service, agent, dataset, HEIGHTS.replace("2.75", "4.75"));
  const after = await nowOf(story);
  expect(after).toMatchObject([
    { state: "differs", value: "3.99 m", revision_number: 2, asset_id: newer.id },
    { state: "differs", value: "4.75", revision_number: 2 },
  ]);
  await republish(service, agent, dataset, HEIGHTS.replace("4.40", "4.4"));
  expect(await nowOf(story)).toMatchObject([
    { state: "holds", value: "3.66 m", revision_number: 3 },
    { state: "differs", value: "4.4" },
  ]);
  await republish(service, agent, dataset, HEIGHTS.replaceAll("height_m", "height"));
  expect(await nowOf(story)).toMatchObject([
    {
      state: "cannot_be_asked",
      value: null,
      reason: expect.stringContaining("no such column"),
      revision_number: 4,
    },
    { state: "cannot_be_asked" },
  ]);
});

test("what is not asked in time is not said, and the job asks it", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "4.75"));
  const asked = toStanding(service.deps, await listStandingOf(service.deps.pool, story.id));
  const late = await askNewest(service.deps, service.threads, asked, { key: "late", mostMs: 0 });
  expect([...late.values()].map(({ answer }) => answer.state)).toEqual(["not_asked"]);
  await untilJobsAreDone(service);
  const forget = "UPDATE standing_questions SET state = 'not_asked' WHERE creation_id = $1";
  await runSql(service, forget, [story.id]);
  expect(await sweepStanding(service.deps)).toBe(1);
  expect(await nowOf(story)).toMatchObject([{ state: "differs" }]);
});

const CLOSED = {
  ...{ state: "source_closed", value: null, rows_changed: null, reason: null },
  ...{ revision_number: null, asset_id: null, content_sha256: null, asked_at: null },
};

test("a source that closes says nothing of itself, and one that opens again is asked again", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  await act(agent, dataset, "unpublish");
  expect(await nowOf(story)).toEqual([CLOSED]);
  await act(agent, dataset, "restore", { revision_id: dataset.latest_revision.id });
  expect(await nowOf(story)).toMatchObject([{ state: "holds", revision_number: 2 }]);
  await act(agent, dataset, "visibility", { visibility: "unlisted" });
  expect(await nowOf(story)).toMatchObject([
    { state: "holds", value: "3.66 m", revision_number: null, asset_id: null, content_sha256: null },
  ]);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "suspend");
  expect(await nowOf(story)).toEqual([CLOSED]);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "unsuspend");
  expect(await nowOf(story)).toMatchObject([{ state: "holds" }]);
});

test("a chart counts the rows that are other ones now, and numbers are compared as numbers", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const story = await publishStory(reader, writeText([chartOf(asset)]));
  const chart = async () => (await json(story)).charts[0].now;
  expect(await chart()).toMatchObject({ state: "holds", value: null, rows_changed: 0, revision_number: 1 });
  await republish(service, agent, dataset, READINGS.replace("2.75", "2.750"));
  expect(await chart()).toMatchObject({ state: "holds", rows_changed: 0, revision_number: 2 });
  await republish(service, agent, dataset, READINGS.replace("2.75", "2.5"));
  expect(await chart()).toMatchObject({ state: "differs", rows_changed: 2, revision_number: 3 });
});

test("a row that stands elsewhere in a chart's order is no other row", async () => {
  const { asset, dataset } = await publishFile(service, agent);
  const story = await publishStory(reader, writeText([chartOf(asset)]));
  await republish(service, agent, dataset, READINGS.replace("2.75", "9"));
  expect((await json(story)).charts[0].now).toMatchObject({ state: "differs", rows_changed: 2 });
});

test("the author is told once of each change after which something has another state", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset), figureOf(asset, "4.40", {}, ask("max"))]);
  await untilJobsAreDone(service);
  await sequenceEvents(service.deps);
  const cursor = (await reader.get("/events?after=now")).json.meta.cursor;
  const told = async () => {
    await untilJobsAreDone(service);
    await sequenceEvents(service.deps);
    const page = await reader.get(`/events?after=${cursor}&types=evidence.changed`);
    if (page.status !== 200) throw new Error(page.text);
    return page.json.data.map(({ data, reason, creation_id }: Json) => ({ data, reason, creation_id }));
  };
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "2.95"));
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "3.0"));
  const event = {
    reason: "own",
    creation_id: story.id,
    data: { source_creation_id: dataset.id, figures: [{ n: 1, state: "differs" }], charts: [] },
  };
  expect(await told()).toMatchObject([event]);
});

const get = async (work: Json, form = "") => {
  await untilJobsAreDone(service);
  return await request(service, { method: "GET", url: `/@${reader.handle}/${work.slug}${form}` });
};
const NOTHING = { holds: 0, differs: 0, cannot_be_asked: 0, source_closed: 0, not_asked: 0 };
const BODY = "On 4 March 2021 all 7 gauges stood at 3.66 m; the mean of 3.66 m is one of 12.";

test("page, JSON and Markdown count what is checked and say what no longer holds", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)], BODY);
  const [page, json, twin] = [await get(story), await get(story, ".json"), await get(story, ".md")];
  expect(json.json.data.evidence).toEqual({
    ...{ figures: 1, charts_from_data: 0, ...NOTHING, holds: 1 },
    ...{ numbers_in_text: 4, numbers_checked: 2, as_of: "2026-11-20T09:00:00Z" },
  });
  const holds = "2 of 4 numbers in this text are checked against data; all hold.";
  expect(page.text).toContain(`<a href="#body-figures:">${holds}</a>`);
  expect(page.text).toContain("Holds in revision 1 (20 November)");
  expect(twin.text).toContain(`${holds}\n\n- 3.66 m: Holds in revision 1 (20 November)`);
  expect(twin.text).toContain('evidence: {"figures":1');
  const { updated_at, checksum } = json.json.data;

  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "4.75"));
  const later = [await get(story), await get(story, ".json"), await get(story, ".md")];
  const differs = "2 of 4 numbers in this text are checked against data; 1 no longer holds.";
  expect(later[0]?.text).toContain(differs);
  expect(later[0]?.text).toContain("<b>3.99 m in revision 2</b>");
  expect(later[2]?.text).toContain(`${differs}\n\n- 3.66 m: 3.99 m in revision 2`);
  expect(later[1]?.json.data).toMatchObject({ updated_at, checksum, evidence: { holds: 0, differs: 1 } });
  for (const [at, before] of [page, json, twin].entries())
    expect(later[at]?.headers.etag).not.toBe(before.headers.etag);
  const past = (await get(story, "/revisions/1.json")).json.data;
  expect([past.evidence, past.figures[0].now]).toEqual([null, null]);
  expect((await get(story, "/revisions/1")).text).not.toContain("no longer holds");
});

test("saves, checks and publications tell the states beside their data", async () => {
  const { asset, dataset } = await publishHeights();
  const figures = [mean(asset)];
  const body = { type: "story", payload: writePayload(figures, BODY) };
  const told = {
    evidence: {
      figures: 1,
      charts_from_data: 0,
      ...NOTHING,
      holds: 1,
      numbers_in_text: 4,
      numbers_checked: 2,
    },
    figures: [{ n: 1, text: "3.66 m", value: "3.66 m", state: "holds" }],
    charts: [],
  };
  const checked = await reader.send("POST", "/creations/check", body, { key: null });
  const unchecked_numbers = [
    { text: "7", line: 1 },
    { text: "12", line: 1 },
  ];
  expect(checked.json).toMatchObject({ ...told, unchecked_numbers });
  const saved = await reader.send("POST", "/creations", body);
  expect(saved.json).toMatchObject(told);
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "4.75"));
  const differs = { ...told.figures[0], value: "3.99 m", state: "differs" };
  const published = await write(reader, "POST", saved.json.data, "/publish", {});
  // A machine that needs more than the two seconds that a publication waits leaves the question to the job.
  const late = { ...differs, value: null, state: "not_asked" };
  const isLate = published.json.figures[0].state === "not_asked";
  expect(published.json).toMatchObject({
    evidence: { holds: 0, differs: isLate ? 0 : 1 },
    figures: [isLate ? late : differs],
  });
  expect((await get(saved.json.data, ".json")).json.data.figures[0].now.state).toBe("differs");
  const restored = await write(reader, "POST", saved.json.data, "/restore", { revision_id: "1" });
  expect(restored.json).toMatchObject({ evidence: { differs: 1 }, figures: [differs], warnings: [] });
  const dataOnly = await agent.send(
    "POST",
    "/creations/check",
    { type: "collection", payload: {} },
    { key: null },
  );
  expect(dataOnly.json.evidence).toBeUndefined();
});

test("before a publication, the agent's own file that nobody can read yet is not asked, and no closed source", async () => {
  const asset = await uploadReady(service, agent, "heights.csv", HEIGHTS);
  const body = { type: "story", payload: writePayload([mean(asset)], BODY) };
  const unasked = { evidence: { source_closed: 0, not_asked: 1 }, figures: [{ state: "not_asked" }] };
  const checked = await agent.send("POST", "/creations/check", body, { key: null });
  expect(checked.json).toMatchObject(unasked);
  const saved = await agent.send("POST", "/creations", body);
  expect(saved.json).toMatchObject(unasked);
  const published = await write(agent, "POST", saved.json.data, "/publish", {});
  expect(published.json).toMatchObject({ evidence: { source_closed: 1, not_asked: 0 } });
});

test("a chart is told at the head, a closed source is not, and a draft says nothing of now", async () => {
  const { asset, dataset } = await publishHeights();
  const draft = await makeCreation(reader, { type: "story", payload: writePayload([mean(asset)]) });
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "4.75"));
  const stored = (await reader.get(`/creations/${draft.id}/revisions/1`)).json.data;
  expect(JSON.stringify(stored)).not.toContain('"now"');
  const text = writeText([chartOf(asset, { aggregate: [{ op: "avg", column: "height_m", as: "mean_m" }] })]);
  const charted = await publish(
    reader,
    await makeCreation(reader, { type: "story", payload: { title: "Drawn", body_markdown: text } }),
  );
  const page = await get(charted);
  expect(page.text).toContain("1 chart is drawn from data; 1 no longer holds.");
  await act(agent, dataset, "unpublish");
  const closed = await get(charted);
  expect(closed.text).not.toContain("no longer holds");
  expect(closed.text).toContain("its source is closed");
});
