import { expect, test } from "vitest";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { act, write } from "../../../support/work-acts.ts";
import { chartOf, publishFile, republish, writeText } from "../bound-charts/texts.ts";
import { figureOf, HEIGHTS, publishFigures, writePayload } from "../checked-figures/texts.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const get = async (work: Json, form = "") => {
  await untilJobsAreDone(service);
  return await request(service, { method: "GET", url: `/@${reader.handle}/${work.slug}${form}` });
};
const mean = (asset: Json) => figureOf(asset, "3.66 m", { decimals: 2, unit: "m" });
const publishHeights = () => publishFile(service, agent, { content: HEIGHTS });
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
