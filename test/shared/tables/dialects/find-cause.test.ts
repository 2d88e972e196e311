import { expect, test } from "vitest";
import { judge } from "./convert.ts";

const mend = (separator: string) =>
  `Send it with the dialect ${JSON.stringify({ delimiter: separator })}, or write commas in their place`;
const refusedToo = (delimiter: string, why: string) =>
  `With the dialect ${JSON.stringify({ delimiter })} it is refused as well: ${why}`;
/** Some 20,000 of them are more than what is looked at. */
const LONG = "1".repeat(60);
const rows = (count: number, row: string) => `${row}\n`.repeat(count);

test.each<[what: string, file: string | Buffer, cause: string]>([
  [
    "quoted values with semicolons between them",
    '"a";"b"\n"1";"2"\n',
    `Semicolons separate the values, in all 2 rows. ${mend(";")}`,
  ],
  [
    "a title, and tabs below it",
    `Report, final\n${rows(4, "a\tb\tc")}`,
    `Tabs separate the values, from row 2 on. ${refusedToo("\t", "Row 2 has 3 values; the header has 1. Lines stand above")}`,
  ],
  [
    "a vertical bar behind a quote, and no table",
    '"a"|"b"\n1\n2|3|4\n',
    `Vertical bars separate the values, as it seems. ${refusedToo("|", "Row 2 has 1 value; the header has 2.")}`,
  ],
  [
    "more than the beginning shows",
    `"a";"b"\n${rows(20_000, `"${LONG}";"2"`)}3\n`,
    `Semicolons separate the values, as it seems. ${refusedToo(";", "Row 20002 has 1 value")}`,
  ],
  [
    "escaped quotes",
    'a,b\n"say \\"hi\\" now",1\n',
    'Send it with the dialect {"escapeChar":"\\\\"}, or double them',
  ],
  [
    "an escaped quote at the end of a value",
    'a,b,c\n"48\\"","x, y",1\n',
    "Quotes inside of values seem to be written",
  ],
  [
    "escaped quotes behind semicolons",
    'a;b\n"say \\"hi\\" now";1\n"x";2\n',
    'Send it with the dialect {"delimiter":";","escapeChar":"\\\\"}, or double them',
  ],
  [
    "the same header below",
    "a,b\n1,2\n\na,b\n3,4\n",
    "Behind the blank line another table seems to begin, in row 4.",
  ],
  ["a table of other names below", "a,b\n1,2\n\nc,d\n3,4\n", "Behind the blank line another table"],
  [
    "semicolons in all rows, and one comma in most",
    "Name, first;Place\nMeier;Kiel\nOtt, Bert;Bonn\n",
    `Semicolons separate the values, in all 3 rows. ${mend(";")}`,
  ],
  [
    "rows that end with CR, and decimal commas",
    "a;b\r1,5;2\r",
    'in all 2 rows. Send it with the dialect {"delimiter":";","lineTerminator":"\\r","decimalChar":","}, or write',
  ],
  [
    "UTF-16 with as many semicolons in each row",
    Buffer.from("\ufeffa;b\n1;2\n", "utf16le"),
    'semicolons seem to separate the values. Send it with the dialect {"delimiter":";","encoding":"utf-16le"}',
  ],
  [
    "UTF-16 with a comma and tabs in each row, and a quote",
    Buffer.from('\ufeffa\tb, c\n1\t2,5\np "q"\t3,5\n', "utf16le"),
    "tabs seem to separate the values. The commas would then be a part of the values.",
  ],
  [
    "UTF-16 with a quote that strays",
    Buffer.from('\ufeffa,b,c\nx"y,z,w"\n', "utf16le"),
    "Row 2 has a quote inside value 1",
  ],
  [
    "letters of another encoding behind a comma",
    Buffer.from("T\na, b\nfür\nx;y\n1;2\n3;4\n5;6\n", "latin1"),
    'Semicolons separate the values, from row 4 on. Send it with the dialect {"delimiter":";","headerRows":[4],"encoding":"windows-1252"}, or',
  ],
  ["quotes that are single", "a,b\n'x,1',2\n'y',3\n", `Send it with the dialect {"quoteChar":"'"}`],
  ["an apostrophe in a text", "a,,c\nO'Neil,x,u\nMeier,y,v\n", "has no name for column 2. Give every column"],
  ["comments", "a,b\n1,2\n# new gauge\n3,4\n", 'Send it with the dialect {"commentChar":"#"}'],
  ["two rows of names", "s,t,t\nname,min,max\nA,1,2\nB,3,4\n", 'dialect {"headerRows":[1,2]}.'],
  ["two rows that make no names", "s,t,\n,min,\nA,1,2\nB,3,4\n", "Write one row of names."],
  ["a row that is cut", `a,b,c\n${rows(5, "1,2,3")}4,5`, "Row 7 is the last and has no line end"],
  ["a header that ends with a comma", `a,b,\n${rows(5, "1,2")}`, "A comma ends the header alone"],
  ["a line of more values above", `${"x,".repeat(9)}x\n${rows(5, "1,2")}`, "or row 1 where it stands above"],
  ["JSON Lines", '{"a":1}\n{"a":2}\n', "Upload it with a name that ends in .jsonl."],
  ["characters U+0001", "a\u00011\nb\u00012\n", 'send it with the dialect {"delimiter": "\\u0001"}'],
  ["a table of another width below", "a,b\n1,2\n\nc,d,e\n3,4,5\n", "Behind the blank line another table"],
  ["a title", "A report\n\na,b\n1,x\n2,y\n", "the names seem to be in row 3. Take out what stands above."],
  ["a title above names alone", "# Gauges\nstation,height\n", "the names seem to be in row 2. Take out"],
  ["groups of names", ",north,,south,,\na,b,c,d,e,f\n1,2,3,4,5,6\n", "Where the header takes several rows"],
  [
    "names that repeat below merged ones",
    `T,,,,\n,2022,,2023,\nRegion,Men,Women,Men,Women\n${rows(4, "N,1,2,3,4")}`,
    "in row 3. Take out what stands above. Where the header takes several rows, write one row",
  ],
  [
    "names that repeat below others",
    `T,,,,\n,2022,2022,2023,2023\nRegion,Men,Women,Men,Women\n${rows(4, "N,1,2,3,4")}`,
    'Rows 2 and 3 seem to name the columns together. Send it with the dialect {"headerRows":[2,3]}.',
  ],
  ["a name that repeats", `T,,\na,b,b\n${rows(4, "N,1,2")}`, "the names seem to be in row 2. Take out"],
  [
    "a line that fills most columns",
    "a report,of,things\nday,b,c,d\n1,2,3,4\n5,6,7,8\n",
    "A line stands above the header",
  ],
  [
    "data",
    "5,5\n6,7\n",
    'Row 1 looks like data, as the rows below it. Send it with the dialect {"header":false}, or put a row of names above it.',
  ],
  [
    "a name for too few columns",
    `a,b\n${rows(3, "x,2,3,4")}`,
    "The header has 2 names, every row 4. Give every column one name.",
  ],
  [
    "row names",
    `a,b\n${rows(3, "x,2,3")}`,
    "every row 3. Give every column one name. Row names that a program wrote",
  ],
  [
    "commas at the end of rows",
    `a,b\n${rows(3, "x,2,")}`,
    "A comma ends every row but the header: take it out.",
  ],
  [
    "notes",
    `a,b\n${rows(5, "1,2")}Source: us\n`,
    "From row 7 on lines stand below the table: take them out.",
  ],
  [
    "notes far behind",
    `a,b\n${rows(20_000, `${LONG},2`)}Source: us\n`,
    "From row 20002 on lines stand below the table: take them out.",
  ],
  [
    "another table far behind",
    `a,b\n${rows(20_000, `${LONG},2`)}\na,b\n1,2\n`,
    "Behind the blank line another table seems to begin, in row 20003.",
  ],
  ["a JSON list", '[{"day": 1, "height": 2}]\n', "Row 1 begins JSON, and the whole file is JSON"],
  [
    "a JSON object of many lines",
    `{\n"a": [\n1\n${rows(40, ",3")}]}\n`,
    "Upload it with a name that ends in .json.",
  ],
  [
    "rows of fewer values, and no blank line above them",
    `a,b,c\n${rows(9, "1,2,3")}${rows(9, "1,2")}`,
    "From row 11 on every row has 2 values, above it 3: another table seems to begin there, or another column.",
  ],
  [
    "one row of semicolons among quoted ones",
    `"a","b"\n${rows(9, '"1","2"')}"1";"2"\n`,
    "Row 11 has text after a closing quote. Row 1 is the header. Put a comma",
  ],
  [
    "a blank name behind semicolons",
    "a;b;\n1;2;\n",
    'seem to separate the values. Send it with the dialect {"delimiter":";","nullColumns":"name"}, or with',
  ],
  [
    "a title above names behind commas",
    "T,,\n,,\na,b,c\n1,2,3\n4,5,6\n",
    'Take out what stands above. Or send it with the dialect {"headerRows":[3]}.',
  ],
  [
    "single quotes around data",
    "1,1,'x'\n1,2,'y'\n",
    `Single quotes seem to stand around values. With the dialect {"quoteChar":"'"} it is refused as well: Row 1, the header, uses one name`,
  ],
  [
    "semicolons in a text of Windows-1252",
    Buffer.from("Ort;Höhe\nKöln;1\n", "latin1"),
    'Send it with the dialect {"delimiter":";","encoding":"windows-1252"} where that is right. Else name',
  ],
])(
  "the cause of a refusal for %s is found, and what it says to send reads the file",
  async (_what, file, cause) => {
    const verdict = await judge(file);
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining(cause) });
    const [, sent] =
      /end it with the dialect (\{.*?\})(?=\.$|, or | where that)/.exec(
        "reason" in verdict ? verdict.reason : "",
      ) ?? [];
    if (sent !== undefined) expect(await judge(file, JSON.parse(sent))).toMatchObject({ ok: true });
  },
);

test.each<[what: string, file: string, mend: string]>([
  [
    "one row of another width",
    `a,b\n${rows(9, "1,2")}3\n${rows(9, "1,2")}`,
    "Give every row one value per column",
  ],
  ["a blank line inside of a table", "a,b\n1,2\n\n3,4\n5,6\n", "This row is a blank line: remove it."],
  ["a quote that is open to the end", 'a,b\n1,2\n"x,2\n3,4\n', "Close it, or double a quote"],
  ["blank lines without end", `a,b\n${"\n".repeat(3_000_000)}x\n`, "This row is a blank line: remove it."],
  ["an open quote and an apostrophe", "a,b\n\"x,1\n'y,2\n", "Close it, or double a quote"],
  ["one row of fewer values at the end", `a,b,c\n${rows(5, "1,2,3")}4,5\n`, "lines stand below the table"],
  ["a begin of JSON and no more", "[1\n2,3\n", "The header has 1 name, every row 2."],
])("%s is a fault of its own", async (_what, file, mend) => {
  const verdict = await judge(file);
  expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining(mend) });
});
