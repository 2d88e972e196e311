import { expect, test } from "vitest";
import { askKeptAgain, sweepUnsaidQuestions } from "../../../../shared/datasets/questions/ask-again.ts";
import { connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { figureOf, writePayload } from "../checked-figures/texts.ts";
import { describe, MISSING, makeDataset, update } from "./works.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
const SUM = { aggregate: [{ op: "sum", column: "height_m", as: "sum" }] };
const BLANK = [{ column: "height_m", values: ["-999", "NA"] }];
const get = async (url: string) => await request(service, { method: "GET", url });
const jsonOf = async (work: Json) => (await get(`/@${agent.handle}/${work.slug}.json`)).json.data;

const save = async (figures: Json[]) =>
  await agent.send("POST", "/creations", { type: "story", payload: writePayload(figures), publish: {} });

/** A story with a chart of single rows and one of sums. */
function chartsOf({ id: asset_id, content_sha256 }: Json): Json {
  const chart = (asked: object, field: string) => ({
    ...{ mark: "bar", data: { from: { asset_id, content_sha256, ...asked } } },
    encoding: { x: { field: "station", type: "nominal" }, y: { field, type: "quantitative" } },
  });
  const rows = chart(
    { columns: ["station", "height_m"], filter: [{ column: "day", op: "eq", value: "2026-11-19" }] },
    "height_m",
  );
  const sums = chart({ group: [{ column: "station" }], ...SUM }, "sum");
  const body_markdown = [rows, sums].map((one) => `\`\`\`chart\n${JSON.stringify(one)}\n\`\`\`\n`).join("\n");
  return { title: "Charts", body_markdown };
}

test("figures and charts are of the cells that are left; the payload stays as sent, the kept question says so", async () => {
  const { asset } = await makeDataset(service, agent, MISSING);
  const refused = await save([figureOf(asset, "11.1 m", { unit: "m" }, SUM)]);
  expect(refused.json.errors).toEqual({ "payload.figures.0.text": ["The data say 11.2 m."] });
  const row = {
    columns: ["height_m"],
    filter: [
      { column: "station", op: "eq", value: "Husum" },
      { column: "day", op: "eq", value: "2026-11-19" },
    ],
  };
  const blank = await save([figureOf(asset, "-999", {}, row)]);
  expect(blank.json.errors["payload.figures.0.from"][0]).toContain("finds a blank cell");
  const story = (await save([figureOf(asset, "11.2 m", { unit: "m" }, SUM)])).json.data;
  const [figure] = (await jsonOf(story)).figures;
  expect([figure.value, figure.question]).toEqual(["11.2", { blank: BLANK, ...SUM }]);
  expect(story.latest_revision.payload.figures[0].from).not.toHaveProperty("blank");
  const restored = await agent.send(
    "POST",
    `/creations/${story.id}/restore`,
    { revision_id: story.latest_revision.id },
    { ifMatch: story.lock_version },
  );
  expect([restored.status, (await jsonOf(story)).figures[0].question]).toEqual([200, figure.question]);
  const work = await publishNew(agent, { payload: chartsOf(asset) });
  const [, sums] = (await jsonOf(work)).charts;
  expect(sums.bound.question.blank).toEqual(BLANK);
  const csv = async (number: number) =>
    (await get(`/@${agent.handle}/${work.slug}/charts/${number}.csv`)).text;
  expect(await csv(1)).toBe("station,height_m\r\nHusum,\r\nBüsum,\r\nTönning,4.1\r\n");
  expect(await csv(2)).toBe("station,sum\r\nHusum,3.9\r\nBüsum,3.2\r\nTönning,4.1\r\n");
});

test("a figure of a draft takes the dictionary of the draft, and a closed file what was kept", async () => {
  const { asset, dataset } = await makeDataset(service, agent, MISSING, { isDraft: true });
  const figures = [figureOf(asset, "11.2 m", { unit: "m" }, SUM)];
  const story = await save(figures);
  expect(story.status).toBe(201);
  await runSql(service, "UPDATE assets SET agent_id = $2 WHERE id = $1", [
    asset.id,
    (await connectAuthor(service)).id,
  ]);
  const again = await update(agent, story.json.data.id, {
    payload: { ...writePayload(figures), title: "Again" },
  });
  expect([again.status, dataset.id === again.json.data.id]).toEqual([200, false]);
});

test("what was saved before is asked again once, and the new value is kept", async () => {
  const content = "station,day,height_m,grade\nHusum,2026-11-19,3.9,A\nBüsum,2026-11-19,-999,B\n";
  const { asset, dataset } = await makeDataset(service, agent, null, { content });
  const story = (await save([figureOf(asset, "-995.1 m", { unit: "m" }, SUM)])).json.data;
  const work = await publishNew(agent, { payload: chartsOf(asset) });
  await runSql(
    service,
    "UPDATE revision_figures SET says_blanks = false, question = question::jsonb - 'blank' WHERE asset_id = $1",
    [asset.id],
  );
  await runSql(
    service,
    "UPDATE revision_charts SET says_blanks = false, question = question::jsonb - 'blank' WHERE asset_id = $1",
    [asset.id],
  );
  await update(agent, dataset.id, { payload: describe(asset, MISSING) });
  const page = (await get(`/@${agent.handle}/${story.slug}`)).text;
  expect(page).toContain("the data say -995.1");
  expect(await sweepUnsaidQuestions(service.deps)).toBe(2);
  for (const { latest_revision } of [story, work])
    await askKeptAgain(service.deps, service.threads, latest_revision.id);
  const [figure] = (await jsonOf(story)).figures;
  expect([figure.value, figure.question.blank]).toEqual(["3.9", BLANK]);
  expect((await get(`/@${agent.handle}/${story.slug}`)).text).toContain("the data say 3.9");
  expect((await get(`/@${agent.handle}/${work.slug}/charts/2.csv`)).text).toBe(
    "station,sum\r\nHusum,3.9\r\nBüsum,\r\n",
  );
  expect(await sweepUnsaidQuestions(service.deps)).toBe(0);
});

test("a figure whose dictionary calls other cells missing since is moved by rebind, though its file is the same", async () => {
  const { asset, dataset } = await makeDataset(service, agent, MISSING);
  const figures = [figureOf(asset, "11.2 m", { unit: "m" }, SUM)];
  const story = (await save(figures)).json.data;
  const rebind = async (way: "keep" | "update") =>
    await update(agent, story.id, { changes: { rebind: { works: "newest", figures: way } } });
  expect((await rebind("update")).json.rebound).toEqual([]);
  const [height, ...others] = MISSING.columns;
  const columns = [{ ...height, missing_values: ["-999", "NA", "4.1"] }, ...others];
  await update(agent, dataset.id, { payload: describe(asset, { columns }) });
  const kept = await rebind("keep");
  expect([kept.status, kept.json.errors, kept.json.hint]).toEqual([
    422,
    { "changes.rebind": ['Figure 1, "11.2 m": the newest data say 7.1 m.'] },
    expect.stringContaining('"figures": "update"'),
  ]);
  const moved = await rebind("update");
  expect([moved.status, moved.json.rebound]).toMatchObject([
    200,
    [{ kind: "figure", n: 1, to_revision: 2, old: "11.2 m", new: "7.1 m" }],
  ]);
  const { body_markdown, figures: now } = await jsonOf(story);
  expect([now[0].text, now[0].state ?? now[0].now?.state, body_markdown]).toEqual([
    "7.1 m",
    expect.any(String),
    expect.stringContaining("7.1 m"),
  ]);
  expect((await rebind("update")).json.rebound).toEqual([]);
});
