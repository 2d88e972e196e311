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
import { readTable } from "../rows/oracle/table.ts";
import { prepareFile } from "../rows/reading.ts";
import { findFaults } from "./checking.ts";

const MOST_COLUMNS = 300;
const MOST_VALUES = 200;

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

/** What is true of a table, by the reader of the second implementation. */
async function describeTrue(content: Buffer) {
  const { columns, rows } = await readTable(content, "csv", null);
  return {
    columns: columns.slice(0, MOST_COLUMNS).map((name, at) =>
      describeColumn(
        name,
        rows.map((row) => row[at]?.text ?? ""),
      ),
    ),
  };
}

async function check(content: Buffer) {
  const dictionary = await describeTrue(content);
  const [key] = dictionary.columns.filter(({ required, unique }) => required && unique);
  const whole = { ...dictionary, ...(key === undefined ? {} : { primary_key: [key.name] }) };
  const ready = await prepareFile(content, "csv");
  return findFaults([{ label: "Table", ready, dictionary: whole }]);
}

it.each(some(listDatasets("csv", MOST_DATA_BYTES)))(
  "a true dictionary of %s is accepted",
  { timeout: 240_000 },
  async (name) => {
    const content = readDataset(`data/${name}`);
    if (content === null) return;
    if (!(await inspect(content, "csv")).ok) return;
    expect(await check(content)).toEqual({});
  },
);

it("a true dictionary of every table of the corpus is accepted", { timeout: 360_000 }, async (context) => {
  const cases = readCorpus<{ cases: CorpusCase[] }>("csv-edge.json");
  if (cases === null) context.skip("the corpora are not there");
  let tables = 0;
  for (const one of cases?.cases ?? []) {
    const content = contentOf(one);
    const verdict = await inspect(content, "csv");
    if (!verdict.ok || verdict.inspection?.kind !== "table") continue;
    tables++;
    expect([one, await check(content)]).toEqual([one, {}]);
  }
  expect(tables).toBeGreaterThan(5);
});
