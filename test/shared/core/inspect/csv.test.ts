import { describe, expect, it } from "vitest";
import { inspectAccepted, inspectTable, reasonOf } from "./sources.ts";

const refusals: [what: string, content: string | Uint8Array, reason: RegExp][] = [
  ["a file without a byte", "", /^Row 1 is missing/],
  ["a file of one line end", "\n", /^Row 1 is missing/],
  ["a file of a byte-order mark only", "\ufeff", /^Row 1 is missing/],
  ["an empty column name", "a,,c\n1,2,3\n", /^Row 1, the header, has no name for column 2\./],
  ["a column name of white space", "a, \t ,c\n1,2,3\n", /^Row 1, the header, has no name for column 2\./],
  ["a blank first line", "\na,b\n1,2\n", /^Row 1, the header, has no name for column 1\. It is a blank line/],
  ["a column of row numbers without a name", ",a\n0,5\n", /no name for column 1\. .*index=False in pandas/],
  [
    "a comma at the end of the header",
    "a,b,\n1,2,\n",
    /no name for column 3\. .*A comma at the end of a row/,
  ],
  [
    "data in place of a header",
    "5,5\n6,7\n",
    /columns 1 and 2: "5"\. .*If row 1 is data, put a row of names/,
  ],
  [
    "a repeated column name",
    'id,name,"id"\n1,2,3\n',
    /^Row 1, the header, uses one name for columns 1 and 3: "id"\./,
  ],
  [
    "a row with too few values",
    "a,b,c\n1,2,3\n4,5\n",
    /^Row 3 has 2 values; the header has 3\. Row 1 is the header\./,
  ],
  ["a row with one value", "a,b\n1\n", /^Row 2 has 1 value; the header has 2\. Row 1 is the header\./],
  ["a row with too many values", "a\n1,2\n", /^Row 2 has 2 values; the header has 1\./],
  [
    "several rows of another width, a blank line among them",
    'a,b\n1\n3,4\n\n"x\ny",5\n6,7,8\n9,10\n',
    /^Row 2 has 1 value; .* holds a comma\. Rows 4 \(blank\) and 6 \(line 7, 3 values\) differ too\.$/,
  ],
  [
    "a row of another width before another fault",
    'a,b\n1\n2,3,4\n"5" ,6\n',
    /^Row 2 has 1 value; .* Row 3 \(3 values\) differs too\.$/,
  ],
  [
    "more rows of another width than are told",
    `a,b\n${"1\n".repeat(50)}`,
    /^Row 2 has 1 value; .* Rows 3 \(1 value\), .*, 20 \(1 value\) and 21 \(1 value\) differ too\. These are the first 20\.$/,
  ],
  [
    "a ragged row after line breaks in quotes",
    'a,b\n"x\ny\n\nz",1\n2\n',
    /^Row 3 \(line 6\) has 1 value; the header has 2\./,
  ],
  [
    "a row after comment lines",
    "# Gauges read daily\nstation,height\n",
    /^Row 2 has 2 values; the header has 1\. .*one column, "# Gauges read daily"\. Begin the file with the names/,
  ],
  [
    "text after a quote, after line breaks in quotes",
    'a\n"x\ny"\n"z\n" q\n',
    /^Row 3 \(line 4\) has text after a closing quote/,
  ],
  ["an open quote after line breaks in quotes", 'a\n"x\n\ny"\n"z', /^Row 3 \(line 5\) opens a quote/],
  [
    "a blank line inside a table of two columns",
    "a,b\n1,2\n\n3,4\n",
    /^Row 3 has 1 value; .*This row is a blank line/,
  ],
  [
    "CR as line end",
    "a,b\r1,2\r",
    /^Row 1 has a bare carriage return \(CR\)\. Row 1 is the header\. End rows with LF or CRLF/,
  ],
  ["CR at the very end", "a\n1\r", /^Row 2 has a bare carriage return/],
  ["CR before text in an unquoted value", "a\n1\n2\r3\n", /^Row 3 has a bare carriage return/],
  ["text after a closing quote", 'a,b\n1,2\n"x" ,2\n', /^Row 3 has text after a closing quote/],
  [
    "a quote never closed, by the row that opens it",
    'a,b\n1,2\n"x,2\n3,4\n5,6\n',
    /^Row 3 opens a quote that is never closed/,
  ],
  ["NUL in a value", "a\nx\n\0\n", /^Row 3 holds a NUL character/],
  ["NUL in quotes", 'a\n"x\0y"\n', /^Row 2 holds a NUL character/],
  ["a ragged row before a NUL", "a\n1,2\n\0\n", /^Row 2 has 2 values/],
  ["Latin-1", Buffer.from("a\nx\ncaf\xe9\n", "latin1"), /^Line 3 \(byte 8\) is not UTF-8 text:/],
  ["a character cut at the end", Buffer.from([0x61, 0x0a, 0xc3]), /^Line 2 \(byte 3\) is not UTF-8 text:/],
  ["UTF-16", Buffer.from("\ufeffa,b\n", "utf16le"), /^The file is UTF-16 text/],
  ["a PDF by its content", "%PDF-1.7\n", /^The file is a PDF, whatever its name says/],
  ["a PNG by its content", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), /^The file is a PNG image/],
  ["a ZIP by its content", Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /^The file is a ZIP archive/],
  [
    "over 10,000 columns",
    `${Array.from({ length: 10_001 }, (_, i) => `c${i}`).join(",")}\n`,
    /^The table has over 10,000/,
  ],
];

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

  it("asks about a file that begins as a web page does", async () => {
    const { hints } = await inspectAccepted("<!DOCTYPE html>\n<title>404</title>\n", "csv");
    expect(hints).toEqual([expect.stringContaining("begins as HTML or XML does")]);
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
