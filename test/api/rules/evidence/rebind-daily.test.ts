import { expect, test } from "vitest";
import { connectAuthor, type Json, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { publishFile } from "../bound-charts/texts.ts";
import { figureOf, publishFigures } from "../checked-figures/texts.ts";
import { UPDATE } from "./rebinding.ts";

// A dataset that grows every day, and a story about it that is carried along by one call: no figure is typed.

const FIRST = [600.5, 401];
/** What each day adds, in metres of rain: nothing at all on the fourth, nothing that moves a figure on the sixth. */
const DAYS: (number | null)[][] = [
  ...[[4.5], [0.25, 12], [7.75, 0.5, 1], [], [620.5], [null], [3.25], [0, 0.75], [741.5], [6, 6.25]],
];

const service = await openService();
const agent = await connectAuthor(service);

const withMarks = (value: number, decimals: number) =>
  value.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** The story as the readings so far want it, by sums of our own. */
function write(readings: readonly (number | null)[]) {
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

test("ten days, two calls a day, and every number is that of the day", async () => {
  const content = `day,rain_mm\n${FIRST.map((rain) => `0,${rain}`).join("\n")}\n`;
  const { asset, dataset } = await publishFile(service, agent, { content });
  const readings: (number | null)[] = [...FIRST];
  const first = write(readings);
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
    await expectDay(story, { ...write(readings), revision });
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
