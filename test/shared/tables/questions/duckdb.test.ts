import { resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, it } from "vitest";
import type { Json } from "../../../support/agent.ts";
import { MOST_DATA_BYTES, runs, some } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { listDatasets, readDataset } from "../inspection/sources.ts";
import { quote } from "../rows/conditions-in-sql.ts";
import { listNames } from "../rows/differential-queries.ts";
import { asJson, ask, askData, prepareFile } from "./asking.ts";
import type { Asked } from "./oracle/answer.ts";
import { nameOf, PLAIN, writeFacet, writeQuestion, writeRows } from "./questions-in-sql.ts";

const QUESTIONS = runs(500);
const names = some(listDatasets("csv", MOST_DATA_BYTES)).filter((name) => {
  const content = readDataset(`data/${name}`);
  return content !== null;
});

const duckdb = await (await DuckDBInstance.create(":memory:")).connect();

afterAll(() => duckdb.closeSync());

const read = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRows();

/** The columns of the table `t` by what may be asked of them: numbers that a decimal holds, days, and all that sort. */
async function sortColumns(columns: readonly string[]) {
  const found = { numbers: [] as string[], days: [] as string[], plain: [] as string[] };
  for (const name of columns) {
    const cell = quote(name, '"');
    const like = (pattern: string) => `count(*) FILTER (WHERE regexp_full_match(${cell}, ${pattern}))`;
    const [counts = []] = await read(
      `SELECT count(${cell}), ${like(PLAIN)}, ${like("'[-+]?[0-9.]+([eE].*)?'")}, ${like("'\\d{4}-\\d{2}-\\d{2}'")} FROM t`,
    );
    const [filled, decimals, numerals, days] = counts.map(Number);
    if (decimals === numerals) found.plain.push(name);
    if (decimals === filled && filled !== 0) found.numbers.push(name);
    if (days === filled && filled !== 0) found.days.push(name);
  }
  return found;
}

type Columns = Awaited<ReturnType<typeof sortColumns>>;
const maybe = <Value>(random: Random, share: number, make: () => Value) =>
  random() < share ? make() : undefined;

function makeQuestion(random: Random, { numbers, days, plain }: Columns, values: readonly string[]): Asked {
  const way = () => pick(random, ["asc", "desc"]);
  const filter = maybe(random, 0.5, () => {
    const op = pick(random, ["eq", "ne", "gt", "lte", "contains", "in"]);
    const column = pick(random, plain);
    return [
      {
        column,
        op,
        value: op === "in" ? [pick(random, values), pick(random, values)] : pick(random, values),
      },
    ];
  });
  const common = { filter, limit: 500, facet: maybe(random, 0.3, () => [pick(random, plain)]) };
  if (random() < 0.3) return { ...common, sort: [{ column: pick(random, plain), order: way() }] };
  const group = [
    ...(random() < 0.6 ? [{ column: pick(random, plain) }] : []),
    ...(days.length > 0
      ? [{ column: pick(random, days), by: pick(random, ["year", "quarter", "month", "week", "day"]) }]
      : []),
    ...(numbers.length > 0 && random() < 0.3
      ? [{ column: pick(random, numbers), step: pick(random, ["5", "100"]) }]
      : []),
  ].filter(({ column }, at, all) => all.findIndex((one) => one.column === column) === at);
  const aggregate = [
    { op: "count" },
    { op: pick(random, ["count", "count_distinct", "min", "max"]), column: pick(random, plain) },
    ...(numbers.length > 0
      ? [{ op: pick(random, ["sum", "avg", "median"]), column: pick(random, numbers) }]
      : []),
  ].filter((one) => !group.some(({ column }) => column === nameOf(one)));
  // Means that DuckDB rounds apart would be no ties there.
  const exact = aggregate.filter(({ op }) => op !== "avg" && op !== "median");
  const sort = maybe(random, 0.5, () => [{ column: nameOf(pick(random, exact)), order: way() }]);
  return { ...common, group: group.length > 0 ? group : undefined, aggregate, sort };
}

/** Means and medians agree within a few units in the last place, as DuckDB adds and divides doubles. */
function isNear(ours: unknown, theirs: unknown): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  const [one, other] = [Number(ours), Number(theirs)];
  if (typeof ours === "string" || Number.isNaN(one)) return String(ours) === theirs;
  return Math.abs(one - other) <= 4 * Number.EPSILON * Math.max(Math.abs(one), Math.abs(other));
}

async function compare(name: string, ready: Awaited<ReturnType<typeof prepareFile>>, asked: Asked) {
  const told = `${name} ${JSON.stringify(asked)}`;
  const all = listNames(ready);
  const ours = await askData(ready, asJson(asked));
  const theirs = await read(writeQuestion(asked, all));
  expect(ours.rows.length, told).toBe(theirs.length);
  for (const [at, row] of ours.rows.entries()) {
    const isEqual = row.every((cell: unknown, place: number) => isNear(cell, theirs[at]?.[place]));
    expect(isEqual, `${told}\nrow ${at}: ${JSON.stringify(row)} and ${theirs[at]}`).toBe(true);
  }
  const [[matched] = []] = await read(`SELECT count(*)::INTEGER FROM t WHERE ${writeRows(asked, all).where}`);
  expect(ours.matched, told).toBe(matched);
  for (const { column, distinct, blanks, values, others } of ours.facets) {
    const found = await read(writeFacet(asked, all, column));
    const filled = found.filter(([value]) => value !== null);
    const shown = filled.slice(0, 10).map(([value, count]) => ({ value, count }));
    expect([values, distinct, blanks], told).toEqual([
      shown,
      filled.length,
      found.find(([value]) => value === null)?.[1] ?? 0,
    ]);
    expect(others, told).toBe(filled.slice(10).reduce((sum, [, count]) => sum + Number(count), 0));
  }
}

it(`DuckDB answers ${QUESTIONS} questions about data files as the service does`, {
  timeout: 300_000,
}, async () => {
  const random = createRandom(11);
  let asked = 0;
  for (const name of names) {
    const ready = await prepareFile(readDataset(`data/${name}`) ?? "", "csv");
    const path = quote(resolve("node_modules/vega-datasets/data", name), "'");
    await duckdb.run(`CREATE OR REPLACE TABLE t AS
      SELECT * FROM read_csv(${path}, all_varchar = true, header = true, delim = ',', parallel = false)`);
    const columns = await sortColumns(listNames(ready).slice(0, 100));
    if (columns.plain.length === 0) continue;
    const { rows } = await askData(ready, "limit=20");
    const values = rows.flat().filter((cell: unknown) => typeof cell === "string" && cell.length < 100);
    for (let turn = 0; turn < Math.ceil(QUESTIONS / names.length); turn++, asked++)
      await compare(name, ready, makeQuestion(random, columns, values));
    await addUp(name, ready, columns);
  }
  expect(asked).toBeGreaterThanOrEqual(QUESTIONS * 0.8);
});

/** The answer with its numbers as the texts that are sent, so that no digit is lost. */
async function askTexts(ready: Awaited<ReturnType<typeof prepareFile>>, asked: Asked): Promise<Json> {
  const answer = await ask(ready, asJson(asked));
  if (!answer.ok) throw new Error(`refused: ${answer.message}`);
  const keepDigits = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? context?.source : value;
  return JSON.parse(Buffer.from(answer.json).toString(), keepDigits);
}

/** The sum of the sums of all groups is the sum, whatever column groups; a facet counts what groups count. */
async function addUp(
  name: string,
  ready: Awaited<ReturnType<typeof prepareFile>>,
  { numbers, plain }: Columns,
) {
  const [number] = numbers;
  const aggregate = [
    { op: "count", as: "its rows" },
    { op: "sum", column: number ?? "", as: "its sum" },
  ];
  for (const column of number === undefined ? [] : plain.slice(0, 3)) {
    const grouped = { group: [{ column }], aggregate, facet: [column], facet_size: 100, limit: 500 };
    const { rows, facets, next_offset } = await askTexts(ready, grouped);
    if (next_offset !== null) continue;
    const sums = rows.flatMap(([, , sum]: string[]) => (sum === null ? [] : `('${sum}'::DECIMAL(38, 10))`));
    const [[, whole]] = (await askTexts(ready, { aggregate })).rows;
    const [[isSame] = []] = await read(
      `SELECT sum(part) = '${whole}'::DECIMAL(38, 10) FROM (VALUES ${sums}) AS parts(part)`,
    );
    const counts = rows.filter(([value]: string[]) => value !== null);
    const first = counts.toSorted((one: string[], other: string[]) => Number(other[1]) - Number(one[1]));
    expect([name, column, isSame, facets[0].values]).toEqual([
      name,
      column,
      true,
      first.slice(0, 100).map(([value, count]: string[]) => ({ value, count })),
    ]);
  }
}
