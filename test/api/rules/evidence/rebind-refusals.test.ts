import { expect, test } from "vitest";
import { connectAuthor, type Json } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { act, write } from "../../../support/work-acts.ts";
import { chartOf, publishFile, republish } from "../bound-charts/texts.ts";
import { HEIGHTS, publishFigures } from "../checked-figures/texts.ts";
import { faultsOf, HIGHER, mean, rebind, UPDATE } from "./rebinding.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
const publishHeights = () => publishFile(service, agent, { content: HEIGHTS });

test("a chart without rows, and what can no longer be asked, are refused with the reason", async () => {
  const { asset, dataset } = await publishHeights();
  const filter = [{ column: "station", op: "eq", value: "Husum" }];
  const chart = JSON.stringify(chartOf(asset, { filter }));
  const body_markdown = `3.66 m\n\n\`\`\`chart\n${chart}\n\`\`\``;
  const story = await publishFigures(reader, [mean(asset)], body_markdown);
  await republish(service, agent, dataset, HEIGHTS.replaceAll("Husum", "Wyk").replaceAll("height_m", "h"));
  const reasons = faultsOf(await rebind(reader, story, UPDATE));
  expect(reasons[0]).toMatch(/^Figure 1, "3.66 m": .*no such column/);
  expect(reasons[1]).toMatch(
    /^Chart 1 \(line 3\): data\.from\.aggregate\.0\.column is refused: .*no such column/,
  );
  await republish(service, agent, dataset, HEIGHTS.replaceAll("Husum", "Wyk"));
  expect(faultsOf(await rebind(reader, story, "newest"))).toEqual([
    expect.stringMatching(/^Chart 1 \(line 3\): data\.from must hold 1 to 500 rows, got none\.$/),
  ]);
});

test("a closed source is refused by what the text has of it, and names no work", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  await republish(service, agent, dataset, HIGHER);
  await act(agent, dataset, "unpublish");
  expect(faultsOf(await rebind(reader, story, "newest"))).toEqual([
    'Figure 1, "3.66 m": its source is closed.',
  ]);
  expect(faultsOf(await rebind(reader, story, [dataset.id]))).toEqual([
    `The text uses nothing of an open work ${dataset.id}.`,
    'Figure 1, "3.66 m": its source is closed.',
  ]);
});

test("the newest file of another's unlisted work is told to those alone who name the work", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  await republish(service, agent, dataset, HIGHER);
  await act(agent, dataset, "visibility", { visibility: "unlisted" });
  expect(faultsOf(await rebind(reader, story, UPDATE))).toEqual([
    'Figure 1, "3.66 m": its source is unlisted. Name that work by its id.',
  ]);
  const { json } = await rebind(reader, story, { works: [dataset.id], figures: "update" });
  expect(json.rebound).toMatchObject([{ new: "3.99 m", to_revision: 2 }]);
});

test("what is no rebind, or in no text, is refused", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  const fields = async (rebinding: unknown) =>
    Object.entries(faultsOf(await rebind(reader, story, rebinding)));
  const form = 'The rebind must be "newest", a list of ids of works, or an object of works and figures.';
  expect(faultsOf(await rebind(reader, story, "latest"))).toEqual([form]);
  expect(await fields([])).toEqual([["0", "The rebind list has 0 items; it needs at least 1."]]);
  expect(await fields(["x"])).toEqual([["changes.rebind.0", [expect.stringContaining("must be an ID")]]]);
  expect(await fields({ works: 7, figures: "drop" })).toEqual([
    ["changes.rebind.works", ['The works must be "newest" or a list of ids of works.']],
    ["changes.rebind.figures", ["The figures must be one of keep, update."]],
  ]);
  const ofData = await write(agent, "PATCH", dataset, "", { changes: { rebind: "newest" } });
  expect(faultsOf(ofData)).toEqual(["A creation of type dataset has no figures to rebind."]);
});

test("faults of the rest of the call are told beside, and a check tells the same", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  await republish(service, agent, dataset, HIGHER);
  const sent = { changes: { set: { title: "" }, rebind: "newest" }, change_summary: "Newer.", publish: {} };
  const { json } = await rebind(reader, story, "newest", sent);
  expect(Object.keys(json.errors).toSorted()).toEqual(["changes.rebind", "payload.title"]);
  const dry = await reader.send("POST", `/creations/${story.id}/check`, sent, { key: null });
  const told = dry.json.data.problems.map(({ field, message }: Json) => [field, [message]]);
  expect(Object.fromEntries(told)).toEqual(json.errors);
});
