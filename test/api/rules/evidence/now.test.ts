import { expect, test } from "vitest";
import { askNewest } from "../../../../shared/datasets/evidence/ask-newest.ts";
import { sweepStanding, toStanding } from "../../../../shared/datasets/evidence/ask-standing.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { listStandingOf } from "../../../../sql/datasets/standing-questions.ts";
import { connectAuthor, type Json, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { chartOf, publishFile, publishStory, READINGS, republish, writeText } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, publishFigures } from "../checked-figures/texts.ts";

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
