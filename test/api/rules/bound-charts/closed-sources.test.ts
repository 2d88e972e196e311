import { beforeEach, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { type Json, publishNew } from "../../../support/agent.ts";
import { act, write } from "../../../support/work-acts.ts";
import { sendForm } from "../../routes/agent/append.ts";
import { figureOf, MEAN } from "../checked-figures/texts.ts";
import { openChartSite, rowsOf } from "./chart-site.ts";
import { chartOf, publishFile, writeText } from "./texts.ts";

const SAID = "3.66 m";

let story: Json;
let asset: Json;
let dataset: Json;

const site = await openChartSite();
const { reader } = site;

const textOf = (charts: object[], words = SAID) => `${writeText(charts)}\n\nThe mean is ${words}.\n`;
const meanOf = (text = SAID) => figureOf(asset, text, { decimals: 2, unit: "m" }, MEAN);

/** A story of another agent's dataset, with a chart and a figure. The dataset closes afterwards. */
beforeEach(async () => {
  ({ asset, dataset } = await publishFile(site.service, site.agent));
  const payload = { title: "Hights", body_markdown: textOf([chartOf(asset)]), figures: [meanOf()] };
  const reply = await reader.send("POST", "/creations", { type: "story", payload, publish: {} });
  expect([reply.status, reply.json.errors]).toEqual([201, undefined]);
  story = reply.json.data;
  await act(site.agent, dataset, "unpublish", {});
});

const save = async (payload: object) =>
  await write(reader, "PATCH", story, "", { payload, change_summary: "A word.", publish: {} });
const CLOSED = "names no file of yours, nor one that readers may fetch.";

test("a text whose source has closed is corrected around its charts and figures, which stay as they were", async () => {
  const before = await site.json(reader, story);
  const shown = rowsOf(await site.page(reader, story));
  const { mark, ...chart } = chartOf(asset) as Json;
  const body_markdown = textOf([{ mark, title: "Mean heights", ...chart }]);
  const saved = await save({ title: "Heights", body_markdown, figures: [meanOf()] });
  expect([saved.status, saved.json.errors]).toEqual([200, undefined]);
  const page = await site.page(reader, story);
  expect(rowsOf(page)).toEqual(shown);
  expect(page).toContain("Mean heights");
  const after = await site.json(reader, story);
  const { value, checked_at } = before.figures[0];
  expect(after.figures[0]).toMatchObject({ value, checked_at, query_url: null });
  expect(after.charts[0].bound).toMatchObject({ asset_id: asset.id, creation: null, query_url: null });
});

test("so is one of a file in a dialect, by the hash of the file and by that of what was read", async () => {
  const dialect = JSON.stringify({ delimiter: ";", decimalChar: "," });
  const content = "station;height_m\nHusum;4,40\nKiel;3,10\n";
  const sent = await sendForm(site.service, site.agent, [
    ["dialect", dialect],
    ["file", content, "heights.csv"],
  ]);
  const { data: file } = sent.json;
  const attachments = [{ asset_id: file.id, label: "Heights" }];
  const heights = await publishNew(site.agent, {
    type: "dataset",
    payload: { title: "Heights", attachments },
  });
  const asRead = { ...file, content_sha256: file.canonical_sha256 };
  const payload = { title: "Two", body_markdown: writeText([chartOf(file), chartOf(asRead)]) };
  story = await publishNew(reader, { payload });
  await act(site.agent, heights, "unpublish", {});
  const saved = await save({ ...payload, title: "Both" });
  expect([saved.status, saved.json.errors]).toEqual([200, undefined]);
});

test("its source is named again once it is open again", async () => {
  const figures = [meanOf()];
  const saved = await save({ title: "Heights", body_markdown: textOf([chartOf(asset)]), figures });
  expect(saved.status).toBe(200);
  await act(site.agent, dataset, "restore", { revision_id: 1 });
  const { charts, figures: checked, references } = await site.json(reader, story);
  expect(charts[0].bound.creation.id).toBe(dataset.id);
  expect(checked[0].query_url).toContain(asset.id);
  expect(references.map((one: Json) => one.relation)).toEqual(["uses"]);
});

test("what the text did not ask before is refused, chart and figure", async () => {
  const chart = chartOf(asset, { limit: 2 });
  const other = figureOf(asset, SAID, { decimals: 2, unit: "m" }, { ...MEAN, blank: ["x"] });
  const reply = await save({ title: "Heights", body_markdown: textOf([chart]), figures: [other] });
  expect([reply.status, reply.json.errors]).toEqual([
    422,
    {
      "payload.body_markdown": [`Chart 1 (line 3): data.from.asset_id ${CLOSED}`],
      "payload.figures.0.from.asset_id": [`The asset_id ${CLOSED}`],
    },
  ]);
});

test("a chart that draws another column than is kept is refused, and a figure that says another number", async () => {
  const chart = chartOf(asset) as Json;
  const swapped = { ...chart, encoding: { ...chart.encoding, x: { field: "height_m", type: "nominal" } } };
  const payload = {
    title: "Heights",
    body_markdown: textOf([swapped], "3.67 m"),
    figures: [meanOf("3.67 m")],
  };
  const reply = await save(payload);
  expect([reply.status, reply.json.errors]).toEqual([
    422,
    {
      "payload.body_markdown": [`Chart 1 (line 3): data.from.asset_id ${CLOSED}`],
      "payload.figures.0.text": [`The data say ${SAID}.`],
    },
  ]);
});

test("a new text may not take them, nor one whose newest revision lost its content", async () => {
  const payload = { title: "Heights", body_markdown: textOf([chartOf(asset)]), figures: [meanOf()] };
  const fresh = await reader.send("POST", "/creations", { type: "story", payload });
  expect([fresh.status, Object.keys(fresh.json.errors).length]).toEqual([422, 2]);
  await act(reader, story, "unpublish", {});
  await removeContent(site.service.deps, COMMAND_LINE, story.latest_revision.id, "moderator");
  expect((await save(payload)).status).toBe(422);
});
