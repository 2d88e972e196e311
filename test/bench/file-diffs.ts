import { strictEqual } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import daff from "daff";
import { compareReady } from "../shared/tables/differences/comparing.ts";
import { prepareFile } from "../shared/tables/rows/reading.ts";
import { COLUMNS, makeCsvFile } from "./data-files.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, type RatioTarget, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";

const ROUNDS = 5;
const OURS = "ours";
const TARGETS: RatioTarget[] = [
  { ours: OURS, peer: "daff", most: 0.2 },
  { ours: OURS, peer: "DuckDB", most: 1 },
];
/** Every hundredth row has another last cell. */
const CHANGED_EVERY = 100;

/** Measures the comparison of two files by key, the reading included, against its peers; gives missed targets. */
export async function run(): Promise<string[]> {
  printSurroundings({
    node: process.version,
    daff: versionOf("daff"),
    "@duckdb/node-api": versionOf("@duckdb/node-api"),
  });
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const paths = { base: join(folder, "base.csv"), head: join(folder, "head.csv") };
    const content = makeCsvFile();
    await writeFile(paths.base, content);
    await writeFile(paths.head, changeRows(content.toString()));
    return await raceAll(paths);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The file with another last cell in 1 % of its rows, which begin with their number. */
function changeRows(text: string): string {
  return text.replace(/^(\d+)(,\d{4}-\d\d-\d\d,(?:[^"\n]|"(?:[^"]|"")*")*)$/gm, (line, id: string) =>
    Number(id) % CHANGED_EVERY === 0 ? `${line}1` : line,
  );
}

async function raceAll(paths: { base: string; head: string }): Promise<string[]> {
  const ours = await openOurs(paths);
  const duckdb = await openPeer("DuckDB", () => openDuckdb(paths));
  const changed = await ours();
  if (duckdb !== null) strictEqual(await duckdb.run(), changed, "as many changed rows");
  console.log(`${changed} changed rows`);
  const times = await race(
    present([
      { name: OURS, run: ours },
      // It takes minutes: one round tells that it does.
      { name: "daff", run: () => runDaff(paths), rounds: 1 },
      duckdb && { name: "DuckDB", run: duckdb.run },
    ]),
    ROUNDS,
    "processor",
  );
  duckdb?.close();
  const title =
    "two files of 10 MiB, keyed, 1 % of the rows changed, read and compared, time of the processor";
  return printRace(title, times, TARGETS);
}

async function openOurs({ base, head }: { base: string; head: string }) {
  const [older, newer] = [
    await prepareFile(await readFile(base), "csv"),
    await prepareFile(await readFile(head), "csv"),
  ];
  return async () => {
    await Promise.all([readFile(base), readFile(head)]);
    const outcome = await compareReady(older, newer, { key: ["id"] });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.found.counts[2];
  };
}

async function runDaff({ base, head }: { base: string; head: string }): Promise<void> {
  const tables = [await readFile(base, "utf8"), await readFile(head, "utf8")].map((text) => {
    const table = new daff.TableView([]);
    new daff.Csv().parseTable(text, table);
    return table;
  });
  const flags = new daff.CompareFlags();
  flags.addPrimaryKey("id");
  const [one, other] = tables as [daff.TableView, daff.TableView];
  const alignment = daff.compareTables(one, other, flags).align();
  new daff.TableDiff(alignment, flags).hilite(new daff.TableView([]));
}

async function openDuckdb({ base, head }: { base: string; head: string }) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const read = (path: string) => `read_csv('${path}', all_varchar = true, header = true, parallel = false)`;
  const differs = COLUMNS.map((name) => `a."${name}" IS DISTINCT FROM b."${name}"`).join(" OR ");
  const statement = `SELECT count(*) FILTER (WHERE a.id IS NOT NULL AND b.id IS NOT NULL AND (${differs}))
    FROM ${read(base)} a FULL OUTER JOIN ${read(head)} b ON a.id = b.id`;
  return {
    run: async () => Number((await connection.runAndReadAll(statement)).getRows()[0]?.[0]),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
