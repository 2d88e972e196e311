import { expect, test } from "vitest";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { convert } from "./convert.ts";

async function readText(file: string | Uint8Array, dialect: Dialect): Promise<string> {
  const done = await convert(file, dialect);
  return "text" in done ? done.text : done.refused;
}

async function refuse(file: string | Uint8Array, dialect: Dialect): Promise<[string[], string]> {
  const done = await convert(file, dialect);
  return "text" in done ? [[], done.text] : [done.fields, done.refused];
}

test.each<[Dialect, string, string]>([
  [{ delimiter: ";" }, "a;b\n1,5;x\n", 'a,b\r\n"1,5",x\r\n'],
  [{ delimiter: "\t" }, "a\tb\r\n\t\r\n", "a,b\r\n,\r\n"],
  [{ delimiter: "\u0001" }, "a\u0001b\n1\u00012", "a,b\r\n1,2\r\n"],
  [{ delimiter: " ", skipInitialSpace: true }, "a   b\n1 2\n", "a,b\r\n1,2\r\n"],
  [{ delimiter: ";" }, 'a\n""\n\n1\n\n\n', 'a\r\n""\r\n""\r\n1\r\n'],
  [{ quoteChar: "'" }, "a,b\n'1,''2',\"\n", 'a,b\r\n"1,\'2",""""\r\n'],
  [{ quoteChar: null }, 'a,b\n"1,2"\n', 'a,b\r\n"""1","2"""\r\n'],
  [{ escapeChar: "\\" }, 'a,b\n"x\\"y\\\\",c\\,d\n\\N,C:\\new\n', 'a,b\r\n"x""y\\","c,d"\r\n\\N,C:\\new\r\n'],
  [{ doubleQuote: false }, 'a,b\n"x",y\n', "a,b\r\nx,y\r\n"],
  [{ lineTerminator: "\r" }, 'a,b\r1,"2\n3"\r\r', 'a,b\r\n1,"2\n3"\r\n'],
  [{}, "a,b\r1,2\r", "a,b\r\n1,2\r\n"],
  [{ skipInitialSpace: true }, 'a, b\n 1,  "2"\n', "a,b\r\n 1,2\r\n"],
  [{}, 'a, b\n1, "2"\n', 'a, b\r\n1," ""2"""\r\n'],
  [{ header: false }, "1,2\n3,4\n", "column_1,column_2\r\n1,2\r\n3,4\r\n"],
  [{ headerRows: [2, 3] }, "T\na,,c\nx,y,\n1,2,3\n", "a x,y,c\r\n1,2,3\r\n"],
  [{ commentChar: "#" }, '# "\na,b\n#,\n1,2\n\n#\n', "a,b\r\n1,2\r\n"],
  [{ nullColumns: "name" }, "a,,\n1,2,3\n", "a,column_2,column_3\r\n1,2,3\r\n"],
  [{ rows: [3, 4] }, "a,b\n\nc,d,e\n1,2,3\n4\n", "c,d,e\r\n1,2,3\r\n"],
  [{ rows: [4, 4], headerRows: [1] }, "a,b\n1,2\n3\n4,5\n", "a,b\r\n4,5\r\n"],
  [{ rows: [2, null], header: false }, "a\n1,2\n3,4\n", "column_1,column_2\r\n1,2\r\n3,4\r\n"],
])("%j reads %j", async (dialect, file, canonical) => {
  expect(await readText(file, dialect)).toBe(canonical);
});

test.each<[Dialect, string, string]>([
  [{ decimalChar: "," }, "a;b;c\n1,5;1,5;1\n2;x;2\n", 'a,b,c\r\n1.5,"1,5",1\r\n2,x,2\r\n'],
  [
    { decimalChar: ",", groupChar: "." },
    "a;b\n-1.234,5;1.234\n12;2.5\n",
    "a,b\r\n-1234.5,1.234\r\n12,2.5\r\n",
  ],
  [{ decimalChar: ",", groupChar: "\u00a0" }, "a;b\n1\u00a0234,50;\n;\n", "a,b\r\n1234.50,\r\n,\r\n"],
  [{ groupChar: "," }, "a;b\n1,234;1234,567\n1;1\n", 'a,b\r\n1234,"1234,567"\r\n1,1\r\n'],
  [{ decimalChar: ",", columns: ["b"] }, "a;b\n1,5;1,5\n1;1.5\n", 'a,b\r\n"1,5",1.5\r\n1,1.5\r\n'],
])("numbers by %j of %j", async (marks, file, canonical) => {
  expect(await readText(file, { delimiter: ";", ...marks })).toBe(canonical);
});

test.each<[Dialect, string, string[], RegExp]>([
  [{}, "a,b\n1,2,3\n\n4\n", ["file"], /^Row 2 has 3 values; the header has 2\..* Rows 3 and 4 differ too\.$/],
  [{ headerRows: [2] }, 'x\na,b\n"1"2,3\n', ["file"], /^Row 3 has text after a closing quote/],
  [{ commentChar: "#" }, 'a,b\n#\n"1,3\n', ["file"], /^Row 3 opens a quote/],
  [{}, "a,b\n1,2\n3,\u0000\n", ["file"], /^Row 3 holds a NUL/],
  [{}, "a,b\n1\r,2\n", ["file"], /^Row 2 has a bare carriage return/],
  [{ lineTerminator: "\r" }, "a,b\r1\n,2\r", ["file"], /^Row 2 holds a line feed/],
  [{}, "\na,b\n", ["file"], /^Row 1 is a blank line/],
  [{}, "", ["file"], /no row of names/],
  [{}, "a,\n1,2\n", ["file"], /^Row 1, the header, has no name for column 2/],
  [{ headerRows: [3] }, "x\n\na,a\n1,2\n", ["dialect.headerRows"], /^Row 3, the header, uses one name/],
  [{ headerRows: [1, 2] }, "x\na,b\n1,2\n", ["dialect.headerRows"], /^Row 1 has 1 names, and row 2 has 2/],
  [{ nullColumns: "name" }, "column_2,\n1,2\n", ["dialect.nullColumns"], /column_2/],
  [{ headerRows: [7] }, "a,b\n1,2\n", ["dialect.headerRows"], /The file has 2 rows, so there is no row 7/],
  [{ rows: [2, 9] }, "a,b\n1,2\n", ["dialect.rows"], /The file has 2 rows, so there is no row 9/],
  [
    { decimalChar: ",", columns: ["price", "b"] },
    "prices,b\n1,2\n",
    ["dialect.columns.0"],
    /no column price\. Did you mean prices\?/,
  ],
])("%j refuses %j", async (dialect, file, fields, sentence) => {
  const [at, told] = await refuse(file, dialect);
  expect(at).toEqual(fields);
  expect(told).toMatch(sentence);
});

test("bytes that are no characters are refused with their row, behind the faults of rows before", async () => {
  const file = Buffer.from("a;b\n1;\xe9\n2;\xe9\n", "latin1");
  expect(await refuse(file, { delimiter: ";" })).toEqual([
    ["file"],
    expect.stringMatching(/^Row 2 holds byte 7 .*E9/),
  ]);
  expect(await readText(file, { delimiter: ";", encoding: "ISO-8859-1" })).toBe("a,b\r\n1,é\r\n2,é\r\n");
  const unassigned = Buffer.from("a\n1\n\xd2\n", "latin1");
  expect(await refuse(unassigned, { encoding: "windows-1253" })).toEqual([
    ["file"],
    expect.stringMatching(/^Row 3 holds/),
  ]);
  const lone = Buffer.from("a\n\ud83d\n", "utf16le");
  expect(await refuse(lone, { encoding: "utf-16" })).toEqual([
    ["file"],
    expect.stringMatching(/^Row 2 .*surrogate/),
  ]);
  const cut = Buffer.from("a\nb", "utf16le").subarray(0, 5);
  expect(await refuse(cut, { encoding: "utf-16" })).toEqual([
    ["file"],
    expect.stringMatching(/^Row 2 .*half/),
  ]);
  const ragged = Buffer.from("a;b\n1\n2;\xe9\n", "latin1");
  expect(await refuse(ragged, { delimiter: ";" })).toEqual([
    ["file"],
    expect.stringMatching(/^Row 2 has 1 value;/),
  ]);
  const marked = Buffer.from("\ufeffa,b\n");
  expect(await refuse(marked, { encoding: "windows-1252" })).toEqual([
    ["dialect.encoding"],
    expect.any(String),
  ]);
});

test("what is left out is listed, counted and cut, and rows keep the numbers of the file", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `note ${at} ${"é".repeat(300)}\r\n`).join("");
  const done = await convert(`${rows}# c\n\na;b\n1;2\n# c\n3;4\n`, {
    delimiter: ";",
    commentChar: "#",
    rows: [32, null],
    headerRows: undefined,
  });
  expect(done).toMatchObject({ fields: ["file"], refused: expect.stringMatching(/^Row 32 is a blank line/) });
  const told = await convert(`${rows}# c\n\na;b\n1;2\n# c\n3;4\n`, {
    delimiter: ";",
    commentChar: "#",
    rows: [33, null],
  });
  if (!("told" in told)) throw new Error(told.refused);
  const { left_out, left_out_count, sourceRow, changes } = told.told;
  expect(left_out_count).toBe(33);
  expect(left_out).toHaveLength(20);
  expect(left_out[1]).toEqual({ row: 2, text: `note 1 ${"é".repeat(193)}…` });
  expect([1, 2, 3].map(sourceRow)).toEqual([33, 34, 36]);
  expect(changes).toEqual([
    "Semicolons separate the values, in all 3 lines.",
    "The names are in row 33.",
    "31 rows outside of the table are left out.",
    "2 lines that begin with # are left out.",
  ]);
});

test("what is read is told with its labels, its cells and the quotes in values", async () => {
  const file = Buffer.from('Stra\xdfe;b"c;n\n1;5";1,5\nx;7";a\n', "latin1");
  const done = await convert(file, { delimiter: ";", encoding: "latin1", decimalChar: ",", columns: ["n"] });
  if (!("told" in done)) throw new Error(done.refused);
  expect(done.told.dialect).toEqual({
    delimiter: ";",
    encoding: "windows-1252",
    decimalChar: ",",
    columns: ["n"],
  });
  expect(done.told.changes).toEqual([
    "Semicolons separate the values, in all 3 lines.",
    "Read as Windows-1252: 1 cell, such as Straße in row 1.",
    "latin1 is a label of Windows-1252.",
    "Decimal commas are read in 1 column: n.",
    "In n 1 cell is no such number and stays as written.",
  ]);
  expect(done.told.hints).toMatchObject([
    { code: "quote_in_value", rows: [1, 2, 3], columns: ['b"c'], count: 3 },
  ]);
});

test("a value and a canonical file may be so large, and no larger", async () => {
  const quotesOf = (count: number) => `"${'""'.repeat(count)}"`;
  const read = async (file: string, options?: { mostBytes: number }) => {
    const done = await convert(file, { delimiter: ";" }, options);
    return "text" in done ? done.text.length : done.refused;
  };
  expect(await read(`a;b\n1;${quotesOf(1_048_576)}\n`)).toBe(2_097_163);
  expect(await read(`a;b\n1;${quotesOf(1_048_577)}\n`)).toMatch(/^Row 2 has a value over 1,048,576 bytes/);
  expect(await read(`a;b\n1;"${"x".repeat(5_000_000)}`)).toMatch(/^Row 2 has a value over/);
  expect(await read("a;b\n1;2\n", { mostBytes: 10 })).toBe(10);
  expect(await read("a;b\n1;2\n", { mostBytes: 9 })).toMatch(/over 9 bytes/);
});
