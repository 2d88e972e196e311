import { expect, test } from "vitest";
import { connectAuthor, type Json } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { publishFile } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, MEAN, writePayload } from "./texts.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
const { asset } = await publishFile(service, agent, { content: HEIGHTS });

const save = async (payload: Json, type = "story") =>
  await agent.send("POST", "/creations", { type, payload });

/** What a save with these figures is refused for, by field; nothing may be stored. */
async function refuse(figures: readonly Json[], body?: string): Promise<Record<string, string[]>> {
  const before = await runSql(service, "SELECT count(*) FROM creations");
  const reply = await save(writePayload(figures, body));
  expect([reply.status, reply.json.code]).toEqual([422, "validation_failed"]);
  expect(await runSql(service, "SELECT count(*) FROM creations")).toEqual(before);
  return reply.json.errors;
}

const f = (text: string, more?: object, asked?: object) => figureOf(asset, text, more, asked);
const says = (text: string) => `The data say ${text}.`;

test("one row with one column is needed, and a number in it", async () => {
  const none = { filter: [{ column: "station", op: "eq", value: "Sylt" }] };
  const errors = await refuse([
    f("1", {}, { columns: ["height_m"], ...none }),
    f("2", {}, { columns: ["height_m"] }),
    f("3", {}, { columns: ["station", "height_m"], limit: 1 }),
    f("4", {}, { columns: ["station"], limit: 1 }),
    f("5", {}, ask("sum", none)),
    f("6", {}, { group: [{ column: "station" }] }),
    f("7", {}, { columns: ["height_m"], limit: 2 }),
    f("8", {}, ask("sum", { offset: 1 })),
  ]);
  const found = (what: string) => `The question finds ${what}; a figure needs one row with one column.`;
  expect(errors).toEqual({
    "payload.figures.0.from": [found("no rows with 1 column")],
    "payload.figures.1.from": [found("7 rows with 1 column")],
    "payload.figures.2.from": [found("1 row with 2 columns")],
    "payload.figures.3.from": ["The question finds a cell that is no number; a figure needs one."],
    "payload.figures.4.from": ["The question finds a blank cell; a figure needs a number."],
    "payload.figures.5.from": [found("3 rows with 2 columns")],
    "payload.figures.6.from": [found("2 rows with 1 column")],
    "payload.figures.7.from": [found("no rows with 1 column")],
  });
});

test("what is wrong with a question is told on its member, unknown columns and names with the nearest", async () => {
  const column = await refuse([f("5", {}, { aggregate: [{ op: "sum", column: "heigth_m" }] })]);
  expect(column["payload.figures.0.from.aggregate.0.column"]?.[0]).toContain("height_m");
  const errors = await refuse([
    f("1", {}, { agregate: [] }),
    f("2", {}, { facet: ["station"] }),
    f("3", {}, { aggregate: [{ op: "mean", column: "height_m" }] }),
    f("4", { unit: "" }),
    f("5", { decimals: 11 }),
    f("6", { digits: 2 }),
    { text: "7" },
    f("8", {}, ask("sum", { limit: 1e21 })),
    f("9", {}, ask("sum", { filter: [{ column: "day", op: "eq", value: [[[[[1]]]]] }] })),
  ]);
  expect(Object.keys(errors)).toEqual([
    "payload.figures.0.from.agregate",
    "payload.figures.1.from.facet",
    "payload.figures.2.from.aggregate.0.op",
    "payload.figures.3.unit",
    "payload.figures.4.decimals",
    "payload.figures.5.digits",
    "payload.figures.6.from",
    "payload.figures.7.from.limit",
    "payload.figures.8.from.filter.0.value",
  ]);
  expect(errors["payload.figures.0.from.agregate"]?.[0]).toContain("Did you mean aggregate?");
});

test("fifty figures are taken and 51 are not; other types of work have none", async () => {
  const fifty = Array.from({ length: 50 }, () => f("3.66", { decimals: 2 }));
  expect((await save(writePayload(fifty))).status).toBe(201);
  const errors = await refuse([...fifty, f("3.66", { decimals: 2 })]);
  expect(errors).toEqual({ "payload.figures": ["The figures list has 51 items; at most 50 are allowed."] });
  const dataset = { title: "D", attachments: [{ asset_id: asset.id, label: "D" }], figures: [] };
  const reply = await save(dataset, "dataset");
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["payload.figures"]]);
});

test("a text must stand in the body, as it is written or as it is shown", async () => {
  const mean = f("3.66 m", { decimals: 2, unit: "m" });
  const stray = {
    "payload.figures.0.text": [
      "This text does not stand in body_markdown. Write it there in the same characters.",
    ],
  };
  expect(await refuse([mean], "It was 3.66m.")).toEqual(stray);
  for (const body of ["It was `3.66 m`.", "It was **3.66** m.", "It was 3.66&#32;m.", "It was 3.66\nm."])
    expect([body, (await save(writePayload([mean], body))).status]).toEqual([body, 201]);
});

test("changes to figures or to the text are checked as a whole payload is", async () => {
  const mean = f("3.66 m", { decimals: 2, unit: "m" });
  const { id, lock_version } = (await save({ title: "C", body_markdown: "It was 3.66 m." })).json.data;
  const change = async (changes: object, ifMatch: number) =>
    await agent.send("PATCH", `/creations/${id}`, { changes, change_summary: "Checked." }, { ifMatch });
  const wrong = await change({ set: { figures: [{ ...mean, decimals: 1 }] } }, lock_version);
  expect(wrong.json.errors).toEqual({ "payload.figures.0.text": [says("3.7 m")] });
  const set = await change({ set: { figures: [mean] } }, lock_version);
  expect(set.status).toBe(200);
  const version = set.json.data.lock_version;
  const replaced = await change({ replace: [{ find: "3.66 m", with: "3.67 m" }] }, version);
  expect(Object.keys(replaced.json.errors)).toEqual(["payload.figures.0.text"]);
  const away = await change({ set: { figures: null }, replace: [{ find: "3.66 m", with: "high" }] }, version);
  expect([away.status, "figures" in away.json.data.latest_revision.payload]).toEqual([200, false]);
});

test("a payload without figures is emitted without them, and one with them as it was sent", async () => {
  const plain = (await save({ title: "P", body_markdown: "Plain." })).json.data.latest_revision;
  expect(Object.keys(plain.payload)).not.toContain("figures");
  const asked = { ...MEAN, filter: [{ column: "station", op: "ne", value: "" }], table: null };
  const sent = f("3.66", { decimals: 2, unit: null }, asked);
  const { payload } = (await save(writePayload([sent]))).json.data.latest_revision;
  const { table: _, ...from } = sent.from;
  expect(payload.figures).toEqual([{ text: "3.66", from, decimals: 2 }]);
});

test("hostile figures are refused, and none is an error of the service", async () => {
  const wild: unknown[] = [
    null,
    "x",
    {},
    [],
    { text: {}, from: [] },
    f("1", {}, { filter: {} }),
    f("1", {}, { filter: [[]] }),
    f("1", {}, { group: [{ column: "__proto__" }] }),
    f("1", {}, { toString: 1 }),
    f("1", {}, { constructor: 1 }),
    f("1", {}, { q: "x".repeat(300) }),
    f("1", {}, { table: { a: 1 } }),
    f("1", {}, { blank: [{}] }),
    f("1", { decimals: "2" }),
    f("1", { decimals: 1.5 }),
    f("x".repeat(300)),
    f("1\n2"),
  ];
  for (const one of wild)
    expect(Object.keys(await refuse([one as Json], "1 x")).length, JSON.stringify(one)).toBeGreaterThan(0);
});
