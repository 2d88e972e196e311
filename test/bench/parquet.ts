import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeParquet } from "../../shared/tables/parquet/write-parquet.ts";
import { listWrittenTables } from "../../shared/tables/parquet/written-tables.ts";
import { prepareFile } from "../shared/tables/rows/reading.ts";
import { makeCsvFile } from "./data-files.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";

const ROUNDS = 11;
const OURS = "ours";
const PEER = "DuckDB COPY";
const TIME_TARGET = { ours: OURS, peer: PEER, most: 3 };
const SIZE_TARGET = 1.5;

/** Measures a CSV of 10 MiB on its way to Parquet; gives the targets that were missed. */
export async function run(): Promise<string[]> {
  printSurroundings({
    node: process.version,
    "hyparquet-writer": versionOf("hyparquet-writer"),
    "@duckdb/node-api": versionOf("@duckdb/node-api"),
  });
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const source = join(folder, "data.csv");
    await writeFile(source, makeCsvFile());
    const [ours, theirs] = [join(folder, "ours.parquet"), join(folder, "theirs.parquet")];
    const write = await openOurs(source, ours);
    const duckdb = await openPeer("DuckDB", () => openDuckdb(source, theirs));
    const times = await race(
      present([{ name: OURS, run: write }, duckdb && { name: PEER, run: duckdb.copy }]),
      ROUNDS,
      "processor",
    );
    duckdb?.close();
    const title = "a CSV of 10 MiB from the disk to Parquet on the disk, time of the processor";
    const missed = printRace(title, times, [TIME_TARGET]);
    return duckdb === null ? missed : [...missed, ...(await compareSizes(ours, theirs))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openOurs(source: string, target: string): Promise<() => Promise<void>> {
  const { file, index, content } = await prepareFile(await readFile(source), "csv");
  const firstRowAt = index?.tables[0]?.offsets[0] ?? 0;
  const [table] = listWrittenTables(file, content.length);
  if (table === undefined) throw new Error("the bench has no table");
  return async () => {
    const bytes = Buffer.concat([await readFile(source), Buffer.from("\n")]);
    const pieces = [...writeParquet(bytes, "csv", { ...table, firstRowAt }, "ab".repeat(32))];
    await writeFile(target, Buffer.concat(pieces));
  };
}

async function openDuckdb(source: string, target: string) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const statement = `COPY (SELECT * FROM read_csv('${source}')) TO '${target}' (FORMAT parquet)`;
  return {
    copy: () => connection.run(statement),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function compareSizes(ours: string, theirs: string): Promise<string[]> {
  const [own, other] = [(await stat(ours)).size, (await stat(theirs)).size];
  const ratio = own / other;
  console.log(`${own} bytes beside ${other}: ${ratio.toFixed(2)} (must ${SIZE_TARGET})`);
  return ratio <= SIZE_TARGET ? [] : [`Parquet takes ${ratio.toFixed(2)} times the bytes of ${PEER}`];
}
