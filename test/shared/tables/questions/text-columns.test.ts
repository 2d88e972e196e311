import { expect, test } from "vitest";
import { prepareFile } from "../rows/reading.ts";
import { asJson, askData } from "./asking.ts";

const codes = await prepareFile("code,v\n01001,1\n1001,2\n0200,3\n9,4\n,5\n", "csv");
const list = await prepareFile('[{"code":1001,"v":1},{"code":1001.0,"v":2}]', "json");

const rowsOf = async (question: object, ready = codes): Promise<unknown> =>
  (await askData(ready, asJson(question))).rows;

const filter = (op: string, value: string) => ({ filter: [{ column: "code", op, value }], columns: ["v"] });

test("codes with leading zeros compare as texts in filters, sorts, groups, least, greatest and having", async () => {
  expect(await rowsOf(filter("eq", "1001"))).toEqual([["2"]]);
  expect(
    await rowsOf({ filter: [{ column: "code", op: "in", value: ["1001", "200"] }], columns: ["v"] }),
  ).toEqual([["2"]]);
  expect(await rowsOf(filter("lt", "1"))).toEqual([["1"], ["3"]]);
  expect(await rowsOf({ sort: [{ column: "code" }], columns: ["v"] })).toEqual([
    ["1"],
    ["3"],
    ["2"],
    ["4"],
    ["5"],
  ]);
  const grouped = { group: [{ column: "code" }], aggregate: [{ op: "count" }], sort: [{ column: "code" }] };
  expect(await rowsOf(grouped)).toEqual([
    ["01001", 1],
    ["0200", 1],
    ["1001", 1],
    ["9", 1],
    [null, 1],
  ]);
  const ends = {
    aggregate: [
      { op: "min", column: "code" },
      { op: "max", column: "code" },
    ],
  };
  expect(await rowsOf(ends)).toEqual([["01001", "9"]]);
  const having = [{ column: "code", op: "eq", value: "1001" }];
  expect(await rowsOf({ ...grouped, having })).toEqual([["1001", 1]]);
  const least = { op: "min", column: "code", as: "least" };
  const below = { group: [{ column: "v" }], having: [{ column: "least", op: "lt", value: "1" }] };
  expect(await rowsOf({ ...below, aggregate: [least] })).toEqual([
    ["1", "01001"],
    ["3", "0200"],
  ]);
});

test("they are added up and cut in half by their numbers, and numbers of JSON stay numbers", async () => {
  const figures = {
    aggregate: [
      { op: "sum", column: "code" },
      { op: "median", column: "code" },
    ],
  };
  expect(await rowsOf(figures)).toEqual([[2211, 600.5]]);
  expect(
    await rowsOf({ filter: [{ column: "code", op: "eq", value: "1001" }], columns: ["v"] }, list),
  ).toEqual([[1], [2]]);
});
