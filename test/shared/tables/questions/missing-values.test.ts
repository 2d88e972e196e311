import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, it } from "vitest";
import { bindChart } from "../../../../shared/datasets/questions/bind-charts.ts";
import { bindFigure, listFigureQuestions } from "../../../../shared/datasets/questions/bind-figures.ts";
import { takeMissing } from "../../../../shared/datasets/questions/take-missing.ts";
import { planQuery } from "../../../../shared/tables/questions/plan.ts";
import type { Question } from "../../../../shared/tables/questions/question.ts";
import { readQuestion } from "../../../../shared/tables/questions/read-question.ts";
import { answerQuery } from "../../../../shared/tables/questions/write-page.ts";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import { checkChart } from "../../../../shared/text/markdown/charts/parse-chart.ts";
import type { Json } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { DEEP } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { openTables, type ReadyFile } from "../rows/reading.ts";
import { asJson, prepareFile, QUERY_LIMITS } from "./asking.ts";

const TABLES = DEEP ? 500 : 12;
const FILE = { assetId: "01M7WVM8W0T8NYB19BE1ATAT9N", contentSha256: "2c".repeat(32) };
const ASKABLE = {
  ...{ asset_id: FILE.assetId, content_sha256: FILE.contentSha256 },
  ...{ readiness: "ready" as const, is_own: true, read_bytes: 1, read_sha256: FILE.contentSha256 },
};
const NAMES = ["grade", "value", "day"];
const path = join(await openFolder(), "data.csv");
const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
afterAll(() => duckdb.closeSync());

const read = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowsJson() as (string | null)[][];
const some = <Item>(random: Random, all: readonly Item[]) => all.filter(() => random() < 0.6);
type Row = Record<string, string>;

/** A dictionary that names every cell which would refuse a sum or a date, and of the others as it falls. */
function makeDictionary(random: Random) {
  const columns = [
    { name: "grade", missing_values: some(random, ["NA", "-999", "A"]) },
    { name: "value", missing_values: ["NA", ...some(random, ["-999", "0", "1.50"])] },
    { name: "day", missing_values: ["unknown", ...some(random, ["1900-01-01"])] },
  ];
  return { columns: columns.filter(({ name, missing_values: all }) => name !== "grade" || all.length > 0) };
}

function makeRows(random: Random): Row[] {
  const number = () => (random() * 60 - 20).toFixed(Math.floor(random() * 3));
  return Array.from({ length: 1 + Math.floor(random() * 80) }, () => ({
    grade: pick(random, ["A", "B", "NA", "-999", ""]),
    value: random() < 0.4 ? pick(random, ["NA", "-999", "0", "1.50", ""]) : number(),
    day:
      random() < 0.2
        ? pick(random, ["unknown", "1900-01-01", ""])
        : `2026-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`,
  }));
}

const writeCsv = (rows: Row[]) =>
  `${[NAMES, ...rows.map((row) => NAMES.map((name) => row[name]))].map((cells) => cells.join(",")).join("\n")}\n`;

/** The same with numbers as numbers. */
function writeJson(rows: Row[]): string {
  const cellOf = (text: string) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? text : JSON.stringify(text));
  return `[${rows.map((row) => `{${NAMES.map((name) => `"${name}":${cellOf(row[name] ?? "")}`)}}`)}]`;
}

function ask(ready: ReadyFile, question: Question): Json {
  const plan = planQuery(ready.file, question, "page", QUERY_LIMITS);
  if (!plan.ok) throw new Error(plan.message);
  const bytes = Buffer.concat([ready.content, Buffer.from("\n")]);
  const firstRowAt = ready.index?.tables[0]?.offsets[0] ?? 0;
  const answer = answerQuery({ plan, firstRowAt, bytes, coded: null, seed: 7 }, FILE);
  if (!answer.ok) throw new Error(answer.message);
  return { json: answer.json, data: JSON.parse(Buffer.from(answer.json).toString()) };
}

const NUMBER = "CAST(value AS DECIMAL(38, 10))";
const AGGREGATES: Record<string, string> = {
  count: "count(value)",
  count_distinct: "count(DISTINCT value)",
  sum: `sum(${NUMBER})`,
  avg: "avg(CAST(value AS DOUBLE))",
  min: `min(${NUMBER})`,
  max: `max(${NUMBER})`,
  median: "median(CAST(value AS DOUBLE))",
};
const ALL = Object.keys(AGGREGATES).map((op) => ({ op, column: "value" }));
const TOLD = Object.values(AGGREGATES).join(", ");

/** Figures as numbers, rounded where two programs may differ in the last place. */
const figures = (rows: unknown[][]) =>
  rows.map((row) =>
    row.map((cell) => {
      const isNumber = cell !== null && cell !== "" && Number.isFinite(Number(cell));
      return isNumber ? Number(Number(cell).toPrecision(12)) + 0 : cell;
    }),
  );

async function compareQuestions(ready: ReadyFile, dictionary: string, edge: string): Promise<void> {
  const compare = async (asked: object, sql: string, rowsOf = ({ rows }: Json) => rows) => {
    const { question, errors } = readQuestion(asJson(asked), "page", 500);
    expect(errors).toEqual({});
    const taken = takeMissing(question, dictionary);
    const { data } = ask(ready, taken);
    const told = `${JSON.stringify(asked)} ${dictionary} ${ready.content}`;
    expect(figures(rowsOf(data)), told).toEqual(figures(await read(sql)));
    // The canonical question asks the same as it stands.
    const kept = readQuestion(asJson(data.question), "page", 500).question;
    expect(ask(ready, kept).data.question, told).toEqual(data.question);
    expect(ask(ready, kept).data.rows, told).toEqual(data.rows);
  };
  const sorted = { sort: [{ column: "grade" }], group: [{ column: "grade" }] };
  await compare({ aggregate: ALL }, `SELECT ${TOLD} FROM t`);
  const order = "ORDER BY TRY_CAST(grade AS DOUBLE) NULLS LAST, grade NULLS LAST";
  await compare({ ...sorted, aggregate: ALL }, `SELECT grade, ${TOLD} FROM t GROUP BY grade ${order}`);
  await compare(
    { group: [{ column: "day", by: "month" }], aggregate: [{ op: "count" }], sort: [{ column: "day" }] },
    "SELECT day[:7], count(*) FROM t GROUP BY 1 ORDER BY 1 NULLS LAST",
  );
  const filter = [{ column: "value", op: "lt", value: edge }];
  await compare({ filter, aggregate: ALL }, `SELECT ${TOLD} FROM t WHERE ${NUMBER} < ${edge}`);
  await compare(
    { filter: [{ column: "grade", op: "eq" }], aggregate: ALL },
    `SELECT ${TOLD} FROM t WHERE grade IS NULL`,
  );
  const found = NAMES.map((name) => `contains(coalesce(${name}, ''), '99')`).join(" OR ");
  await compare({ q: "99", aggregate: ALL }, `SELECT ${TOLD} FROM t WHERE ${found}`);
  await compare(
    { facet: ["grade"], aggregate: [{ op: "count" }] },
    "SELECT grade, count(*) FROM t WHERE grade IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, min(row_no)",
    ({ facets }) => facets[0].values.map(({ value, count }: Json) => [value, count]),
  );
}

async function compareStats(ready: ReadyFile, dictionary: Json): Promise<void> {
  if (ready.index === null) throw new Error("no index");
  const { stats } = await measureFile(ready.file, openTables(ready), 7, dictionary);
  const [table] = JSON.parse(stats);
  for (const { name, count, blanks, missing, distinct, top_values: top, ...column } of table.columns) {
    const told = `${name} ${JSON.stringify(dictionary)} ${ready.content}`;
    const counts = `(SELECT count(*) - count(${name}) FROM w), (SELECT count(${name}) FROM w) - count(${name})`;
    const [found] = figures(await read(`SELECT count(${name}), ${counts}, count(DISTINCT ${name}) FROM t`));
    expect([count, blanks, missing, distinct], told).toEqual(found);
    const most = await read(
      `SELECT ${name}, count(*) FROM t WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, min(row_no) LIMIT 10`,
    );
    expect(figures(top.map((one: Json) => [String(one.value), one.count])), told).toEqual(figures(most));
    if (column.type === "number") await compareNumbers(name, column, told);
    if (column.histogram?.unit !== undefined) await compareDays(name, column.histogram, told);
  }
}

async function compareNumbers(name: string, { min, max, mean, quartiles, histogram }: Json, told: string) {
  const cell = `CAST(${name} AS DOUBLE)`;
  const quantiles = [0.25, 0.5, 0.75].map((share) => `quantile_cont(${cell}, ${share})`);
  const found = await read(`SELECT min(${cell}), max(${cell}), avg(${cell}), ${quantiles} FROM t`);
  expect(figures([[min, max, mean, quartiles.q1, quartiles.median, quartiles.q3]]), told).toEqual(
    figures(found),
  );
  if (histogram === null) return;
  const { from, to, counts } = histogram;
  const edge = (bin: number) => (from + ((to - from) / counts.length) * bin).toFixed(6);
  const bins = counts.map((_: number, bin: number) => {
    const decimal = `CAST(${name} AS DECIMAL(38, 10))`;
    return `count(*) FILTER (WHERE ${decimal} >= ${edge(bin)} AND ${decimal} < ${edge(bin + 1)})`;
  });
  expect([counts], told).toEqual(figures(await read(`SELECT ${bins} FROM t`)));
}

async function compareDays(name: string, { from, to, unit, counts }: Json, told: string) {
  const span = `date_diff('${unit}', DATE '${from}', DATE '${to}')`;
  const bins = counts.map((_: number, bin: number) => {
    const place = `date_diff('${unit}', DATE '${from}', CAST(${name} AS DATE)) // (${span} // ${counts.length})`;
    return `count(*) FILTER (WHERE ${place} = ${bin})`;
  });
  expect([counts], told).toEqual(figures(await read(`SELECT ${bins} FROM t`)));
}

/** What a save keeps of a figure and of a chart, whose questions name no blanks. */
async function compareKept(ready: ReadyFile, dictionary: string): Promise<void> {
  const answerTo = (question: Question) => {
    const taken = takeMissing(question, dictionary);
    const { blank, blankOf, blankFrom } = taken;
    const { format } = ready.file;
    const file = { ...ASKABLE, format, bytes: ready.content.length, dictionary };
    return {
      found: { json: ask(ready, taken).json, file, blanks: { blank, blankOf, blankFrom } },
      faults: [],
      columns: null,
    };
  };
  const from = { asset_id: FILE.assetId, content_sha256: FILE.contentSha256 };
  const [[sum = null] = []] = await read(`SELECT sum(${NUMBER}) FROM t`);
  const text = sum === null ? "nothing" : String(Number(sum));
  const figure = { text, from: { ...from, aggregate: [{ op: "sum", column: "value" }] } };
  for (const asked of listFigureQuestions([figure], new Set())) {
    const errors = {};
    bindFigure(asked, answerTo(asked.question), 0, errors);
    expect(Object.keys(errors), `${text} ${ready.content}`).toEqual(
      sum === null ? ["payload.figures.0.from"] : [],
    );
  }
  const source = JSON.stringify({
    mark: "bar",
    data: { from: { ...from, columns: ["grade", "value"], filter: [{ column: "grade", op: "ne" }] } },
    encoding: { x: { field: "grade", type: "nominal" }, y: { field: "value", type: "quantitative" } },
  });
  const { from: sent } = checkChart(source);
  if (sent === null) throw new Error("no chart");
  const question = { ...sent.question, limit: 500 };
  const block = { kind: "Chart" as const, number: 1, line: 1, source };
  const asked = { ...sent, assetId: FILE.assetId, question, block, known: [], limit: 500 };
  const chart = bindChart(asked, answerTo(question));
  const drawn = await read("SELECT grade, value FROM t WHERE grade IS NOT NULL ORDER BY row_no");
  // A chart without a value is refused for its own reasons.
  if (!Array.isArray(chart))
    expect(
      figures(JSON.parse(chart.rows).rows.map((row: Json[]) => row.map((cell) => cell || null))),
    ).toEqual(figures(drawn));
}

it(`${TABLES} tables with dictionaries are what DuckDB finds with their missing cells null`, {
  timeout: 600_000,
}, async () => {
  const random = createRandom(Number(process.env.MISSING_SEED ?? 1));
  for (let at = 0; at < TABLES; at++) {
    const dictionary = makeDictionary(random);
    const rows = makeRows(random);
    writeFileSync(path, writeCsv(rows));
    await duckdb.run(`CREATE OR REPLACE TABLE w AS SELECT row_number() OVER () AS row_no, * FROM read_csv('${path}',
      all_varchar = true, header = true, auto_detect = false, delim = ',', columns = {${NAMES.map((name) => `'${name}': 'VARCHAR'`)}})`);
    const cells = dictionary.columns.map(
      ({ name, missing_values: all }) =>
        `CASE WHEN ${name} NOT IN (${all.map((text) => `'${text}'`)}) THEN ${name} END AS ${name}`,
    );
    await duckdb.run(`CREATE OR REPLACE TABLE t AS SELECT * REPLACE (${cells}) FROM w`);
    const isCsv = random() < 0.5;
    const ready = await prepareFile(isCsv ? writeCsv(rows) : writeJson(rows), isCsv ? "csv" : "json");
    await compareQuestions(ready, JSON.stringify(dictionary), (random() * 40 - 20).toFixed(1));
    await compareStats(ready, dictionary);
    await compareKept(ready, JSON.stringify(dictionary));
  }
});
