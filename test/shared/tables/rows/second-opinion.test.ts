import { resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, it } from "vitest";
import type { Condition, FilterOp } from "../../../../shared/tables/rows/conditions.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { MOST_DATA_BYTES, runs } from "../../../support/depth.ts";
import { createRandom } from "../inspection/generated.ts";
import { listDatasets, readDataset } from "../inspection/sources.ts";
import { quote, writeCondition } from "./conditions-in-sql.ts";
import { listNames, makeQuery } from "./differential-queries.ts";
import { askData, LIMITS, prepareFile } from "./reading.ts";

const QUERIES_A_DATASET = runs(16);

const duckdb = await (await DuckDBInstance.create(":memory:")).connect();

afterAll(() => duckdb.closeSync());

const toSql = ({ column, op, value }: Condition) => writeCondition(quote(column, '"'), op as FilterOp, value);

const names = listDatasets("csv", MOST_DATA_BYTES);
it.each(names)("DuckDB reads the rows of %s that the reader gives", { timeout: 240_000 }, async (name) => {
  const content = readDataset(`data/${name}`);
  if (content === null) return;
  const ready = await prepareFile(content, "csv");
  const path = resolve("node_modules/vega-datasets/data", name);
  await duckdb.run(`CREATE OR REPLACE TABLE t AS
    SELECT * FROM read_csv(${quote(path, "'")}, all_varchar = true, header = true, delim = ',', parallel = false)`);
  const columns = listNames(ready);
  const random = createRandom(3);
  for (let turn = 0; turn < QUERIES_A_DATASET; turn++) {
    const query = makeQuery(random, columns);
    const parsed = parseRowsQuery(query, LIMITS);
    if (!parsed.ok) throw new Error(`the test asks wrongly: ${query}`);
    const { offset, limit, from, filters, columns: wanted } = parsed.query;
    const where = filters.length === 0 ? "true" : filters.map(toSql).join(" AND ");
    const list = (wanted ?? columns.slice(0, 100)).map((column) => quote(column, '"')).join(", ");
    const order = from === "end" ? "DESC" : "ASC";
    const rows = await duckdb.runAndReadAll(
      `SELECT ${list} FROM t WHERE ${where} ORDER BY rowid ${order} LIMIT ${limit} OFFSET ${offset}`,
    );
    const counted = await duckdb.runAndReadAll(`SELECT count(*)::INTEGER FROM t WHERE ${where}`);
    const ours = await askData(ready, query.toString());
    expect([ours.rows, ours.matched], `${name}?${query}`).toEqual([
      rows.getRows(),
      counted.getRows()[0]?.[0],
    ]);
  }
});
