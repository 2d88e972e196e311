import { strictEqual } from "node:assert";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDiskStore } from "../../shared/platform/files/disk.ts";
import { checkTable } from "../../shared/tables/dictionary/check-table.ts";
import type { Dictionary } from "../../shared/tables/dictionary/dictionary.ts";
import { resolveDictionaries } from "../../shared/tables/dictionary/resolve.ts";
import type { RuleFault } from "../../shared/tables/dictionary/table-rules.ts";
import { collectBytes } from "../../shared/tables/rows/read.ts";
import { prepareFile } from "../shared/tables/rows/reading.ts";
import { CITIES, makeCsvFile } from "./data-files.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, type RatioTarget, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";

const ROUNDS = 11;
const KEY = "01M7WVM8W0T8NYB19BE1ATAT9N";
const OURS = "ours";
const PEER = "DuckDB";

/** Every kind of rule over the columns of the bench's file that are read for it. */
const DICTIONARY: Dictionary = {
  primary_key: ["id", "date"],
  columns: [
    { name: "id", required: true, unique: true },
    { name: "date", minimum: "2000-01-01", maximum: "2100-12-31" },
    { name: "price", missing_values: ["NA"], minimum: -1_000_000, maximum: 1_000_000 },
    { name: "qty", minimum: -1_000_000, maximum: 1_000_000 },
    { name: "active", categories: ["true", "false", "TRUE", "FALSE"].map((value) => ({ value })) },
    { name: "city", categories: CITIES.map((value) => ({ value })) },
  ],
};

const isBeyond = (column: string, blanks = "''") =>
  `count(*) FILTER (WHERE coalesce(${column}, '') NOT IN (${blanks}) AND (TRY_CAST(${column} AS DOUBLE) IS NULL OR CAST(${column} AS DOUBLE) NOT BETWEEN -1000000 AND 1000000))`;
const isNoneOf = (column: string, values: readonly string[]) =>
  `count(*) FILTER (WHERE coalesce(${column}, '') <> '' AND ${column} NOT IN (${values.map((value) => `'${value}'`).join(", ")}))`;
const checkInSql = (path: string) => `SELECT
  count(*) FILTER (WHERE coalesce(id, '') = '' OR coalesce(date, '') = '') + count(*) - count(DISTINCT id || chr(31) || date),
  count(*) - count(id), count(id) - count(DISTINCT id),
  count(*) FILTER (WHERE coalesce(date, '') <> '' AND (TRY_CAST(date AS DATE) IS NULL OR CAST(date AS DATE) NOT BETWEEN DATE '2000-01-01' AND DATE '2100-12-31')),
  ${isBeyond("price", "'', 'NA'")}, ${isBeyond("qty")},
  ${isNoneOf("active", ["true", "false", "TRUE", "FALSE"])}, ${isNoneOf("city", CITIES)}
  FROM read_csv('${path}', all_varchar = true, header = true)`;

/** Measures all rules of a dictionary over a file that nobody has read, against the same in DuckDB. */
export async function run(): Promise<string[]> {
  printSurroundings({ node: process.version, "@duckdb/node-api": versionOf("@duckdb/node-api") });
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const path = join(folder, "data.csv");
    await writeFile(path, makeCsvFile());
    const ours = await openOurs(path);
    const duckdb = await openPeer(PEER, () => openDuckdb(path));
    strictEqual((await ours()).length, 0, "every rule holds");
    const times = await race(
      present([{ name: OURS, run: ours }, duckdb && { name: PEER, run: duckdb }]),
      ROUNDS,
      "processor",
    );
    return printRace("all rules of a dictionary over 128,295 rows, time of the processor", times, TARGETS);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const TARGETS: RatioTarget[] = [{ ours: OURS, peer: PEER, most: 0.5 }];

async function openOurs(path: string) {
  const { file, index } = await prepareFile(await readFile(path), "csv");
  const { tables } = resolveDictionaries([{ label: "Data", dictionary: DICTIONARY, file }]);
  const [rules] = tables;
  const firstRowAt = index?.tables[0]?.offsets[0] ?? 0;
  // As the thread of checks reads a stored file: through pieces that are used again.
  const store = openDiskStore(join(path, "..", "store"));
  await store.put(KEY, createReadStream(path));
  return async () => {
    if (rules === undefined) throw new Error("the bench's dictionary names other columns");
    const bytes = await collectBytes(store.scan(KEY), Buffer.allocUnsafeSlow(file.bytes + 1));
    const faults: RuleFault[] = [];
    checkTable(
      rules,
      { bytes, format: "csv", firstRowAt, seed: 7 },
      { sets: new Map(), mayProve: true },
      faults,
    );
    return faults;
  };
}

async function openDuckdb(path: string) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const read = async () => (await connection.runAndReadAll(checkInSql(path))).getRows();
  const [counts = []] = await read();
  strictEqual(counts.map(Number).join(" "), "0 0 0 0 0 0 0 0", "every rule holds in the peer");
  return read;
}
