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
