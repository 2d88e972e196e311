import { expect, it } from "vitest";
import { MOST_DATA_BYTES, some } from "../../../support/depth.ts";
import {
  type CorpusCase,
  contentOf,
  inspect,
  listDatasets,
  readCorpus,
  readDataset,
} from "../inspection/sources.ts";
import { prepareFile, type ReadyFile } from "../rows/reading.ts";
import { findFaults } from "./checking.ts";

const MOST_COLUMNS = 300;
const MOST_VALUES = 200;

/** The cells of a CSV as another reader has them: plain, over the whole text. */
function readCells(text: string): string[][] {
  const rows: string[][] = [];
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, "").matchAll(CELL)) {
    const row = rows.at(-1) ?? rows[rows.push([]) - 1];
    row?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What is true of a column by its cells. */
function describeColumn(name: string, cells: string[]) {
  const filled = cells.filter((cell) => cell !== "");
  const different = new Set(filled);
  const numbers = filled.every((cell) => NUMBER.test(cell)) ? filled : [];
  const sorted = numbers.toSorted((one, other) => Number(one) - Number(other));
  const [least, most] = [sorted[0], sorted.at(-1)];
  const isShort = (text: string | undefined) => text !== undefined && text.length <= 15;
  return {
    name,
    ...(filled.length === cells.length ? { required: true } : {}),
    ...(different.size === filled.length ? { unique: true } : {}),
    ...(isShort(least) ? { minimum: least } : {}),
    ...(isShort(most) ? { maximum: most } : {}),
    ...(different.size > 0 && different.size <= MOST_VALUES && filled.every((cell) => cell.length < 1_000)
      ? { categories: [...different].map((value) => ({ value })) }
      : {}),
  };
}

function describeTrue(content: Buffer): { columns: ReturnType<typeof describeColumn>[] } {
  const [header = [], ...rows] = readCells(content.toString());
  const body = rows.filter((row) => row.length === header.length);
  return {
    columns: header.slice(0, MOST_COLUMNS).map((name, at) =>
      describeColumn(
        name,
        body.map((row) => row[at] ?? ""),
      ),
    ),
  };
}

function check(ready: ReadyFile, content: Buffer) {
  const dictionary = describeTrue(content);
  const [key] = dictionary.columns.filter(({ required, unique }) => required && unique);
  const whole = { ...dictionary, ...(key === undefined ? {} : { primary_key: [key.name] }) };
  return findFaults([{ label: "Table", ready, dictionary: whole }]);
}

it.each(some(listDatasets("csv", MOST_DATA_BYTES)))(
  "a true dictionary of %s is accepted",
  { timeout: 240_000 },
  async (name) => {
    const content = readDataset(`data/${name}`);
    if (content === null) return;
    if (!(await inspect(content, "csv")).ok) return;
    expect(check(await prepareFile(content, "csv"), content)).toEqual({});
  },
);

it("a true dictionary of every table of the corpus is accepted", { timeout: 360_000 }, async (context) => {
  const cases = readCorpus<{ cases: (CorpusCase & { expect?: string })[] }>("csv-edge.json");
  if (cases === null) context.skip("the corpora are not there");
  let tables = 0;
  for (const one of cases?.cases ?? []) {
    // The plain reader here takes no quotes inside of a cell.
    if (one.expect === "unclear") continue;
    const content = contentOf(one);
    const verdict = await inspect(content, "csv");
    if (!verdict.ok || verdict.inspection?.kind !== "table") continue;
    const names = verdict.inspection.columns.map((column) => column.name);
    // The plain reader here takes no wild quotes: what it reads differently is no case of this test.
    if (describeTrue(content).columns.some(({ name }, at) => name !== names[at])) continue;
    tables++;
    expect([one, check(await prepareFile(content, "csv"), content)]).toEqual([one, {}]);
  }
  expect(tables).toBeGreaterThan(5);
});
