// Inspection of a stored table, with its hash, sample and index, beside papaparse, DuckDB, JSON.parse and stream-json.
import { deepStrictEqual } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeCsvFile, makeJsonFile } from "../support/data-files.ts";
import {
  DUCKDB_LOAD,
  inspectByJsonParse,
  inspectByPapaparse,
  inspectByStreamJson,
  inspectWhole,
  loadByDuckdb,
} from "./inspection-peers.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, race } from "./race.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
// Files of the world: unquoted and lightly quoted, where parsers have quick paths of their own.
const REAL_FILES = ["birdstrikes.csv", "zipcodes.csv", "species.csv", "seattle-weather.csv"];
const DATASETS = resolve(import.meta.dirname, "../../node_modules/vega-datasets/data");

const OURS = "ours, with hash, sample and index";

/** Races on files of 10 MiB, and on some of the world. */
export async function run(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const csv = join(folder, "data.csv");
    const json = join(folder, "data.json");
    await writeFile(csv, makeCsvFile());
    await writeFile(json, makeJsonFile());
    const missed = [...(await raceCsv(csv)), ...(await raceJson(json))];
    for (const name of REAL_FILES) missed.push(...(await raceRealFile(join(DATASETS, name), name)));
    return missed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function raceCsv(path: string): Promise<string[]> {
  const connection = await openPeer("DuckDB", async () => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    return await (await DuckDBInstance.create(":memory:")).connect();
  });
  const found = await inspectWhole(path, "csv");
  deepStrictEqual(await inspectByPapaparse(path), found);
  if (connection !== null) deepStrictEqual(await loadByDuckdb(connection, path), found.rows);
  console.log(`\nDuckDB: ${DUCKDB_LOAD}`);
  const times = await race(
    present([
      { name: OURS, run: () => inspectWhole(path, "csv") },
      { name: "papaparse, chunks, same typing", run: () => inspectByPapaparse(path) },
      connection && { name: "DuckDB read_csv into a table", run: () => loadByDuckdb(connection, path) },
    ]),
    ROUNDS,
  );
  connection?.closeSync();
  return printRace(`CSV of 10 MiB, ${found.rows} rows`, times, [
    { ours: OURS, peer: "papaparse, chunks, same typing", most: 0.5 },
    { ours: OURS, peer: "DuckDB read_csv into a table", most: 0.7 },
  ]);
}

async function raceJson(path: string): Promise<string[]> {
  const found = await inspectWhole(path, "json");
  deepStrictEqual(inspectByJsonParse(path), found);
  deepStrictEqual(await inspectByStreamJson(path), found);
  const times = await race(
    [
      { name: OURS, run: () => inspectWhole(path, "json") },
      { name: "JSON.parse, same typing", run: () => inspectByJsonParse(path) },
      { name: "stream-json packed, same typing", run: () => inspectByStreamJson(path) },
    ],
    ROUNDS,
  );
  return printRace(`JSON of 10 MiB, ${found.rows} objects`, times, [
    { ours: OURS, peer: "JSON.parse, same typing", most: 0.8 },
    { ours: OURS, peer: "stream-json packed, same typing", most: 0.2 },
  ]);
}

async function raceRealFile(path: string, name: string): Promise<string[]> {
  deepStrictEqual(await inspectByPapaparse(path), await inspectWhole(path, "csv"));
  const times = await race(
    [
      { name: OURS, run: () => inspectWhole(path, "csv") },
      { name: "papaparse, chunks, same typing", run: () => inspectByPapaparse(path) },
    ],
    3 * ROUNDS,
  );
  return printRace(name, times, [{ ours: OURS, peer: "papaparse, chunks, same typing", most: 1 }]);
}
