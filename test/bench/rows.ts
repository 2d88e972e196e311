import { strictEqual } from "node:assert";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { ulid } from "ulid";
import { openFileStore } from "../../shared/platform/files/open.ts";
import { openThreads } from "../../shared/platform/threads/open.ts";
import { inspectFile } from "../../shared/tables/inspection/inspect.ts";
import { decodeIndex } from "../../shared/tables/inspection/reading-index.ts";
import { readPage, writeRowsAnswer } from "../../shared/tables/rows/page.ts";
import { planRows, type RowsFile, type RowsPlan } from "../../shared/tables/rows/plan.ts";
import { parseRowsQuery, type RowsQuery } from "../../shared/tables/rows/query.ts";
import { cutWindows } from "../../shared/tables/rows/windows.ts";
import { READER } from "../shared/tables/rows/reading.ts";
import { makeCsvFile } from "./data-files.ts";
import { openPeer, present } from "./peers.ts";
import { printRace, type RatioTarget, race } from "./race.ts";
import { printSurroundings, versionOf } from "./report.ts";
import { CONDITION, DUCKDB, openDuckdb, openSqlite, type Peer, type Row, SQLITE } from "./rows-peers.ts";

const ROUNDS = 101;
const LIMITS = { rowsPerCall: 500, rowsResponseBytes: 1_000_000, jsonTableBytes: 5_000_000 };
const OFFSET = 50_000;
const WINDOW_BYTES = 4_194_304;
const MATCHES = `filter[0][column]=price&filter[0][op]=gte&filter[0][value]=${CONDITION.atLeast}&filter[1][column]=note&filter[1][op]=contains&filter[1][value]=River`;

/** Measures the rows reader against its peers; gives the targets that were missed. */
export async function run(): Promise<string[]> {
  printSurroundings({
    node: process.version,
    "node:sqlite": process.versions.sqlite ?? "none",
    "@duckdb/node-api": versionOf("@duckdb/node-api"),
  });
  for (const [peer, statements] of Object.entries({ "node:sqlite": SQLITE, DuckDB: DUCKDB })) {
    for (const statement of Object.values(statements)) console.log(`${peer}: ${statement}`);
  }
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-bench-"));
  try {
    const path = join(folder, "data.csv");
    await writeFile(path, makeCsvFile());
    return await raceAll(folder, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function raceAll(folder: string, path: string): Promise<string[]> {
  const ours = await openOurs(path);
  const sqlite = openSqlite(await readRecords(path));
  const duckdb = await openPeer("DuckDB", () => openDuckdb(path));
  await expectEqualAnswers(ours, present([sqlite, duckdb]));
  const raceFor = (title: string, ask: (peer: Peer) => unknown, targets: RatioTarget[]) =>
    race(
      present([
        { name: OURS, run: () => ask(ours) },
        { name: "node:sqlite", run: () => ask(sqlite) },
        duckdb && { name: "DuckDB in memory", run: () => ask(duckdb) },
      ]),
      ROUNDS,
    ).then((times) => printRace(title, times, targets));
  const missed = [
    ...(await raceFor(`page of 100 at offset ${OFFSET}, warm`, (peer) => peer.page(OFFSET), PAGE)),
    ...(await raceFor("last page of 100, warm", (peer) => peer.lastPage(), PAGE)),
    ...(await raceFor(
      "price >= 500 and note contains River, with matched, warm",
      (peer) => peer.matches(),
      MATCH,
    )),
    ...(await raceOffsets(ours)),
  ];
  await raceService(folder, path, ours);
  sqlite.close();
  duckdb?.close();
  return missed;
}

const OURS = "ours";
const PAGE = [
  { ours: OURS, peer: "node:sqlite", most: 1.2 },
  { ours: OURS, peer: "DuckDB in memory", most: 0.1 },
];
const MATCH = [
  { ours: OURS, peer: "node:sqlite", most: 0.8 },
  { ours: OURS, peer: "DuckDB in memory", most: 0.5 },
  { ours: OURS, peer: "node:sqlite", most: 0.5, isReach: true },
  { ours: OURS, peer: "DuckDB in memory", most: 0.35, isReach: true },
];

interface Ours extends Peer {
  file: RowsFile;
  index: Uint8Array;
}

async function openOurs(path: string): Promise<Ours> {
  const bytes = await readFile(path);
  const verdict = await inspectFile(createReadStream(path), "csv");
  if (!verdict.ok || verdict.inspection?.kind !== "table" || verdict.readingIndex === null)
    throw new Error("no table");
  const file: RowsFile = { format: "csv", inspection: verdict.inspection, tables: [], bytes: bytes.length };
  const table = decodeIndex(verdict.readingIndex)?.tables[0];
  if (table === undefined) throw new Error("no index");
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length + 1));
  shared.set(bytes);
  shared[bytes.length] = 0x0a;
  // A plan is to us what a prepared statement is to the peers; a page asks for it once.
  const plans = new Map<string, RowsPlan>();
  const planOf = (query: string): RowsPlan => {
    const plan = plans.get(query) ?? planFor(file, query);
    plans.set(query, plan);
    return plan;
  };
  const ask = async (query: string): Promise<string> => {
    const plan = planOf(query);
    const windows = cutWindows(plan, table, WINDOW_BYTES);
    const page = await readPage(plan, windows, ({ start }) => ({ bytes: shared, start }));
    const answer = writeRowsAnswer(plan, page);
    if (!answer.ok) throw new Error(answer.message);
    return Buffer.from(answer.json).toString();
  };
  return {
    file,
    index: verdict.readingIndex,
    page: (offset) => ask(`offset=${offset}`),
    lastPage: () => ask("from=end"),
    matches: () => ask(MATCHES),
    close: () => {},
  };
}

function planFor(file: RowsFile, query: string): RowsPlan {
  const plan = planRows(file, parse(query), LIMITS);
  if (!plan.ok) throw new Error(plan.message);
  return plan;
}

function parse(query: string): RowsQuery {
  const parsed = parseRowsQuery(new URLSearchParams(query), LIMITS);
  if (!parsed.ok) throw new Error("the bench asks wrongly");
  return parsed.query;
}

async function readRecords(path: string): Promise<Row[]> {
  const text = await readFile(path, "utf8");
  const records = Papa.parse<string[]>(text.trimEnd(), { delimiter: ",", newline: "\n" }).data.slice(1);
  return records.map((record) => record.map((cell) => (cell === "" ? null : cell)));
}

async function expectEqualAnswers(ours: Peer, peers: readonly Peer[]): Promise<void> {
  const rowsOf = (json: unknown): string => JSON.stringify(JSON.parse(String(json)).rows);
  const matches = JSON.parse(String(await ours.matches()));
  for (const peer of peers) {
    strictEqual(rowsOf(await ours.page(OFFSET)), await peer.page(OFFSET));
    strictEqual(rowsOf(await ours.lastPage()), await peer.lastPage());
    strictEqual(`${matches.matched} ${JSON.stringify(matches.rows)}`, await peer.matches());
  }
}

async function raceOffsets(ours: Peer): Promise<string[]> {
  const times = await race(
    [0, 50_000, 128_000].map((offset) => ({ name: `offset ${offset}`, run: () => ours.page(offset) })),
    ROUNDS,
  );
  return printRace("ours, by offset", times, []);
}

/** The same through pool and cache of a process: what a request waits for beside its database query. */
async function raceService(folder: string, path: string, ours: Ours): Promise<void> {
  const filesUrl = `file:${join(folder, "files")}`;
  const threads = openThreads({
    filesUrl,
    maxThreads: 2,
    inspectTimeoutMs: 20_000,
    rowsTimeoutMs: 10_000,
    memoryMb: 256,
  });
  try {
    const key = ulid();
    await openFileStore(filesUrl).put(key, createReadStream(path));
    const ask = (query: string) =>
      threads.readRows({
        ...{ requester: READER, key, file: ours.file, query: parse(query), limits: LIMITS },
        loadIndex: async () => ours.index,
      });
    const times = await race(
      [
        { name: "page", run: () => ask(`offset=${OFFSET}`) },
        { name: "conditions", run: () => ask(MATCHES) },
      ],
      ROUNDS,
    );
    printRace("ours, through cache and threads, warm", times, []);
  } finally {
    await threads.close();
  }
}
