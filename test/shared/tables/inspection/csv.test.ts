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
  ["quotes inside unquoted values", 'a,b"\n1"2,3""\n', ["a", 'b"'], [['1"2', '3""']]],
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
    const { inspection, hints } = await inspectAccepted(`a\nx\n${"y".repeat(1_500_000)}\nz\n`, "csv");
    expect(inspection).toMatchObject({ row_count: 3, sample: [["x"]] });
    expect(hints).toEqual([expect.stringContaining("sample stops after 1 of 3 rows")]);
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

describe("a hint", () => {
  it.each([
    ["semicolons", "a;b\n1;2\n"],
    ["tabs", "a\tb\n1\t2\n"],
    ["vertical bars", "a|b\n1|2\n"],
  ])("says that %s do not separate", async (mark, content) => {
    const { inspection, hints } = await inspectAccepted(content, "csv");
    expect(inspection).toMatchObject({ row_count: 1, columns: [{ type: "text" }] });
    expect(hints).toEqual([expect.stringContaining(mark)]);
  });

  it("joins the refusal of a ragged row when the header has semicolons", async () => {
    expect(await reasonOf("a;b\n1,5;2\n", "csv")).toMatch(
      /^Row 2 has 2 values; the header has 1\. .*one column, "a;b"\. Write commas in place of its semicolons/,
    );
  });

  it("names columns that are equal after normalisation", async () => {
    const { hints } = await inspectAccepted("caf\u00e9,cafe\u0301\n1,2\n", "csv");
    expect(hints).toEqual([expect.stringContaining("look the same")]);
  });

  it("asks about a file that begins as XML does", async () => {
    const { hints } = await inspectAccepted("<gauges>\n<gauge/>\n", "csv");
    expect(hints).toEqual([expect.stringContaining("begins as XML does")]);
  });

  it("asks about a header that holds a decimal number", async () => {
    const { hints } = await inspectAccepted("5.1,setosa\n4.9,virginica\n", "csv");
    expect(hints).toEqual([expect.stringContaining('names a column "5.1". If it is data')]);
    expect((await inspectAccepted("station,2025,2026\nHusum,1,2\n", "csv")).hints).toEqual([]);
  });

  const reasons: [what: string, content: string, hint: string][] = [
    [
      "a mark for nothing among numbers",
      "a,b\n1,2\n1,NA\n",
      'Column "b" is mixed: row 2 holds "2", a number; row 3 holds "NA", a text. Leave cells empty where nothing is known.',
    ],
    [
      "a text among dates and numbers, in quotes",
      'a\n2026-01-31\n"say ""hi"""\n7\n',
      'Column "a" is mixed: row 2 holds "2026-01-31", a date; row 3 holds "say "hi"", a text; row 4 holds "7", a number.',
    ],
    [
      "blanks around numbers",
      "a\n 1.5 \n",
      'Column "a" is text: row 2 holds " 1.5 ", which is no number as it is written.',
    ],
    [
      "a number without its zero",
      "a\n.5\n",
      'Column "a" is text: row 2 holds ".5", which is no number as it is written.',
    ],
    [
      "marked thousands",
      'a\n\n"1,234.5"\n',
      'Column "a" is text: row 3 holds "1,234.5", which is no number as it is written.',
    ],
    ["a share", "a\n5 %\n", 'Column "a" is text: row 2 holds "5 %", which is no number as it is written.'],
    [
      "a day of another form",
      "a\n31.01.2026\n",
      'Column "a" is text: row 2 holds "31.01.2026", which is no date as it is written.',
    ],
  ];

  it.each(reasons)("says why a column is not of the type it looks like: %s", async (_what, content, hint) => {
    expect((await inspectAccepted(content, "csv")).hints).toEqual([hint]);
  });

  it("is given for five columns, and counts the others", async () => {
    const { hints } = await inspectAccepted("a,b,c,d,e,f,g\n.1,.1,.1,.1,.1,.1,.1\n", "csv");
    expect(hints).toHaveLength(6);
    expect(hints[5]).toBe("2 more columns are like these.");
  });

  it("is cut where a cell is long", async () => {
    const { hints } = await inspectAccepted(`a\n1\n"${"é".repeat(100_000)}"\n`, "csv");
    expect(hints).toEqual([expect.stringContaining(`row 3 holds "${"é".repeat(40)}…", a text.`)]);
  });

  it("is not given for an ordinary file", async () => {
    expect((await inspectAccepted("a,b\n1;2,3|4\n", "csv")).hints).toEqual([]);
  });
});
