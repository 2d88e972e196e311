import { expect, test } from "vitest";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { findPlans } from "../../../../shared/tables/dialects/find-plans.ts";
import { MOST_BYTES, openBytes } from "./convert.ts";

const plansOf = (file: string | Buffer) => findPlans(openBytes(Buffer.from(file)), MOST_BYTES);

async function dialectsOf(file: string | Buffer): Promise<Dialect[]> {
  return (await plansOf(file)).map(({ dialect }) => dialect);
}

const numbers = (decimalChar: "," | ".", columns: string[], groupChar?: "." | ",") => ({
  ...{ decimalChar, columns },
  ...(groupChar && { groupChar }),
});

test.each<[string, Dialect[]]>([
  ["Name;Betrag\nA;5\n", [{ delimiter: ";" }]],
  ["a\tb\r\n1\t2\r\n\r\n", [{ delimiter: "\t" }]],
  ["a|b\r1|2\r", [{ delimiter: "|", lineTerminator: "\r" }]],
  ["Name, Vorname;Ort\nMeier, Anna;Kiel\n", [{ delimiter: ";" }, { delimiter: "," }]],
  [
    "Land;BIP, Mrd.\nDE;4,5\nFR;3,1\n",
    [{ delimiter: ";", ...numbers(",", ["BIP, Mrd."]) }, { delimiter: "," }],
  ],
  ['Country;Location;Count\nCN;"35.86;104.19";3\n', [{ delimiter: ";" }]],
  ["sep=;\na;b\n1;2\n", [{ delimiter: ";", headerRows: [2] }]],
  ["sep=,\n1,2\n3,4\n", [{ delimiter: ",", header: false, rows: [2, null] }]],
  ["Sales report,,\na,b,c\n1,2,3\n", [{ delimiter: ",", headerRows: [2] }]],
  ["Report\n\na;b\n1;2\n3;4\n", [{ delimiter: ";", headerRows: [3] }]],
  ["0,0\n0.1,0\n", [{ delimiter: ",", header: false }]],
  ["a@b.de;x\nc@d.de;y\n", [{ delimiter: ";", header: false }]],
  ["Land;2019;2020\nDE;5;6\n", [{ delimiter: ";" }]],
  ["a, b\n1, 2\n", [{ delimiter: ",", skipInitialSpace: true }]],
  ['a, b\n1, "2, 3"\n', [{ delimiter: ",", skipInitialSpace: true }]],
  ["a;b\n1.234,5;x\n9;y\n", [{ delimiter: ";", ...numbers(",", ["a"], ".") }]],
  ["a;b\n1.234;1,234\n5.678;5,678\n", [{ delimiter: ";" }]],
  ["a;b\n1,5;1.5\n2;x\n", [{ delimiter: ";", ...numbers(",", ["a"]) }]],
  ["a;b\nx, y;1,5\nz, u;2\nw;3\n", [{ delimiter: ";", ...numbers(",", ["b"]) }]],
  ["a;b\n1,5;2,5\n3,5;4,5\n", [{ delimiter: ";", ...numbers(",", ["a", "b"]) }]],
  ["T,\n\na,b,\nx,1,\ny,2,\n", [{ delimiter: ",", headerRows: [3], nullColumns: "name" }]],
  ["a;b;;\nx;1;;\ny;2;;\n", [{ delimiter: ";", nullColumns: "name" }]],
  [",a\n0,x\n1,y\n", [{ delimiter: ",", nullColumns: "name" }]],
  [";a;b\n1;x;y\n2;z;u\n", [{ delimiter: ";", nullColumns: "name" }]],
  ["a;b;eor\n1;2;eor\n3;4;eor\n", [{ delimiter: ";" }]],
])("%j has the plans %j", async (file, dialects) => {
  expect(await dialectsOf(file)).toEqual(dialects);
});

test.each([
  ["nothing", ""],
  ["a text", "Dear reader,\nthis is no table.\n"],
  ["two tables", "a,b\n1,2\n\na,b\n3,4\n"],
  ["a row too long", "a;b\n1;2\n3;4;5\n6;7\n"],
  ["a title that fills its row", "Report 2026;all\na;b;c\n1;2;3\n"],
  ["more left out than kept", "T\n\n\n\na;b\n1;2\n"],
  ["a name that is missing", ";b;c\nx;2;y\nz;4;u\n"],
  ["names again in the middle", "a;b\n1;2\na;b\n3;4\n"],
  ["row names without a name", ",v\na,x\nb,y\n"],
  ["row numbers in another order", ",v\n0,x\n2,y\n"],
  ["a name that is missing above values", "a;b;\nx;1;2\ny;2;\n"],
  ["one year, or one number", "x;1353\ny;2297\n"],
  ["a quote that strays", 'a;b\nx"y;2\nz;4\n'],
  ["a value that swallows a row", 'a;b\n"x;2\nz";4\nu;5\n'],
  ["another separator in nearly all rows", "a;b, c\n1;2, 3\n4;5, 6\n7;8;9, 1\n2;3, 4\n"],
  ["a NUL", "a;b\n1;\0\n"],
])("%s has no plan", async (_, file) => {
  expect(await dialectsOf(file)).toEqual([]);
});

test.each<[string, Buffer, Dialect[]]>([
  [
    "Windows-1252",
    Buffer.from("a;b\nZürich;1 ½\n", "latin1"),
    [{ delimiter: ";", encoding: "windows-1252" }],
  ],
  ["UTF-16", Buffer.from("\ufeffa;b\n1;2\n", "utf16le"), [{ delimiter: ";", encoding: "utf-16le" }]],
  ["Cyrillic letters in Windows-1251", Buffer.from("a;b\nÌîñêâà;1\n", "latin1"), []],
  ["a letter that stands alone", Buffer.from("a;b\nx à y;1\n", "latin1"), []],
  [
    "UTF-8 with a byte that is none",
    Buffer.concat([Buffer.from("a;b\nStraße;1\n"), Buffer.of(0xe9, 0x62)]),
    [],
  ],
  ["bytes without a character", Buffer.from("a;b\nx\x81y;1\n", "latin1"), []],
])("%s is told by its bytes or not at all", async (_, file, dialects) => {
  expect(await dialectsOf(file)).toEqual(dialects);
});

test("a plan tells what it changes, leaves out and reads", async () => {
  const file = Buffer.from("Stände;;\n\nOrt;Preis;n\nZürich;1,5;1\nÖhe;;2\nBern;20,25;3\nx;1;4\n", "latin1");
  expect(await plansOf(file)).toEqual([
    {
      dialect: {
        ...{ delimiter: ";", headerRows: [3], encoding: "windows-1252" },
        ...numbers(",", ["Preis"]),
      },
      changes: [
        "Semicolons separate the values, in all 5 lines.",
        "Read as Windows-1252: 2 cells, such as Zürich in row 4 and Öhe in row 5.",
        "The names are in row 3.",
        "2 rows outside of the table are left out.",
        "Decimal commas are read in 1 column: Preis.",
      ],
      left_out: [
        { row: 1, text: "Stände;;" },
        { row: 2, text: "" },
      ],
      left_out_count: 2,
      columns: [
        { name: "Ort", generated: false, type: "text" },
        { name: "Preis", generated: false, type: "number" },
        { name: "n", generated: false, type: "number" },
      ],
      row_count: 4,
      sample: [
        ["Zürich", "1.5", "1"],
        ["Öhe", null, "2"],
        ["Bern", "20.25", "3"],
      ],
    },
  ]);
});

test("what holds in the first MiB has to hold to the end", async () => {
  const rows = `1,5;${"Kiel ".repeat(40)}\n`.repeat(6_000);
  expect(await dialectsOf(`a;b\n${rows}`)).toEqual([{ delimiter: ";", ...numbers(",", ["a"]) }]);
  expect(await dialectsOf(`a;b\n${rows}x;y\n`)).toEqual([{ delimiter: ";" }]);
  expect(await dialectsOf(`a;b\n${rows}1;2;3\n`)).toEqual([]);
});
