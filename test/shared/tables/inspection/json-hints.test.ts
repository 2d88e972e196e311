import { describe, expect, it } from "vitest";
import { inspectAccepted, reasonOf } from "./sources.ts";

describe("a list of objects is told", () => {
  it.each<[code: string, content: string, columns: string[], message: RegExp]>([
    ["mixed_column", '[{"v":1,"w":2},{"v":"NA","w":3}]', ["v"], /"v" is mixed: it holds numbers and texts\./],
    ["mixed_column", '{"rows":[{"v":1},{"v":[]},{"v":true}]}', ["v"], /numbers, booleans and lists\./],
    ["long_numbers", '[{"id":9007199254740993}]', ["id"], /over 2\^53/],
    ["long_numbers", '[{"id":1},{"id": -12345678901234567890 , "x":1}]', ["id"], /over 2\^53/],
    ["invisible_characters", '[{"a":1,"a\\u200b":2}]', ["a\u200b"], /^Column "aU\+200B" is named/],
    ["similar_names", '[{"Name":1,"name":2}]', ["Name", "name"], /look alike/],
    ["no_rows", "[]", [], /no row/],
  ])("%s of %s", async (code, content, columns, message) => {
    const { hints } = await inspectAccepted(content, "json");
    expect(hints).toMatchObject([{ code, columns, message: expect.stringMatching(message) }]);
  });

  it.each([
    '[{"v":9007199254740992,"w":1234567890.1234567,"x":1e20,"t":"9007199254740993"}]',
    '[{"v":1},{"v":null},{}]',
    '{"n":9007199254740993,"rows":[{"v":1}]}',
  ])("nothing of %s", async (content) => {
    expect((await inspectAccepted(content, "json")).hints).toEqual([]);
  });
});

describe("a document is told that it is a data frame", () => {
  it.each([
    '{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}',
    '{"a":{"0":1}}',
    '{"columns":["a","b"],"index":[0,1],"data":[[1,2],[3,4]]}',
    '{"a":[1,2],"b":["x",null]}',
    '{"0":{"a":1,"b":2},"1":{"a":3,"b":4}}',
    '{"DE":{"pop":83,"area":357},"FR":{"pop":68,"area":null}}',
    "[[1,2],[3,null]]",
  ])("%s", async (text) => {
    expect((await inspectAccepted(text, "json")).hints).toMatchObject([{ code: "data_frame", count: null }]);
  });

  it.each([
    '{"a":[1,2],"b":[3]}',
    '{"a":[1,2]}',
    '{"rows":[{"a":1}],"more":[{"a":2}]}',
    '{"a":{"x":1},"b":{"x":2}}',
    '{"a":{"x":1,"y":2},"b":{"x":2,"z":3}}',
    '{"a":{"x":1,"y":2}}',
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
