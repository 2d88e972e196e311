import { describe, expect, it } from "vitest";
import { inspectAccepted, reasonOf } from "./sources.ts";

describe("a document is told that it is a data frame", () => {
  it.each([
    '{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}',
    '{"a":{"0":1}}',
    '{"columns":["a","b"],"index":[0,1],"data":[[1,2],[3,4]]}',
    '{"a":[1,2],"b":["x",null]}',
    '{"0":{"a":1,"b":2},"1":{"a":3,"b":4}}',
    "[[1,2],[3,null]]",
  ])("%s", async (text) => {
    expect((await inspectAccepted(text, "json")).hints).toMatchObject([{ code: "data_frame", count: null }]);
  });

  it.each([
    '{"a":[1,2],"b":[3]}',
    '{"a":[1,2]}',
    '{"rows":[{"a":1}],"more":[{"a":2}]}',
    '{"a":{"x":1},"b":{"x":2}}',
    '{"0":[1]}',
    "{}",
    "[1,2]",
    "[[]]",
    '[[1,2],{"a":3}]',
    "[[[1,2],[3,4]]]",
  ])("and %s is not", async (text) => {
    expect((await inspectAccepted(text, "json")).hints).toEqual([]);
  });

  it("and NaN and Infinity are refused with the mend", async () => {
    expect(await reasonOf('[{"a":NaN}]', "json")).toMatch(/^Line 1, column 7: .* write null\.$/);
    for (const text of ['[{"a":Infinity}]', '[{"a":-Infinity}]'])
      expect(await reasonOf(text, "json")).toMatch(/JSON has no Infinity; write null\.$/);
  });
});
