import { parquetMetadata } from "hyparquet";
import { readParquet } from "parquet-wasm";
import { afterAll, describe, expect, test } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { MOST_DATA_BYTES, runs, some } from "../../../support/depth.ts";
import { createRandom, makeCsv } from "../inspection/generated.ts";
import { makeJson } from "../inspection/generated-json.ts";
import {
  type CorpusCase,
  contentOf,
  inspect,
  listDatasets,
  readCorpus,
  readDataset,
} from "../inspection/sources.ts";
import { readTable } from "../rows/oracle/table.ts";
import { readTyped } from "./oracle.ts";
import { openDuckDb, readByHyparquet, SOURCE, writeTables } from "./reading.ts";

const duckdb = await openDuckDb();

afterAll(() => duckdb.close());

/** Compares each table of a file, written twice, with the oracle; returns how many there are. */
async function compare(content: Buffer, format: FileFormat, withDuckDb = true): Promise<number> {
  const [tables, again] = [await writeTables(content, format), await writeTables(content, format)];
  for (const [at, { name, bytes, blanks, rowCount }] of tables.entries()) {
    expect(again[at]?.bytes.equals(bytes)).toBe(true);
    const typed = readTyped(await readTable(content, format, name), format === "csv");
    const expected = { names: typed.map((column) => column.name), columns: typed.map(({ cells }) => cells) };
    const { types, ...found } = await readByHyparquet(bytes);
    expect(types).toEqual(typed.map(({ type }) => type));
    expect(found).toEqual(expected);
    // Of a table without rows it gives no columns.
    if (withDuckDb)
      expect((await duckdb.read(bytes)).columns).toEqual(
        rowCount === 0 ? [] : withoutMarks(expected.columns),
      );
    expect(countNulls(bytes)).toEqual(rowCount === 0 ? [] : blanks);
    expect(typed.map(({ cells }) => cells.filter((cell) => cell === null).length)).toEqual(blanks);
  }
  return tables.length;
}

/** DuckDB's package for Node takes a byte order mark at the beginning of a text away. */
const withoutMarks = (columns: (string | null)[][]) =>
  columns.map((cells) =>
    cells.map((cell) => (cell?.startsWith("text \ufeff") ? `text ${cell.slice(6)}` : cell)),
  );

/** The nulls of each column, by the statistics of the file. */
function countNulls(bytes: Buffer): number[] {
  const { row_groups, key_value_metadata } = parquetMetadata(Uint8Array.from(bytes).buffer);
  expect(key_value_metadata).toContainEqual({ key: "source_sha256", value: SOURCE });
  const counts: number[] = [];
  for (const { columns } of row_groups)
    for (const [at, { meta_data }] of columns.entries()) {
      expect(meta_data?.codec).toBe("SNAPPY");
      counts[at] = (counts[at] ?? 0) + Number(meta_data?.statistics?.null_count ?? Number.NaN);
    }
  return counts;
}

interface Case extends CorpusCase {
  expect: string;
}

describe("the tables of the outside world", () => {
  const csv = readCorpus<{ cases: Case[] }>("csv-edge.json")?.cases ?? [];
  const json = readCorpus<{ cases_suite: Case[]; cases_own: Case[] }>("json-cases.json");
  const cases = [
    ...csv.map((one) => ({ ...one, format: "csv" as const })),
    ...[...(json?.cases_suite ?? []), ...(json?.cases_own ?? [])].map((one) => ({
      ...one,
      format: "json" as const,
    })),
  ];

  test.skipIf(cases.length === 0)(
    "of the corpora are written as they are typed",
    { timeout: 240_000 },
    async () => {
      let count = 0;
      for (const one of some(cases, 12)) {
        const content = Buffer.from(contentOf(one));
        if ((await inspect(content, one.format)).ok) count += await compare(content, one.format);
      }
      expect(count).toBeGreaterThan(some(cases, 12).length / 6);
    },
  );

  test("of vega-datasets are written as they are typed", { timeout: 240_000 }, async () => {
    let count = 0;
    for (const format of ["csv", "json"] as const)
      for (const name of some(listDatasets(format, MOST_DATA_BYTES), 12))
        count += await compare(readDataset(`data/${name}`) ?? Buffer.alloc(0), format);
    expect(count).toBeGreaterThan(2);
  });
});

test("generated tables are written as they are typed", { timeout: 360_000 }, async () => {
  const random = createRandom(11);
  let count = 0;
  for (let run = 0; run < runs(4_000); run++) {
    const format = run % 2 === 0 ? "csv" : "json";
    const content = format === "csv" ? makeCsv(random) : makeJson(random);
    if ((await inspect(content, format)).ok) count += await compare(content, format, run % 10 < 2);
  }
  expect(count).toBeGreaterThan(runs(4_000) / 4);
});

/** A CSV of one column. */
const column = (...cells: string[]) => Buffer.from(`a\n${cells.map((cell) => `"${cell}"`).join("\n")}\n`);
const typeOf = async (content: Buffer, format: FileFormat = "csv") => {
  await compare(content, format);
  return (await readByHyparquet((await writeTables(content, format))[0]?.bytes ?? Buffer.alloc(0))).types[0];
};

describe("numbers", () => {
  test.each([
    ["INT64", ["1", "", "-2", "-0", "9223372036854775807", "-9223372036854775808"]],
    ["STRING", ["1", "007"]],
    ["STRING", ["1", "9223372036854775808", "9223372036854775809"]],
    ["DOUBLE", ["1", "9223372036854775808"]],
    ["STRING", ["12345678901234567891"]],
    ["DOUBLE", ["0.1", "-0.0", "1.50", "1e5", "3E-7", "0e999999999"]],
    ["DOUBLE", ["1.5", "0.0", "-0.0", "0.0"]],
    ["STRING", ["1.5", "0.0", "-0.0", "0.0", "-0", "0"]],
    ["STRING", ["1.10", "1.1", "2.0"]],
    ["DOUBLE", ["1.10", "1.20", "0.10", "-7.00"]],
    ["DOUBLE", ["1.0", "2.25", "10.0"]],
    ["DOUBLE", ["1.10", "1.2", "3"]],
    ["STRING", ["1e3", "2.5", "1000"]],
    ["STRING", ["1e3", "1E3"]],
    ["STRING", ["7.5", "007.5"]],
    ["STRING", ["7", "8", "007"]],
    ["STRING", ["-0", "0"]],
    ["INT64", ["9007199254740993", "9007199254740992"]],
    ["DOUBLE", ["0.10000000000000001", "0.20000000000000001"]],
    ["STRING", ["0.1", "0.10000000000000001"]],
    ["STRING", ["1.5", "1e999"]],
    ["STRING", ["1.5", "1e-999"]],
    ["STRING", ["1.5", "0.33333333333333333333"]],
    ["STRING", [`0.${"0".repeat(400)}1`]],
    ["DOUBLE", ["5e-324", "1.7976931348623157e308"]],
  ])("%s: %j", async (type, cells) => {
    expect(await typeOf(column(...cells))).toBe(type);
  });

  test("of JSON keep to the same rules", async () => {
    expect(await typeOf(Buffer.from('[{"a":1},{"a":-0},{},{"a":null}]'), "json")).toBe("INT64");
    expect(await typeOf(Buffer.from('[{"a":1.0},{"a":1e999}]'), "json")).toBe("STRING");
  });
});

describe("dates", () => {
  test.each([
    ["DATE", ["1969-12-31", "0000-01-01", "9999-12-31", "", "2000-02-29", "1900-03-01"]],
    ["STRING", ["2026-01", "2026-01-31"]],
    ["STRING", ["2026-01"]],
    ["STRING", ["2026-01-31T12:00:00Z", "2026-01-31"]],
    ["TIMESTAMP", ["1969-12-31T23:59:59.999Z", "0001-01-01 00:00+14:00", "9999-12-31T23:59:59-1200"]],
    ["TIMESTAMP", ["2026-01-31T12:00:00.1Z", "2026-01-31T12:00:00,12+01", "2026-01-31T12:00:00.123000Z"]],
    ["STRING", ["2026-01-31T12:00:00.1230001Z"]],
    ["STRING", ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00"]],
    ["STRING", ["2016-12-31T23:59:60Z", "2026-01-31T12:00:00Z"]],
  ])("%s: %j", async (type, cells) => {
    expect(await typeOf(column(...cells))).toBe(type);
  });
});

describe("hostile tables", () => {
  test("names of every kind stay as they are, in their order", async () => {
    const names = ["__proto__", "constructor", 'a"b', "it's", "a.b", "a", "two\nlines", "ä😀", "x[0]"];
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await compare(
      Buffer.from(`${names.map(quote).join(",")}\n${names.map((_, at) => at).join(",")}\n`),
      "csv",
    );
    const record = `{${names.map((name) => `${JSON.stringify(name)}:"x"`).join(",")},"":1}`;
    await compare(Buffer.from(`[${record}]`), "json");
  });

  test("2,000 columns are written and 2,001 are not", { timeout: 120_000 }, async () => {
    const wide = (count: number) => {
      const header = Array.from({ length: count }, (_, at) => `c${at}`).join(",");
      return Buffer.from(`${header}\n${",".repeat(count - 1)}\n${header.replaceAll("c", "")}\n`);
    };
    expect(await compare(wide(2_000), "csv")).toBe(1);
    expect(await compare(wide(2_001), "csv")).toBe(0);
  });

  test("tables without rows, without values and without members", async () => {
    expect(await compare(Buffer.from("a,b\n"), "csv")).toBe(1);
    expect(await compare(Buffer.from("a,b\n,\n,\n"), "csv")).toBe(1);
    expect(await compare(Buffer.from("[{},{}]"), "json")).toBe(0);
  });

  test("lists and objects are JSON with every digit, beside values a text", async () => {
    const nested = '[{"a":{"b":[1.50,{"c":null}]}},{"a":[]},{},{"a":[12345678901234567890.10]}]';
    expect(await typeOf(Buffer.from(nested), "json")).toBe("JSON");
    expect(await typeOf(Buffer.from('[{"a":[1]},{"a":"x"},{"a":true},{"a":2.0}]'), "json")).toBe("STRING");
  });

  test("texts with pairs, quotes and line ends", async () => {
    await compare(Buffer.from(String.raw`[{"a":"\u0001\n\""},{"a":"é\ud83d\ude00"}]`), "json");
    await compare(Buffer.from('a,b\n"say ""hi""","x\ny"\n"""",\n'), "csv");
  });

  test("every document of several lists has a file for each", async () => {
    const lists = '{"one":[{"a":1}],"two":[{"b":"x"},{"b":"y"}],"one":[{"c":true}]}';
    expect(await compare(Buffer.from(lists), "json")).toBe(2);
  });
});

test("a table without rows has no group, and blank columns are texts: every reader takes them", async () => {
  for (const content of ["a,b\n", 'a,b\n,\n"",\n']) {
    const [table] = await writeTables(content, "csv");
    await compare(Buffer.from(content), "csv");
    const bytes = table?.bytes ?? Buffer.alloc(0);
    const { row_groups } = parquetMetadata(Uint8Array.from(bytes).buffer);
    expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual(table?.rowCount === 0 ? [] : [2]);
    expect(readParquet(bytes).schema.indexOf("b")).toBe(1);
  }
});

test("rows stand in groups of up to 65,536, also where their columns are located in several turns", async () => {
  const width = 70;
  const header = Array.from({ length: width }, (_, at) => `c${at}`).join(",");
  const rows = Array.from({ length: 66_000 }, (_, row) => `${row}${",".repeat(width - 1)}${row % 7 || ""}`);
  const [table] = await writeTables(Buffer.from(`${header}\n${rows.join("\n")}\n`), "csv");
  const bytes = table?.bytes ?? Buffer.alloc(0);
  const { row_groups } = parquetMetadata(Uint8Array.from(bytes).buffer);
  const groups = row_groups.map(({ num_rows }) => Number(num_rows));
  expect([groups.length, groups.reduce((sum, one) => sum + one), Math.max(...groups) <= 65_536]).toEqual([
    ...[2, 66_000, true],
  ]);
  const { columns } = await duckdb.read(bytes, ["c0", "c69"]);
  expect([columns[0]?.[65_999], columns[1]?.[65_998], columns[1]?.[65_996]]).toEqual(["65999", "2", null]);
  expect(columns[0]?.map(Number)).toEqual(rows.map((_, row) => row));
});
