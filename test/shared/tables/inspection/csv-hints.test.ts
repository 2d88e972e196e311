import { describe, expect, it, test } from "vitest";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import { GROWTH_BOUND_MS } from "../../../support/growth.ts";
import { inspectAccepted, streamOnce } from "./sources.ts";

const codesOf = async (content: string) =>
  (await inspectAccepted(content, "csv")).hints.map(({ code }) => code);

type Told = [code: string, content: string, rows: number[], columns: string[], count: number | null];

const TOLD: Told[] = [
  ["header_like_data", "5.1,setosa\n4.9,virginica\n", [1], ["5.1"], null],
  ["header_like_data", "2026-01-01,Kiel\n2026-01-02,Bonn\n", [1], ["2026-01-01"], null],
  ["header_like_data", "01.02.2026,Kiel\n02.02.2026,Bonn\n", [1], ["01.02.2026"], null],
  ["header_like_data", '"1,5",x\n"2,5",y\n-,z\n', [1], ["1,5"], null],
  ["header_like_data", '12,x\n"1,200",y\n', [1], ["12"], null],
  ["header_like_data", "2026-01-01,x\nNA,y\n2026-01-02,z\n", [1], ["2026-01-01"], null],
  ["header_like_data", "Anna,true\nBert,false\n", [1], ["true"], null],
  [
    "header_like_data",
    "https://example.org/a,x\nhttps://example.org/b,y\n",
    [1],
    ["https://example.org/a"],
    null,
  ],
  ["header_like_data", "ann@example.org,x\nbo@example.org,y\n", [1], ["ann@example.org"], null],
  ["header_like_data", "good,positive\nbad,negative\nfine,positive\n", [1, 3], ["positive"], null],
  ["header_like_data", "<gauges>\n<gauge/>\n", [1], [], null],
  ["quote_in_value", 'a,b\nx"y,2\n1,5"\n', [2, 3], ["a", "b"], 2],
  ["row_in_value", 'a,b,c\n1,"x\n2,y,z\n3",w\n', [2], ["b"], 1],
  ["other_separator", "a,b;c,d\nx,1;2,y\nz,3;4,x\n", [1], ["a"], 2],
  ["other_separator", "a^b\n1^2\n", [1], ["a^b"], 1],
  ["other_separator", "a  b\n1   2\n", [1], ["a  b"], 1],
  ["other_separator", "a;b\n1\n", [1], ["a;b"], null],
  ["other_separator", "Report\na;b;c\n1;2;3\n", [2], ["Report"], 2],
  ["other_separator", "Report\nof May\n\na\tb\n1\t2\n3\t4\n", [4], ["Report"], 3],
  ["other_separator", '"a,b"\n"1,x"\n"2,y"\n', [1], ["a,b"], 2],
  ["other_separator", '"a,""b"""\n"1,""x, y"""\n', [1], ['a,"b"'], 1],
  ["other_separator", "a, b, c\nx, y, z\n", [1], [" b"], null],
  ["blank_before_quote", 'a,b\n1, "x"\n', [2], ["b"], 1],
  ["single_quotes", "a,b\n1,'x'\n2,'y'\n", [2, 3], ["b"], 2],
  ["broken_letters", "a,b\nx,MÃ¼ller\ny,20 Â°C\nz,itâ€™s\n", [2, 3, 4], ["b"], 3],
  ["broken_letters", "a,b\nx\u0085,y\n1,\ufffd\n", [2, 3], ["a", "b"], 2],
  ["last_rows", "a,b,c\n1,2,3\n4,5,6\nTotal,5,9\n,,\nSource: us,,\n", [4, 5, 6], [], 3],
  ["last_rows", "a,b,c\n1,2,3\n,,x\n", [3], [], 1],
  ["last_rows", "Land,n\nDE,2\nInsgesamt,2\nQuelle: wir,\n", [3, 4], [], 2],
  ["header_again", "a,b\n1,2\na,b\n3,4\n", [3], [], 1],
  ["no_rows", "a,b\n", [], [], 0],
  ["similar_names", "caf\u00e9,cafe\u0301\n1,2\n", [1], ["caf\u00e9", "cafe\u0301"], null],
  ["similar_names", "Id, id\n1,2\n", [1], ["Id", " id"], null],
  ["number_format", 'a\n"1,234.5"\n\n"2,000"\n', [2, 4], ["a"], 2],
  ["number_format", "k,v\nr0,50.00-\nr1,20.00-\n", [2, 3], ["v"], 2],
  ["number_format", "k,v\nr0,50.00 CR\nr1,20.00 DR\n", [2, 3], ["v"], 2],
  ["number_format", "k,v\nr0,$(12)\nr1,$ (3.50)\n", [2, 3], ["v"], 2],
  ["number_format", 'k,v\nr0,"1,5E+3"\nr1,"2,5"\n', [2, 3], ["v"], 2],
  ["number_format", "k,v\nr0,12\nr1,(7)\nr2,\u22124\nr3,$5\nr4,6 EUR\n", [3, 4, 5], ["v"], 4],
  ["number_format", "k,v\nr0,3.6 b\nr1,7.9 p\nr2,12*\nr3,5(p)\nr4,28[1]\n", [2, 3, 4], ["v"], 5],
  ["exponent_identifier", "id\n1.23E+11\n4.56E+11\n", [2, 3], ["id"], 2],
  ["exponent_identifier", "id\n4006381333931\n4.00638E+12\n", [3], ["id"], 1],
  ["missing_value_marks", "a,b\n1,2\n1,NA\n1,-\n", [3, 4], ["b"], 2],
  ["missing_value_marks", "a,b\n1,2\n1,:\n1,: c\n1,k.A.\n1,–\n1,#DIV/0!\n", [3, 4, 5], ["b"], 5],
  ["missing_value_marks", "a,b\n1,2\n1,x\n1,:\n1,k.A.\n1,–\n1,…\n", [4, 5, 6], ["b"], 4],
  ["missing_value_marks", "a,t\nx,12.5\ny,-999\nz,-999\n", [3, 4], ["t"], 2],
  ["missing_value_marks", "a,t\nx,5\ny,999999\n", [3], ["t"], 1],
  ["leading_zeros", "id,zip\n1,00501\n2,01010\n3,12345\n", [2, 3], ["zip"], 2],
  ["leading_zeros", "code\n12E12\n34E05\n10E3\n", [2], ["code"], 3],
  ["long_numbers", "id\n9007199254740993\n5\n", [2], ["id"], 1],
  ["mixed_column", "k,v\na,100\nb,0164A\n", [2, 3], ["v"], null],
  ["mixed_column", "a\n31.01.2026\n", [2], ["a"], null],
  ["invisible_characters", "k,x\na,2\n\ufeffb,4\n", [3], ["k"], 1],
];

describe("a file is told", () => {
  it.each(TOLD)("%s of %j", async (code, content, rows, columns, count) => {
    const { hints } = await inspectAccepted(content, "csv");
    expect(hints.find((one) => one.code === code)).toMatchObject({ rows, columns, count });
  });

  it("nothing where it is ordinary", async () => {
    expect(await codesOf("a,b\n1;2,3|4\n")).toEqual([]);
    expect(await codesOf("note\none; two\nthree\n")).toEqual([]);
    expect(await codesOf("note\none; two\n")).toEqual([]);
    expect(await codesOf(`note\n${"x\n".repeat(20)}${"one; two\n".repeat(9)}`)).toEqual([]);
    expect(await codesOf("station,2024,2025,2026\nHusum,1,2,3\n")).toEqual([]);
    expect(await codesOf('station,2025,2026\nHusum,"1,5","2,5"\n')).toEqual(["number_format"]);
    expect(await codesOf("01.02.2026,12:00\nnone so far,13:00\n")).toEqual([]);
    expect(await codesOf("n,v,end\n1,a,end\n2,b,end\n")).toEqual([]);
    expect(await codesOf('"City, State"\n"Boston, MA"\n"Salem, OR"\n')).toEqual([]);
    expect(await codesOf("class,n\n5 a,1\n5 b,2\n6 a,3\n")).toEqual([]);
    expect(await codesOf("name,n\nCoari,85000\nSumé,16000\nFonte Boa,18000\n")).toEqual([]);
    expect(await codesOf('n,size\n0,5"\n0.5,7"\n-3,\n')).toEqual(["quote_in_value"]);
    expect(await codesOf('n\n"1,5"\n"2,5"\n')).toEqual(["number_format"]);
    expect(await codesOf('"n,m"\n"1,5"\n"2,5"\n')).toEqual(["number_format"]);
    // In Arabic, Thai and full-width digits.
    for (const [one, other] of [
      ["٩٥", "١٢٫٥"],
      ["๑๒", "๓"],
      ["２０２６", "１２"],
      ["٩٬٥٠٠", "7"],
    ])
      expect(await codesOf(`n\n"${one}"\n"${other}"\n`)).toEqual(["number_format"]);
    expect(await codesOf("n,m\n๑๒ บาท,第１号\nเก้า,５つ\n")).toEqual([]);
    expect(await codesOf("time,class\n10 am,5 abc\n3 pm,6 abc\n")).toEqual([]);
    expect(await codesOf("id,v\n1,9999\n2,1200\n3,-20\n")).toEqual([]);
    expect(await codesOf("t\n-5\n-1000\n-999\n")).toEqual([]);
    expect(await codesOf("day,note\n2026-01-01,NAS\n2026-01-02,none of these\n")).toEqual([]);
    expect(await codesOf("name\nmañana – “é” 20 °C\nSÃO\n")).toEqual([]);
  });

  it("how to write dates that nobody reads as dates", async () => {
    const { hints } = await inspectAccepted("a\n31/12/2026\n", "csv");
    expect(hints[0]?.message).toContain("no date as it is written. Dates are written as 2026-01-31 is.");
  });

  it("each code once, the gravest first, with what its cells are", async () => {
    const { hints } = await inspectAccepted("a,b,c\n.5,NA,1\n.5,2,007\n", "csv");
    expect(hints.map(({ code }) => code)).toEqual(["number_format", "missing_value_marks", "leading_zeros"]);
    expect(hints[0]).toEqual({
      code: "number_format",
      message:
        'Column "a" is text: row 2 holds ".5", which is no number as it is written. Numbers are written as 1234, -5 and 0.5 are; their unit belongs in the dictionary.',
      rows: [2, 3],
      columns: ["a"],
      count: 2,
    });
    expect(hints[1]?.message).toBe(
      'Column "b" is mixed: row 2 holds "NA" beside numbers. Leave cells empty where nothing is known, or name the mark in missing_values of the dictionary.',
    );
  });

  it("what a cell holds, and no more than that", async () => {
    const messageOf = async (content: string) => (await inspectAccepted(content, "csv")).hints[0]?.message;
    expect(await messageOf("a,b\nZÃ¼,1\nx,2\n")).toMatch(/^Row 2 holds "Ã¼": /);
    expect(await messageOf('a,b\n"Ã¼",1\n')).toMatch(/^Row 2 holds "Ã¼": /);
    expect(await messageOf("a\nÃ¼ and 1234567éé\n")).toMatch(/^Row 2 holds "Ã¼ and 123": /);
    const isRead = / A dialect that names decimalChar or groupChar, and columns, reads it\.$/;
    expect(await messageOf('a\n"1.234,5"\n')).toMatch(isRead);
    expect(await messageOf('a\n"1,234"\n')).toMatch(isRead);
    expect(await messageOf('a\n"19,98,000"\n')).not.toMatch(isRead);
    expect(await messageOf("a,b\nx,  5\n")).toMatch(/ skipInitialSpace of a dialect leaves out blanks /);
    expect(await messageOf("a   b\n1  2\n")).toMatch(/^Header and rows hold 1 run of blanks each\./);
    expect(await messageOf("a b  c\n1 2  3\n")).toMatch(/^Header and rows hold 2 runs of blanks each\./);
    expect(await messageOf("a,b\n1,2\n,\n")).toMatch(/^The last row, 3, is blank or looks like a total /);
  });

  it("of five columns, and how many others are like them", async () => {
    const { hints } = await inspectAccepted("a,b,c,d,e,f,g\n.1,.1,.1,.1,.1,.1,.1\n", "csv");
    expect(hints).toMatchObject([{ columns: ["a", "b", "c", "d", "e", "f", "g"], count: 7 }]);
    expect(hints[0]?.message).toMatch(/2 more columns are like these\.$/);
  });

  it("of a cell at the end of a file of many blocks", async () => {
    const { hints } = await inspectAccepted(`a,b\n${"1,2\n".repeat(100_000)}1,NA\n1,MÃ¼ller\n`, "csv");
    expect(hints).toMatchObject([
      { code: "broken_letters", rows: [100_003] },
      { code: "missing_value_marks", rows: [100_002] },
      { code: "mixed_column" },
    ]);
  });
});

describe("what is refused unless the sender named how it is read", () => {
  const DOUBTS: [what: string, content: string, reason: RegExp, code: string][] = [
    [
      "semicolons in one column",
      "Name;Betrag\nA;5\n",
      /^Row 1 and all 1 row below hold 1 semicolon /,
      "other_separator",
    ],
    ["tabs in one column", "a\tb\n1\t2\n", /tabs seem to separate the values/, "other_separator"],
    [
      "semicolons outside of quotes",
      'Country;Place;Count\nCN;"35.86;104.19";3\n',
      /hold 2 semicolons outside quotes/,
      "other_separator",
    ],
    [
      "semicolons with decimal commas",
      "Land;BIP, Mrd.\nDE;4,5\nFR;3,1\n",
      /commas would then be a part/,
      "other_separator",
    ],
    [
      "semicolons with names",
      "Name, Vorname;Ort\nMeier, Anna;Kiel\nOtt, Bert;Bonn\n",
      /semicolons/,
      "other_separator",
    ],
    [
      "a quote that opens in a value and closes a later one",
      'x,y,z\na"b,c",d\n',
      /^Row 2 has a quote inside value 1, "a\\"b"/,
      "quote_in_value",
    ],
    ["a blank before a quote", 'x,y,z\n1, "b,c"\n', /take the blank out/, "quote_in_value"],
  ];

  it.each(DOUBTS)("%s", async (_what, content, reason, code) => {
    const refused = await inspectFile(streamOnce(content), "csv");
    expect(refused).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    const named = await inspectFile(streamOnce(content), "csv", { isNamed: true });
    expect(named.ok && named.hints.map((one) => one.code)).toContain(code);
    const part = await inspectFile(streamOnce(content), "csv", {
      partFrom: content.lastIndexOf("\n", -2) + 1,
    });
    expect(part.ok).toBe(true);
  });

  it("a line for Excel", async () => {
    for (const content of ["sep=;\na;b\n1;2\n", "sep=,\nname,amount\nA,5\n", '"sep=\t"\r\na\r\n1\r\n'])
      expect(await inspectFile(streamOnce(content), "csv")).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^Row 1 .* Excel/),
      });
    expect((await inspectFile(streamOnce("sep=;\n1\n"), "csv", { isNamed: true })).ok).toBe(true);
  });
});

test.each([
  ["blanks before a word", `${" ".repeat(2_000)}x`],
  ["a sign, blanks and a word", `- ${" ".repeat(2_000)}x`],
  ["digits and blanks", `1${" ".repeat(2_000)}x`],
  ["groups of digits", `${"1 ".repeat(2_000)}x`],
])("a cell of %s is read at once", async (_name, text) => {
  const content = `a,b\n${`${text},1\n`.repeat(20)}`;
  expect(await codesOf(content)).toEqual([]);
  const start = process.cpuUsage();
  await codesOf(content);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(GROWTH_BOUND_MS);
});
