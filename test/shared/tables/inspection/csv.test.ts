import { describe, expect, it } from "vitest";
import { refusals } from "./refused-csv.ts";
import { inspectAccepted, inspectTable, reasonOf } from "./sources.ts";

describe("a CSV is refused for", () => {
  it.each(refusals)("%s", async (_what, content, reason) => {
    expect(await reasonOf(content, "csv")).toMatch(reason);
  });
});

const accepted: [what: string, content: string, names: string[], rows: (string | null)[][]][] = [
  ["LF line ends", "a,b\n1,2\n", ["a", "b"], [["1", "2"]]],
  ["CRLF line ends", "a,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]],
  [
    "mixed line ends",
    "a,b\r\n1,2\n3,4\r\n5,6",
    ["a", "b"],
    [
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ],
  ],
  ["line ends of both kinds inside quotes, kept", 'a\r\n"x\ny\r\nz\rw"\r\n', ["a"], [["x\ny\r\nz\rw"]]],
  ["a byte-order mark, left out of the first name", "\ufeffa\n1\n", ["a"], [["1"]]],
  ["a byte-order mark elsewhere, kept", "a\n\ufeff1\n", ["a"], [["\ufeff1"]]],
  ["a header only", "a,b\n", ["a", "b"], []],
  ["a header without line end", "a,b", ["a", "b"], []],
  ["blank lines at the end, ignored", "a,b\n1,2\n\n\r\n\n", ["a", "b"], [["1", "2"]]],
  ["blank lines inside one column, as blank cells", "a\n1\n\n\n2\n\n", ["a"], [["1"], [null], [null], ["2"]]],
  ["a quoted empty value at the end, as a row", 'a\n1\n""\n', ["a"], [["1"], [null]]],
  ["empty values, quoted or not", 'a,b,c\n,"",x\n', ["a", "b", "c"], [[null, null, "x"]]],
  ["white space, kept", "a, a\n 1 ,  \n", ["a", " a"], [[" 1 ", "  "]]],
  [
    "quotes inside unquoted values",
    'a,b"\n5",7"\n1"2,3\n',
    ["a", 'b"'],
    [
      ['5"', '7"'],
      ['1"2', "3"],
    ],
  ],
  ["doubled quotes", 'a\n"x ""y"" z"\n""""\n', ["a"], [['x "y" z'], ['"']]],
  ["names that differ in case", "Id,id\n1,2\n", ["Id", "id"], [["1", "2"]]],
  [
    "__proto__ and constructor as names",
    "__proto__,constructor\n1,2\n",
    ["__proto__", "constructor"],
    [["1", "2"]],
  ],
  ["control characters other than NUL", "a\nx\u0001y\n", ["a"], [["x\u0001y"]]],
  ["formulas as text", "a\n=1+1\n@x\n", ["a"], [["=1+1"], ["@x"]]],
];

describe("a CSV is accepted with", () => {
  it.each(accepted)("%s", async (_what, content, names, rows) => {
    const table = await inspectTable(content, "csv");
    expect(table.columns.map((column) => column.name)).toEqual(names);
    expect(table.row_count).toBe(rows.length);
    expect(table.sample).toEqual(rows);
  });

  it("ten sample rows of many", async () => {
    const table = await inspectTable(`a\n${"x\n".repeat(25)}`, "csv");
    expect(table.row_count).toBe(25);
    expect(table.sample).toHaveLength(10);
  });

  it("sample rows only while they stay within 1 MB, said in a hint", async () => {
    const { inspection, hints } = await inspectAccepted(`a\nx\n${"y".repeat(1_030_000)}\nz\n`, "csv");
    expect(inspection).toMatchObject({ row_count: 3, sample: [["x"]] });
    expect(hints).toEqual([
      {
        code: "sample_cut",
        message: "The sample stops after 1 of 3 rows: the next would take it over 1 MB.",
        rows: [3],
        columns: [],
        count: null,
      },
    ]);
  });

  it("names as Persian, Hindi and emoji are written, joiners and variation selectors in them", async () => {
    const names = ["می\u200cخواهم", "क्\u200dष", "👩\u200d🔬", "❤\ufe0f", "a\u00a0b"];
    const { columns } = await inspectTable(`${names.join(",")}\n1,2,3,4,5\n`, "csv");
    expect(columns.map(({ name }) => name)).toEqual(names);
  });

  it("a header only: every column is blank", async () => {
    const table = await inspectTable("a,b\n", "csv");
    expect(table.columns).toEqual([
      { name: "a", type: "blank", blanks: 0 },
      { name: "b", type: "blank", blanks: 0 },
    ]);
  });
});
