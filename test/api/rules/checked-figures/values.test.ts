import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { publishFile } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, publishFigures, writePayload } from "./texts.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
const { asset } = await publishFile(service, agent, { content: HEIGHTS });

const save = async (payload: Json, type = "story") =>
  await agent.send("POST", "/creations", { type, payload });

/** Which of these figures the data say; the others with what they say in their place. */
async function judge(figures: readonly Json[]): Promise<(string | null)[]> {
  const reply = await save(writePayload(figures));
  expect([201, 422]).toContain(reply.status);
  const errors: Record<string, string[]> = reply.json.errors ?? {};
  const paths = figures.map((_, index) => `payload.figures.${index}.text`);
  expect(Object.keys(errors).filter((path) => !paths.includes(path))).toEqual([]);
  return paths.map((path) => errors[path]?.join(" ") ?? null);
}

const f = (text: string, more?: object, asked?: object) => figureOf(asset, text, more, asked);
const says = (text: string) => `The data say ${text}.`;

test("a figure that is one unit off in its last decimal is told what the data say", async () => {
  const figures = ["3.65 m", "3.66 m", "3.67 m"].map((text) => f(text, { decimals: 2, unit: "m" }));
  expect(await judge(figures)).toEqual([says("3.66 m"), null, says("3.66 m")]);
});

test("a text that looks like the value is told which characters write it", async () => {
  const plain = says("3.66 m, with U+0020 as blank and U+002D as minus");
  const blanks = ["\u00a0", "\u2009", "\u202f"].map((blank) => `3.66${blank}m`);
  expect(await judge(blanks.map((text) => f(text, { decimals: 2, unit: "m" })))).toEqual([
    plain,
    plain,
    plain,
  ]);
});

test("decimals from 0 to 10, none, and min and max as they are written", async () => {
  expect(
    await judge([
      f("4", { decimals: 0 }),
      f("3.6583333333", { decimals: 10 }),
      f("3.658333333333333"),
      f("21.95", {}, ask("sum")),
      f("21.950", { decimals: 3 }, ask("sum")),
      f("4.40", {}, ask("max")),
      f("4.4", {}, ask("max")),
      f("4.4", { decimals: 1 }, ask("max")),
      f("2.75", {}, ask("min")),
      f(
        "4.4",
        {},
        { columns: ["height_m"], filter: [{ column: "day", op: "eq", value: "2026-11-19" }], limit: 1 },
      ),
      f("7", {}, { aggregate: [{ op: "count" }] }),
    ]),
  ).toEqual([null, null, null, null, null, null, says("4.40"), null, null, null, null]);
});

test("halves go to the even digit, of negative numbers too, and of sums that no double holds", async () => {
  const rows = ["2.5", "3.5", "-2.5", "-3.5", "0.125", "0.375", "-0.004", "-1234567.5", "9007199254740993.5"];
  const file = await uploadReady(
    service,
    agent,
    "halves.csv",
    `n,v\n${rows.map((row, at) => `${at},${row}`).join("\n")}\n`,
  );
  const of = (at: number, text: string, decimals?: number) =>
    figureOf(file, text, decimals === undefined ? {} : { decimals }, {
      aggregate: [{ op: "sum", column: "v" }],
      filter: [{ column: "n", op: "eq", value: at }],
    });
  const right = [
    of(0, "2", 0),
    of(1, "4", 0),
    of(2, "-2", 0),
    of(3, "-4", 0),
    of(4, "0.12", 2),
    of(5, "0.38", 2),
    of(6, "0.00", 2),
    of(7, "-1,234,568", 0),
    of(8, "9007199254740994", 0),
    of(8, "9,007,199,254,740,993.5"),
  ];
  expect(await judge(right)).toEqual(right.map(() => null));
  expect(await judge([of(0, "3", 0), of(2, "-3", 0), of(8, "9007199254740993", 0)])).toEqual([
    says("2"),
    says("-2"),
    says("9007199254740994"),
  ]);
});

test("marks between thousands are left out; a decimal comma is none, and the unit must be there", async () => {
  const file = await uploadReady(service, agent, "large.csv", "v\n1234567.25\n");
  const of = (text: string, more?: object) =>
    figureOf(file, text, more, { aggregate: [{ op: "sum", column: "v" }] });
  const right = ["1,234,567.25", "1\u2009234\u2009567.25", "1\u202f234\u202f567.25", "1234567.25"].map(
    (text) => of(text),
  );
  expect(await judge(right)).toEqual(right.map(() => null));
  expect(await judge([of("1,234,567.25 €", { unit: "€" }), of("12,34567.25"), of("1234567,25")])).toEqual([
    null,
    says("1234567.25"),
    says("1234567.25"),
  ]);
  expect(
    await judge([of("1,234,567.25", { unit: "m, mean" }), of("1,234,567.25 m, mean", { unit: "m, mean" })]),
  ).toEqual([says("1234567.25 m, mean"), null]);
});

const get = async (url: string) => await request(service, { method: "GET", url });
const page = async (work: Json) => (await get(`/@${reader.handle}/${work.slug}`)).text;
const json = async (work: Json) => (await get(`/@${reader.handle}/${work.slug}.json`)).json.data;
const meanOf = (asset: Json) => figureOf(asset, "3.66 m", { decimals: 2, unit: "m" });
const publishHeights = async (more: Json = {}) =>
  await publishFile(service, agent, { content: HEIGHTS, ...more });

test("a figure names its value, question and source, and its source is a reference both ways", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [meanOf(asset)]);
  const [figure] = (await json(story)).figures;
  expect(figure).toMatchObject({
    ...{ text: "3.66 m", value: "3.658333333333333", changed_since: false, diff_url: null },
    ...{ asset_id: asset.id, content_sha256: asset.content_sha256, revision_number: 1 },
    creation: { id: dataset.id, title: "Gauge readings" },
  });
  expect(Math.abs(Date.parse(figure.checked_at) - service.deps.now())).toBeLessThan(60_000);
  const { pathname, search } = new URL(figure.query_url);
  expect((await get(pathname + search)).json.data.rows).toEqual([[Number(figure.value)]]);
  const html = await page(story);
  expect(html).toContain(
    '<a class="checked" id="body-figureref:1" href="#body-figure:1" title="Checked against the data">3.66 m</a>',
  );
  const entry = /<li id="body-figure:1">.*?<\/li>/s.exec(html)?.[0] ?? "";
  expect(entry).toContain('href="#body-figureref:1"');
  const hash = asset.content_sha256.slice(0, 12);
  expect(entry.replace(/<[^>]*>/g, "")).toContain(
    `Data: Gauge readings, revision 1 · Holds in revision 1 (20 November) · the data say 3.658333333333333 · SHA-256 ${hash}…`,
  );
  expect(entry).toContain("&quot;op&quot;:&quot;avg&quot;");
  expect(html).toContain("Figures checked against the data</h2>");
  const [reference] = (await json(story)).references;
  expect(reference).toMatchObject({ id: dataset.id, relation: "uses", note: null });
  const cited = (await get(`/@${agent.handle}/${dataset.slug}.json`)).json.data.cited_by;
  expect(cited).toEqual([expect.objectContaining({ id: story.id, relation: "uses" })]);
  expect(story.latest_revision.payload.references).toEqual([]);
});

test("briefs have figures", async () => {
  const { asset } = await publishHeights();
  const payload = { body_markdown: "The mean is 3.66 m.", figures: [meanOf(asset)] };
  const brief = await publishNew(reader, { type: "brief", payload });
  expect((await json(brief)).figures).toHaveLength(1);
  expect(await page(brief)).toContain("Figures checked against the data");
});

test("a restored text keeps what the data said, and asks nothing", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [meanOf(asset)]);
  const before = (await json(story)).figures[0];
  await revise(reader, story, { payload: { title: "Plain", body_markdown: "None." } });
  expect((await json(story)).figures).toEqual([]);
  expect((await get(`/@${reader.handle}/${story.slug}/revisions/1.json`)).json.data.figures).toEqual([
    { ...before, now: null },
  ]);
  await act(agent, dataset, "unpublish", {});
  const restored = await act(reader, story, "restore", { revision_id: 1 });
  expect(restored.latest_revision.checksum).toBe(story.latest_revision.checksum);
  expect((await json(story)).figures[0]).toMatchObject({
    ...{ value: before.value, checked_at: before.checked_at, creation: null },
  });
});
