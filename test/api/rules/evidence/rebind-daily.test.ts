import { expect, test } from "vitest";
import { connectAuthor, type Json, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { act, write } from "../../../support/work-acts.ts";
import { chartOf, publishFile, republish } from "../bound-charts/texts.ts";
import { figureOf, HEIGHTS, publishFigures } from "../checked-figures/texts.ts";
import { faultsOf, HIGHER, mean, rebind, UPDATE } from "./rebinding.ts";

// A dataset that grows every day, and a story about it that is carried along by one call: no figure is typed.

const FIRST = [600.5, 401];
/** What each day adds, in metres of rain: nothing at all on the second, nothing that moves a figure on the fourth. */
const DAYS: (number | null)[][] = [[0.25, 12], [], [620.5], [null], [0, 741.5]];

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const withMarks = (value: number, decimals: number) =>
  value.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** The story as the readings so far want it, by sums of our own. */
function describeDay(readings: readonly (number | null)[]) {
  const filled = readings.filter((one) => one !== null);
  const sum = `${withMarks(
    filled.reduce((all, one) => all + one, 0),
    2,
  )} mm`;
  const most = withMarks(Math.max(...filled), 1);
  return {
    texts: [sum, String(filled.length), most],
    body: `**${sum}** fell in ${filled.length} readings.\n\n- Most: ${most}\n- In all: ${sum}`,
  };
}

test("five days, two calls a day, and every number is that of the day", async () => {
  const content = `day,rain_mm\n${FIRST.map((rain) => `0,${rain}`).join("\n")}\n`;
  const { asset, dataset } = await publishFile(service, agent, { content });
  const readings: (number | null)[] = [...FIRST];
  const first = describeDay(readings);
  const rain = (op: string) => ({ aggregate: [{ op, column: "rain_mm" }] });
  const figures = [
    figureOf(asset, first.texts[0] ?? "", { decimals: 2, unit: "mm" }, rain("sum")),
    figureOf(
      asset,
      first.texts[1] ?? "",
      {},
      { ...rain("count"), filter: [{ column: "rain_mm", op: "gte", value: 0 }] },
    ),
    figureOf(asset, first.texts[2] ?? "", { decimals: 1 }, rain("max")),
  ];
  const story = await publishFigures(agent, figures, first.body);
  const versions = { dataset: dataset.lock_version, story: story.lock_version };
  const send = async (method: "POST" | "PATCH", path: string, body: object, work: "dataset" | "story") => {
    const reply = await agent.send(method, path, body, { ifMatch: versions[work] });
    expect(reply.status, reply.text).toBe(200);
    versions[work] = reply.json.data.lock_version;
    return reply.json;
  };
  let revision = 1;
  for (const [at, added] of DAYS.entries()) {
    const rows = added.map((rain_mm) => ({ day: at + 1, rain_mm }));
    if (rows.length > 0)
      await send("POST", `/creations/${dataset.id}/append`, { rows, publish: {} }, "dataset");
    const body = { changes: { rebind: UPDATE }, change_summary: `Day ${at + 1}.`, publish: {} };
    const { rebound, evidence, warnings } = await send("PATCH", `/creations/${story.id}`, body, "story");
    readings.push(...added);
    if (rows.length > 0) revision++;
    expect(rebound).toHaveLength(rows.length > 0 ? figures.length : 0);
    expect(warnings.map(({ code }: Json) => code)).toEqual(rows.length > 0 ? [] : ["nothing_changed"]);
    expect(evidence).toMatchObject({ figures: 3, holds: 3 });
    await expectDay(story, { ...describeDay(readings), revision });
  }
}, 120_000);

/** JSON, page and twin say what the day wants. */
async function expectDay(story: Json, day: { texts: string[]; body: string; revision: number }) {
  const get = (form: string) =>
    request(service, { method: "GET", url: `/@${agent.handle}/${story.slug}${form}` });
  const { data } = (await get(".json")).json;
  expect(data.body_markdown).toBe(day.body);
  expect(data.figures.map(({ text }: Json) => text)).toEqual(day.texts);
  for (const { now } of data.figures)
    expect(now).toMatchObject({ state: "holds", revision_number: day.revision });
  const page = (await get("")).text;
  expect(page).toContain("4 of 4 numbers in this text are checked against data; all hold.");
  for (const text of day.texts) expect(page).toContain(text);
  expect((await get(".md")).text).toContain(day.body);
}

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
