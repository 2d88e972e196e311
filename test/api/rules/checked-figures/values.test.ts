import { expect, test } from "vitest";
import { connectAuthor, type Json } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { publishFile } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, writePayload } from "./texts.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
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
