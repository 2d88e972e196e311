import { deepStrictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { READ_BYTES } from "../../shared/platform/files/disk.ts";
import { makeCsvFile, makeJsonFile } from "./data-files.ts";
import {
  DUCKDB_LOAD,
  inspectByJsonParse,
  inspectByPapaparse,
  inspectByStreamJson,
  inspectWhole,
  loadByDuckdb,
} from "./inspection-peers.ts";
import { openPeer, present } from "./peers.ts";
import { medianOf, printRace, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";

const ROUNDS = 7;
// Files of the world: unquoted and lightly quoted, where parsers have quick paths of their own.
const REAL_FILES = ["birdstrikes.csv", "zipcodes.csv", "species.csv", "seattle-weather.csv"];
const DATASETS = resolve(import.meta.dirname, "../../node_modules/vega-datasets/data");

const OURS = "ours, with hash, sample and index";

/** Measures inspection against its peers; gives the targets that were missed. */
export async function run(): Promise<string[]> {
  printSurroundings({
    node: process.version,
    papaparse: versionOf("papaparse"),
    "stream-json": versionOf("stream-json"),
    "@duckdb/node-api": versionOf("@duckdb/node-api"),
    "vega-datasets": versionOf("vega-datasets"),
  });
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const csv = join(folder, "data.csv");
    const json = join(folder, "data.json");
    await writeFile(csv, makeCsvFile());
    await writeFile(json, makeJsonFile());
    const missed = [...(await raceCsv(csv)), ...(await raceJson(json))];
    for (const name of REAL_FILES) missed.push(...(await raceRealFile(join(DATASETS, name), name)));
    return [...missed, ...(await measureMemory(folder))];
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
    { ours: OURS, peer: "JSON.parse, same typing", most: 0.65, isReach: true },
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

const STREAM = "for await (const chunk of createReadStream(path)) bytes += chunk.length;";
const INSPECT = `await inspectFile(createReadStream(path, { highWaterMark: ${READ_BYTES} }), format);`;
const MOST_MEMORY = 1.5;

async function measureMemory(folder: string): Promise<string[]> {
  const missed: string[] = [];
  const make = { csv: makeCsvFile, json: makeJsonFile };
  const module = await stripModule(folder);
  for (const [name, bytes] of [
    ["1 MiB", 1_048_576],
    ["10 MiB", 10_485_760],
  ] as const) {
    for (const format of ["csv", "json"] as const) {
      const path = join(folder, `memory.${format}`);
      await writeFile(path, make[format](bytes));
      const streamed = await measurePeak(path, format, STREAM, null);
      const inspected = await measurePeak(path, format, INSPECT, module);
      const asWritten = await measurePeak(path, format, INSPECT, TYPED_MODULE);
      const ratio = (inspected / streamed).toFixed(2);
      const told = `peak memory, ${format} of ${name}: ${inspected} MB, streaming alone ${streamed} MB: ${ratio} (must ${MOST_MEMORY})`;
      console.log(`${told}; with Node stripping its types as it is loaded ${asWritten} MB`);
      if (inspected > streamed * MOST_MEMORY) missed.push(told);
    }
  }
  return missed;
}

const TYPED_MODULE = resolve(import.meta.dirname, "../../shared/tables/inspection/inspect.ts");

/**
 * The inspection module without its types: Node's own stripping takes some 40 MB once a process, whatever the file, and
 * what inspection itself needs could not be seen beside it. Both figures are printed; the target is that of inspection.
 */
async function stripModule(folder: string): Promise<string> {
  const source = resolve(import.meta.dirname, "../../shared/tables/inspection");
  for (const name of await readdir(source)) {
    const plain = stripTypeScriptTypes(await readFile(join(source, name), "utf8"));
    const renamed = plain.replace(/(from "\.\/[^"]+)\.ts"/g, '$1.mjs"');
    await writeFile(join(folder, name.replace(/\.ts$/, ".mjs")), renamed);
  }
  return join(folder, "inspect.mjs");
}

/**
 * Peak resident memory of a process that does this alone: the median of five, in MB. On Linux the peak that
 * getrusage tells begins with that of the process that forked it; VmHWM begins anew.
 */
async function measurePeak(
  path: string,
  format: string,
  work: string,
  module: string | null,
): Promise<number> {
  const script = `import { createReadStream, readFileSync } from "node:fs";
    ${module === null ? "" : `import { inspectFile } from ${JSON.stringify(module)};`}
    const [path, format] = ${JSON.stringify([path, format])}; let bytes = 0;
    ${work}
    console.log(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? process.resourceUsage().maxRSS);`;
  const peaks: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    peaks.push(Math.round(Number(stdout) / 1_024));
  }
  return medianOf(peaks);
}
