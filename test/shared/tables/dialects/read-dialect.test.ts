import { expect, test } from "vitest";
import { canonicalDialect } from "../../../../shared/tables/dialects/canonical-dialect.ts";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { readDialect, readDialectValue } from "../../../../shared/tables/dialects/read-dialect.ts";

test.each([
  ['{"delimiter":";","rows":[3,null],"header":false}', { delimiter: ";", rows: [3, null], header: false }],
  ["{}", {}],
  [" auto\n", "auto"],
])("%j is a dialect", (text, dialect) => {
  expect(readDialect(text)).toEqual({ ok: true, dialect });
});

test.each(["", "auto!", '"auto"', "[]", "null", "{", `{"commentChar":"${"x".repeat(8_200)}"}`])(
  "%.20j is none",
  (text) => {
    expect(readDialect(text)).toEqual({ ok: false, faults: { dialect: [expect.any(String)] } });
  },
);

test.each<[string, unknown]>([
  ["delimiter", ";;"],
  ["delimiter", "a"],
  ["delimiter", "-"],
  ["delimiter", "\u00a7"],
  ["quoteChar", "`"],
  ["escapeChar", "/"],
  ["lineTerminator", "\n"],
  ["headerRows", [0]],
  ["headerRows", [2, 2]],
  ["headerRows", [21]],
  ["headerRows", []],
  ["commentChar", "//"],
  ["nullColumns", "drop"],
  ["encoding", "utf-32"],
  ["encoding", "iso-2022-kr"],
  ["decimalChar", ";"],
  ["groupChar", "_"],
  ["columns", "a"],
  ["rows", [2, 1]],
  ["rows", [0, null]],
  ["rows", [1]],
])("%s takes no %j", (member, value) => {
  expect(readDialectValue({ [member]: value })).toEqual({
    ok: false,
    faults: { [`dialect.${member}`]: [expect.stringContaining(member)] },
  });
});

test.each<[Dialect, string]>([
  [{ header: false, headerRows: [1] }, "headerRows"],
  [{ decimalChar: ",", groupChar: "," }, "groupChar"],
  [{ doubleQuote: true, escapeChar: "\\" }, "doubleQuote"],
  [{ columns: ["a"] }, "columns"],
  [{ delimiter: "#", commentChar: "#" }, "commentChar"],
  [{ headerRows: [3], rows: [1, 3] }, "headerRows"],
])("%j does not go together", (dialect, member) => {
  expect(readDialectValue(dialect)).toEqual({
    ok: false,
    faults: { [`dialect.${member}`]: [expect.any(String)] },
  });
});

test("every fault is told at once, an unknown member with the nearest name", () => {
  const read = readDialectValue({ delimeter: ";", header: "no", __proto__: null, rows: 3 });
  expect(read).toMatchObject({
    ok: false,
    faults: {
      "dialect.delimeter": [expect.stringContaining("Did you mean delimiter?")],
      "dialect.header": [expect.any(String)],
      "dialect.rows": [expect.any(String)],
    },
  });
});

test.each<[Dialect, Dialect]>([
  [{}, { delimiter: "," }],
  [
    {
      quoteChar: '"',
      doubleQuote: true,
      escapeChar: null,
      header: true,
      headerRows: [1],
      skipInitialSpace: false,
    },
    { delimiter: "," },
  ],
  [{ nullColumns: "refuse", encoding: "UTF8", rows: [1, null], commentChar: null }, { delimiter: "," }],
  [
    { quoteChar: null, doubleQuote: false, escapeChar: "\\" },
    { delimiter: ",", quoteChar: null },
  ],
  [
    { doubleQuote: false, escapeChar: "\\" },
    { delimiter: ",", escapeChar: "\\" },
  ],
  [
    { encoding: "Latin1", delimiter: "\t" },
    { delimiter: "\t", encoding: "windows-1252" },
  ],
  [
    { rows: [4, null], headerRows: [4] },
    { delimiter: ",", rows: [4, null] },
  ],
  [
    { rows: [4, null], headerRows: [1] },
    { delimiter: ",", headerRows: [1], rows: [4, null] },
  ],
  [
    { commentChar: "#", headerRows: [1] },
    { delimiter: ",", headerRows: [1], commentChar: "#" },
  ],
])("%j is kept as %j", (dialect, kept) => {
  expect(canonicalDialect(dialect)).toStrictEqual(kept);
  expect(canonicalDialect(kept)).toStrictEqual(kept);
});
