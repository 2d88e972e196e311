import { describe, expect, it } from "vitest";
import { inspect, inspectAccepted, reasonOf } from "./sources.ts";

const refusals: [what: string, content: string | Uint8Array, reason: RegExp][] = [
  ["no value", "", /^Line 1, column 1: the file holds no JSON value/],
  ["white space only", " \n ", /^Line 2, column 2: the file holds no JSON value/],
  ["text after the value", "[]\n{}", /^Line 2, column 1: text follows the JSON value/],
  ["several values line by line", '{"a":1}\n{"a":2}\n', /^Line 2, column 1: text follows .*one list/],
  [
    "a trailing comma in a list",
    "[1,\n 2,\n]",
    /^Line 3, column 1: an item of the list must stand here\. Remove a comma/,
  ],
  [
    "a trailing comma in an object",
    '{"a":1,}',
    /^Line 1, column 8: a key in double quotes must stand here\. Remove a comma/,
  ],
  ["NaN", "[NaN]", /^Line 1, column 2: a value must stand here\. .*NaN/],
  ["a comment", "[1] // one", /^Line 1, column 5: text follows .*no comments/],
  ["single quotes", "['a']", /^Line 1, column 2: a value .*double quotes/],
  ["a bare key", "{a:1}", /^Line 1, column 2: a key in double quotes/],
  ["a missing colon", '{"a" 1}', /^Line 1, column 6: a colon must follow/],
  ["a missing comma", "[1 2]", /^Line 1, column 4: a comma or the end of the list/],
  ["the wrong closing bracket", '{"a":1]', /^Line 1, column 7: a comma or the end of the object/],
  ["a word cut short", "[tru]", /^Line 1, column 5: a value must stand here/],
  ["a leading zero", "[012]", /^Line 1, column 3: a comma or the end of the list/],
  ["a plus sign", "[+1]", /^Line 1, column 2: a value must stand here/],
  ["a number without fraction digits", "[1.]", /^Line 1, column 4: the number is not complete/],
  ["a raw line break in a text", '["a\nb"]', /^Line 1, column 4: a text holds a raw control character/],
  ["an unknown escape", '["\\x41"]', /^Line 1, column 4: the escape is unknown/],
  ["a bad hexadecimal escape", '["\\u00G0"]', /^Line 1, column 7: the escape is unknown/],
  ["an escaped NUL", '["\\u0000"]', /^Line 1, column 8: a text holds an escaped NUL/],
  ["an escaped NUL in a key", '{"\\u0000":1}', /^Line 1, column 8: .*NUL/],
  ["half a surrogate pair", '["\\ud800"]', /^Line 1, column 9: .*surrogate pair/],
  ["the low half alone", '["\\udc00"]', /^Line 1, column 8: .*surrogate pair/],
  ["two high halves", '["\\ud800\\ud800"]', /^Line 1, column 14: .*surrogate pair/],
  ["a high half and another escape", '["\\ud800\\n"]', /surrogate pair/],
  ["a raw NUL", "[\0]", /^Line 1, column 2: a value must stand here/],
  ["a list never closed", "[1,\n2", /^Line 2, column 2: the file ends before its JSON does/],
  ["a text never closed", '["a', /^Line 1, column 4: the file ends before its JSON does/],
  ["a closing bracket alone", "]", /^Line 1, column 1: a value must stand here/],
  ["a column counted in characters", '["😀😀", x]', /^Line 1, column 8: an item/],
  [
    "bytes that are not UTF-8",
    Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
    /^Line 1 \(byte 3\) is not UTF-8 text/,
  ],
  ["lines of JSON", '{"a":1}\n{"a":2}\n', /^Line 2, column 1: text follows .*JSON Lines: name it \.jsonl/],
  ["a web page", "<!DOCTYPE html>", /^Line 1, column 1: a value must stand here.*HTML or XML/],
  ["None", "[None]", /write null\.$/],
  ["undefined", '{"a":undefined}', /write null\.$/],
  [
    "negative infinity",
    "[-Infinity]",
    /^Line 1, column 3: the number is not complete.*no Infinity; write null/,
  ],
  ["a byte-order mark inside", "[\ufeff1]", /^Line 1, column 2: a value must stand here/],
];

describe("a JSON file is refused for", () => {
  it.each(refusals)("%s", async (_what, content, reason) => {
    expect(await reasonOf(content, "json")).toMatch(reason);
  });
});

describe("the limits of a JSON file", () => {
  it("are 64 levels", async () => {
    expect(await inspect(`${"[".repeat(64)}${"]".repeat(64)}`, "json")).toMatchObject({ ok: true });
    expect(await reasonOf(`${"[".repeat(65)}${"]".repeat(65)}`, "json")).toMatch(
      /^Line 1, column 65: .*64 levels/,
    );
  });

  it("are 10,000 keys an object", async () => {
    const withKeys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(",")}}`;
    expect(await inspect(withKeys(10_000), "json")).toMatchObject({ ok: true });
    expect(await reasonOf(withKeys(10_001), "json")).toMatch(/^Line 1, column \d+: .*10,000 keys/);
  });

  it.each(["text", "key", "number"])("are 1 MiB a %s, counted in bytes", async (what) => {
    const wrap = (token: string): string =>
      what === "text" ? `["${token}"]` : what === "key" ? `{"${token}":1}` : `[${token}]`;
    const unit = what === "number" ? "7" : "é";
    const most = 1_048_576 / Buffer.byteLength(unit);
    expect(await inspect(wrap(unit.repeat(most)), "json")).toMatchObject({ ok: true });
    expect(await reasonOf(`\n ${wrap(unit.repeat(most + 1))}`, "json")).toMatch(
      /^Line 2, column 3: .*over 1 MiB/,
    );
  });
});

describe("a JSON table", () => {
  it("takes a repeated key's last value, at every level, and says so", async () => {
    const { inspection, hints } = await inspectAccepted('[{"a":1,"b":{"x":1,"x":2},"a":3}]', "json");
    expect(inspection).toMatchObject({ sample: [[3, { x: 2 }]] });
    expect(hints).toMatchObject([{ code: "duplicate_keys" }]);
  });
});

describe("a JSON document", () => {
  it("forgets a record list whose key is repeated", async () => {
    const lost = await inspectAccepted('{"a":[{"x":1}],"a":5}', "json");
    expect(lost.tables).toEqual([]);
    const replaced = await inspectAccepted('{"a":[{"x":1}],"a":[{"y":1},{"y":2}]}', "json");
    expect(replaced.tables).toMatchObject([
      { name: "a", position: 1, row_count: 2, columns: [{ name: "y" }] },
    ]);
  });

  it("has an outline of bounded size however deep and wide it is", async () => {
    const wide = (depth: number): unknown =>
      depth === 0
        ? 1
        : Object.fromEntries(
            Array.from({ length: 6 }, (_, i) => [`${"k".repeat(200)}${i}`, wide(depth - 1)]),
          );
    const { inspectionJson } = await inspectAccepted(JSON.stringify(wide(6)), "json");
    expect(inspectionJson?.length).toBeLessThan(200_000);
    const flat = JSON.stringify({
      list: Array.from({ length: 1000 }, () => wide(1)),
      ...(wide(1) as object),
    });
    expect((await inspectAccepted(flat, "json")).inspectionJson?.length).toBeLessThan(10_000);
  });
});

describe("a text file", () => {
  it("has no inspection", async () => {
    expect(await inspectAccepted("# Title\n\nétude\n", "md")).toMatchObject({
      inspection: null,
      inspectionJson: null,
    });
    expect(await inspectAccepted("", "txt")).toMatchObject({ inspection: null });
  });

  it.each([
    ["NUL, by its line", "a\nb\0c", /^Line 2 holds a NUL character/],
    [
      "bytes that are not UTF-8, by their line",
      Buffer.from("a\n\xe9b\n", "latin1"),
      /^Line 2 \(byte 3\) is not UTF-8/,
    ],
    ["a PDF's content", "%PDF-1.4", /^The file is a PDF/],
  ])("is refused for %s", async (_what, content, reason) => {
    expect(await reasonOf(content, "txt")).toMatch(reason);
  });
});
