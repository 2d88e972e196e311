import { expect, test } from "vitest";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { judge } from "./convert.ts";

const TABS = { delimiter: "\t" };

test.each<[file: string, dialect: Dialect, row: number | null]>([
  ["Name,Betrag\nA,5\n", TABS, 1],
  ["Name,Betrag\nA,5\n", { delimiter: ";", header: false }, 1],
  ["Report\nName,Betrag\nA,5\n", TABS, 2],
  ["# x\nName,Betrag\nA,5\n", { ...TABS, commentChar: "#" }, 2],
  ["note\nfirst, second\n", TABS, null],
  ['"a,b"\n"c,d"\n', TABS, null],
  ["a\tb,c\n1\t2,3\n", TABS, null],
  ["a,b\n1,2\n", { delimiter: "," }, null],
])("%j, read by %j, is told where commas stand from row %s on", async (file, dialect, row) => {
  const verdict = await judge(file, dialect);
  if (!verdict.ok) throw new Error(verdict.reason);
  const hint = verdict.hints.find(({ code }) => code === "other_separator");
  expect(hint?.rows).toEqual(row === null ? undefined : [row]);
});

const SEMICOLONS = { delimiter: ";" };

test.each<[code: string, file: string, dialect: Dialect, rows: number[], message: RegExp]>([
  [
    "mixed_column",
    "Report\n\na;b\nx;1\nx;y\n",
    { headerRows: [3] },
    [4, 5],
    /row 4 holds "1", .* row 5 holds "y"/,
  ],
  [
    "header_like_data",
    "Report\na;2024-01-01\nx;2024-01-02\n",
    { headerRows: [2] },
    [2],
    /^Row 2 is the header/,
  ],
  [
    "number_format",
    "x\na;b\n1.200;1,5\n9;2\n",
    { headerRows: [2], decimalChar: "," },
    [3],
    /^In a the point of 1\.200, in row 3,/,
  ],
  ["number_format", "a;b\n1;x\n7;y\n1.200;z\n", {}, [4], /^In a the point of 1\.200, in row 4,/],
  ["number_format", "a;b\n# x\n1;$5\n2;6\n", { commentChar: "#" }, [3], /row 3 holds "\$5"/],
  ["broken_letters", "Report\na;b\nZÃ¼;1\n", { headerRows: [2] }, [3], /^Row 3 holds "Ã¼"/],
  ["missing_value_marks", "1;NA\n2;3\n", { header: false }, [1], /row 1 holds "NA"/],
  ["last_rows", "Report\na;b\nx;1\nTotal;1\n", { headerRows: [2] }, [4], /^The last row, 4,/],
  ["header_again", "Report\na;b\nx;1\na;b\ny;2\n", { headerRows: [2] }, [4], /^Row 4 is the header again/],
  ["quote_in_value", 'Report\na;b\n5" x;1\n', { headerRows: [2] }, [3], /first in row 3\./],
])(
  "%s of %j, read by %j, names rows of the file as sent in rows and message",
  async (code, file, dialect, rows, message) => {
    const verdict = await judge(file, { ...SEMICOLONS, ...dialect });
    if (!verdict.ok) throw new Error(verdict.reason);
    expect(verdict.hints.find((one) => one.code === code)).toMatchObject({
      rows,
      message: expect.stringMatching(message),
    });
  },
);

test.each<[file: string, dialect: Dialect]>([
  ["a;b\n1.200;x\n1.234;y\n", {}],
  ["a;b\n1.200;1,5\n1.25;2\n", { decimalChar: "," }],
  ["a;b\n1.200;1,5\n1200;2\n", { decimalChar: "," }],
  ["a;b\n0.200;1,5\n9;2\n", { decimalChar: "," }],
  ["a;b\n1.200;1,5\nx;2\n", { decimalChar: "," }],
  ["a;b\n1.200;1,234\n9;2\n", { groupChar: "," }],
])("no point of %j, read by %j, stands between thousands", async (file, dialect) => {
  const verdict = await judge(file, { ...SEMICOLONS, ...dialect });
  if (!verdict.ok) throw new Error(verdict.reason);
  expect(verdict.hints.filter(({ message }) => message.includes("the point of"))).toEqual([]);
});

test.each<[file: string, dialect: Dialect | null, row: string]>([
  ["Report\na\u200b;b\n1;2\n", { ...SEMICOLONS, headerRows: [2] }, "Row 2"],
  ["\ufeff\ufeffa;b\n1;2\n", SEMICOLONS, "Row 1"],
  ["\ufeff\ufeffa,b\n1,2\n", null, "Row 1"],
  ["2024;\n\ufeffm;f\n1;2\n", { ...SEMICOLONS, headerRows: [1, 2] }, "Rows 1 and 2"],
])("%j, read by %j, is refused for a character of a name that nobody sees", async (file, dialect, row) => {
  const verdict = await judge(file, dialect);
  expect(verdict).toMatchObject({ ok: false, plans: [] });
  expect(!verdict.ok && verdict.reason).toMatch(new RegExp(`^${row}, the header, names? column 1 `));
});

test.each<[file: string, dialect: Dialect, cause: RegExp]>([
  ["sep=;\na;b\n1;2\n", SEMICOLONS, /has no name for column 2\. It is a line that tells Excel/],
  ["Levels\t\t\na\tb\tc\n1\t2\t3\n", TABS, /has no name for column 2\. .* names seem to be in row 2\./],
  ["a\tb\n1\t2\n\na\tb\n3\t4\n", TABS, /^Row 3 is a blank line; .* another table seems to begin, in row 4\./],
  ["a;b\n1;1;2\n2;3;4\n", SEMICOLONS, /^Row 2 has 3 values; .*row\.names=FALSE in R/],
  ["a;b\n1;2;\n3;4;\n", SEMICOLONS, /A separator ends every row but the header: take it out\.$/],
  ["a;b\n1;2\n3;4\n5\n6;7\n8;9\n", SEMICOLONS, /^Row 4 .* Give every row one value per column/],
  ["a;b\n1;1;2\n2;3;4\n", { ...SEMICOLONS, header: false }, /Give every row one value per column/],
])("%j, read by %j, is refused with its cause", async (file, dialect, cause) => {
  expect(await judge(file, dialect)).toMatchObject({ ok: false, reason: expect.stringMatching(cause) });
});
