import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { DEEP, MOST_DATA_BYTES, runs } from "../../../support/depth.ts";
import { createRandom, makeCsv, pick, type Random } from "../inspection/generated.ts";
import { makeJson } from "../inspection/generated-json.ts";
import { inspect, listDatasets, readDataset } from "../inspection/sources.ts";
import { listNames, makeQuery, readFirstTable } from "./differential-queries.ts";
import { answerRows, type OracleTable } from "./oracle/table.ts";
import { asText, LIMITS, prepareFile, type ReadyFile, readRows, SMALL_WINDOW } from "./reading.ts";

// Other numbers for a longer or another walk: DIFFERENTIAL_FILES=100000 DIFFERENTIAL_SEED=7.
const FILES = Number(process.env.DIFFERENTIAL_FILES ?? runs(1_500));
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);
const QUERIES_A_FILE = 6;
const QUERIES_A_DATASET = runs(12);

async function expectOneAnswer(
  ready: ReadyFile,
  table: OracleTable,
  query: URLSearchParams,
  rowsResponseBytes: number,
): Promise<void> {
  const parsed = parseRowsQuery(query, LIMITS);
  if (!parsed.ok) throw new Error(`the test asks wrongly: ${query}`);
  const limits = { ...LIMITS, rowsResponseBytes };
  const theirs = { ok: true, json: answerRows(table, parsed.query, rowsResponseBytes) };
  const told = `${query} of ${JSON.stringify(ready.content.toString("utf8", 0, 2_000))}`;
  expect(asText(await readRows(ready, parsed.query, limits)), told).toEqual(theirs);
  const withoutIndex = { ...ready, index: null };
  expect(asText(await readRows(withoutIndex, parsed.query, limits, SMALL_WINDOW)), told).toEqual(theirs);
}

async function walk(format: FileFormat, make: (random: Random) => Buffer): Promise<number> {
  const random = createRandom(SEED);
  let read = 0;
  for (let at = 0; at < FILES; at++) {
    const content = make(random);
    if (!(await inspect(content, format)).ok) continue;
    const ready = await prepareFile(content, format);
    const names = listNames(ready);
    if (names.length === 0) continue;
    const table = await readFirstTable(ready);
    for (let turn = 0; turn < QUERIES_A_FILE; turn++) {
      const query = makeQuery(random, names, table);
      if (ready.file.tables[0] !== undefined) query.set("table", ready.file.tables[0].name);
      await expectOneAnswer(ready, table, query, pick(random, [1, 40, 200, 1_000_000]));
      read++;
    }
  }
  return read;
}

describe("rows read through the index are those of the parsers", () => {
  it(`on ${FILES} generated CSV files`, { timeout: 360_000 }, async () => {
    expect(await walk("csv", makeCsv)).toBeGreaterThan(FILES);
  });

  it(`on ${FILES} generated JSON files`, { timeout: 360_000 }, async () => {
    expect(await walk("json", makeJson)).toBeGreaterThan(FILES);
  });

  const names = ["csv", "json"].flatMap((ending) =>
    listDatasets(ending, DEEP ? Number.POSITIVE_INFINITY : MOST_DATA_BYTES),
  );
  it.each(names)("on %s", { timeout: 240_000 }, async (name) => {
    const content = readDataset(`data/${name}`);
    const format = name.endsWith("csv") ? "csv" : "json";
    if (content === null || content.length > LIMITS.jsonTableBytes) return;
    const ready = await prepareFile(content, format);
    const columns = listNames(ready);
    if (columns.length === 0) return;
    const table = await readFirstTable(ready);
    const random = createRandom(SEED);
    for (let turn = 0; turn < QUERIES_A_DATASET; turn++) {
      const query = makeQuery(random, columns, table);
      query.set("offset", String(Math.floor(random() * 3_000)));
      query.set("limit", "500");
      if (ready.file.tables[0] !== undefined) query.set("table", ready.file.tables[0].name);
      await expectOneAnswer(ready, table, query, pick(random, [5_000, 1_000_000]));
    }
  });
});
