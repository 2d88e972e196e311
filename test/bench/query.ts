import { strictEqual } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CodedTable, mergeCoded } from "../../shared/tables/questions/coded-table.ts";
import { answerQuery } from "../../shared/tables/questions/write-page.ts";
import { asJson, makeInput } from "../shared/tables/questions/asking.ts";
import { prepareFile } from "../shared/tables/rows/reading.ts";
import { makeCsvFile } from "./data-files.ts";
import { openPeer, present } from "./peers.ts";
import { measureQueryMemory } from "./query-memory.ts";
import { printRace, type RatioTarget, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";

const ROUNDS = 21;
const COLD_ROUNDS = 7;
const FILE = { assetId: "01M7WVM8W0T8NYB19BE1ATAT9N", contentSha256: "2cf2" };
const OURS = "ours";

const GROUPED = asJson({
  group: [{ column: "city" }],
  aggregate: [{ op: "count" }, { op: "sum", column: "price" }],
});
const SORTED = asJson({ sort: [{ column: "price" }] });

// The quickest cast of each peer: its sums are those of doubles, ours are exact.
const PRICE = "CAST(nullif(price, '') AS DOUBLE)";
const STATEMENTS = {
  texts: `SELECT city, count(*), sum(${PRICE}) FROM texts GROUP BY city`,
  typed: "SELECT city, count(*), sum(price) FROM typed GROUP BY city",
  file: (path: string) =>
    `SELECT city, count(*), sum(${PRICE}) FROM read_csv('${path}', all_varchar = true, header = true, parallel = false) GROUP BY city`,
  sqliteGroup: "SELECT city, count(*), sum(price) FROM t GROUP BY city",
  sqliteSort: "SELECT * FROM t ORDER BY price IS NULL, price, rowid LIMIT 100",
};

/** Measures questions with groups and sorting against their peers; gives the targets that were missed. */
export async function run(): Promise<string[]> {
  printSurroundings({
    node: process.version,
    "node:sqlite": process.versions.sqlite ?? "none",
    "@duckdb/node-api": versionOf("@duckdb/node-api"),
  });
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const path = join(folder, "data.csv");
    const content = makeCsvFile();
    await writeFile(path, content);
    return [...(await raceAll(path)), ...(await measureQueryMemory(Buffer.from(content)))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function raceAll(path: string): Promise<string[]> {
  const ours = await openOurs(path);
  const sqlite = openSqlite(ours.rows());
  const duckdb = await openPeer("DuckDB", () => openDuckdb(path));
  strictEqual(ours.group().groups, sqlite.group().length, "as many groups");
  const groups = await race(
    present([
      { name: OURS, run: ours.group },
      { name: "node:sqlite", run: sqlite.group },
      duckdb && { name: "DuckDB texts", run: duckdb.texts },
      duckdb && { name: "DuckDB typed", run: duckdb.typed },
    ]),
    ROUNDS,
  );
  const cold = await race(
    present([{ name: OURS, run: ours.cold }, duckdb && { name: "DuckDB read_csv", run: duckdb.file }]),
    COLD_ROUNDS,
  );
  const sorts = await race(
    [
      { name: OURS, run: ours.sort },
      { name: "node:sqlite", run: sqlite.sort },
    ],
    ROUNDS,
  );
  const missed = [
    ...printRace("group by text, sum of numbers, warm", groups, GROUP_TARGETS),
    ...printRace("the same on a file that nobody has asked", cold, COLD_TARGETS),
    ...printRace("sort by number, first 100, warm", sorts, SORT_TARGETS),
  ];
  sqlite.close();
  duckdb?.close();
  return missed;
}

const GROUP_TARGETS: RatioTarget[] = [
  { ours: OURS, peer: "DuckDB texts", most: 0.5 },
  { ours: OURS, peer: "DuckDB typed", most: 1.5 },
];
const COLD_TARGETS: RatioTarget[] = [{ ours: OURS, peer: "DuckDB read_csv", most: 1 }];
const SORT_TARGETS: RatioTarget[] = [{ ours: OURS, peer: "node:sqlite", most: 1 }];

async function openOurs(path: string) {
  const ready = await prepareFile(await readFile(path), "csv");
  const inputs = new Map<string, Awaited<ReturnType<typeof makeInput>>>();
  for (const query of [GROUPED, SORTED]) inputs.set(query, await makeInput(ready, query));
  let coded: CodedTable | null = null;
  const ask = (query: string, known: CodedTable | null) => {
    const made = inputs.get(query);
    if (!made?.ok) throw new Error("the bench asks wrongly");
    const answer = answerQuery({ ...made.input, coded: known }, FILE);
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  };
  const askWarm = (query: string) => {
    const answer = ask(query, coded);
    if (answer.added !== null) coded = mergeCoded(coded, answer.added);
    return JSON.parse(Buffer.from(answer.json).toString());
  };
  return {
    group: () => askWarm(GROUPED),
    sort: () => askWarm(SORTED),
    // As a question that comes first: the file is read from the disk, too.
    cold: async () => {
      await readFile(path);
      return ask(GROUPED, null);
    },
    rows: () => listCityAndPrice(ready.content.toString()),
  };
}

/** The cities and prices of the file, whose texts before them hold no quotes. */
function listCityAndPrice(text: string): [string | null, number | null][] {
  const rows = text.matchAll(/^\d+,\d{4}-\d\d-\d\d,([\d.]*),\d*,\w*,([^,\n]*),/gm);
  return Array.from(rows, ([, price, city]) => [city || null, price ? Number(price) : null]);
}

function openSqlite(rows: readonly [string | null, number | null][]) {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (city TEXT, price REAL)");
  const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
  database.exec("BEGIN");
  for (const row of rows) insert.run(...row);
  database.exec("COMMIT");
  const [group, sort] = [STATEMENTS.sqliteGroup, STATEMENTS.sqliteSort].map((text) => database.prepare(text));
  if (group === undefined || sort === undefined) throw new Error("not prepared");
  return { group: () => group.all(), sort: () => sort.all(), close: () => database.close() };
}

async function openDuckdb(path: string) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const csv = (more: string) => `read_csv('${path}', header = true, parallel = false${more})`;
  await connection.run(`CREATE TABLE texts AS SELECT * FROM ${csv(", all_varchar = true")}`);
  await connection.run(`CREATE TABLE typed AS SELECT * FROM ${csv("")}`);
  const read = async (text: string) => (await connection.runAndReadAll(text)).getRows();
  return {
    texts: () => read(STATEMENTS.texts),
    typed: () => read(STATEMENTS.typed),
    file: () => read(STATEMENTS.file(path)),
    close: () => connection.closeSync(),
  };
}
