import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { runs } from "../../../support/depth.ts";
import { createRandom } from "../inspection/generated.ts";
import { prepareFile } from "../rows/reading.ts";
import { compareReady } from "./comparing.ts";
import { type MadeTable, makePair, writeTable } from "./random-pairs.ts";

const PAIRS = runs(1_000);

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string): string => (text === "" ? "NULL" : `'${text.replaceAll("'", "''")}'`);

async function fill(duckdb: DuckDBConnection, name: string, { columns, rows }: MadeTable): Promise<void> {
  const named = columns.map((column, at) => `c${at} AS ${quoteName(column)}`);
  const lines = rows.map((row) => `(${row.map((cell) => `${quoteText(cell)}::VARCHAR`).join(", ")})`);
  const places = columns.map((_, at) => `c${at}`);
  await duckdb.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${named.join(", ")} FROM (VALUES ${lines.join(", ")}) t(${places.join(", ")})`,
  );
}

/** Counts rows of a full outer join by what became of them. */
async function countJoined(duckdb: DuckDBConnection, base: MadeTable, head: MadeTable, key: string[]) {
  await fill(duckdb, "base", base);
  await fill(duckdb, "head", head);
  const cell = (side: string, table: MadeTable, name: string) =>
    table.columns.includes(name) ? `${side}.${quoteName(name)}` : "NULL";
  const names = base.columns.filter((name) => head.columns.includes(name));
  const differs = names
    .map((name) => `${cell("base", base, name)} IS DISTINCT FROM ${cell("head", head, name)}`)
    .join(" OR ");
  const [first = ""] = key.map(quoteName);
  const using = key.map((name) => `base.${quoteName(name)} = head.${quoteName(name)}`).join(" AND ");
  const reader = await duckdb.runAndReadAll(
    `SELECT count(*) FILTER (WHERE base.${first} IS NULL), count(*) FILTER (WHERE head.${first} IS NULL),
      count(*) FILTER (WHERE base.${first} IS NOT NULL AND head.${first} IS NOT NULL AND (${differs}))
    FROM base FULL OUTER JOIN head ON ${using}`,
  );
  return reader.getRows()[0]?.map(Number);
}

test(`added, removed and changed rows are those of a full outer join in DuckDB, for keyed pairs of ${PAIRS}`, async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  const random = createRandom(41);
  let joined = 0;
  for (let made = 0; made < PAIRS; made++) {
    const { format, base, head } = makePair(random);
    if (format === "json" || base.rows.length === 0 || head.rows.length === 0) continue;
    const [before, after] = [writeTable("csv", base), writeTable("csv", head)];
    const outcome = await compareReady(await prepareFile(before, "csv"), await prepareFile(after, "csv"));
    if (!outcome.ok || outcome.found.key === null) continue;
    const counts = await countJoined(duckdb, base, head, outcome.found.key);
    expect(outcome.found.counts.slice(0, 3), `${before}→\n${after}`).toEqual(counts);
    joined++;
  }
  expect(joined).toBeGreaterThan(PAIRS / 6);
  duckdb.closeSync();
  instance.closeSync();
});
