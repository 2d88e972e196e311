import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import fastify from "fastify";
import Papa from "papaparse";
import { COLUMNS } from "../support/data-files.ts";
import { openPeer } from "./peers.ts";

// node table-peers.ts CSV: questions about a table, answered over HTTP by the SQLite of Node and by DuckDB, both in memory:
// /sqlite/page?n=50000 and so on; / names those that are on this machine. Each has what makes it quick: the price as a
// number, the note in small letters. Their sums are those of doubles, where the service's are exact.
const [path = ""] = process.argv.slice(2);
const NAMES = COLUMNS.map((name) => `"${name}"`).join(", ");
const QUESTIONS = ["page", "matches", "count", "group", "sort"] as const;
type Texts = Record<(typeof QUESTIONS)[number], string>;

function textsOf(contains: string, first: number): Texts {
  const where = `price_number >= ? AND ${contains}(note_folded, 'river')`;
  return {
    page: `SELECT ${NAMES} FROM t WHERE rowid - ${first} >= ? ORDER BY rowid LIMIT 100`,
    matches: `SELECT ${NAMES} FROM t WHERE ${where} ORDER BY rowid LIMIT 100`,
    count: `SELECT count(*) FROM t WHERE ${where}`,
    group: "SELECT city, count(*), sum(price_number) FROM t WHERE price_number >= ? GROUP BY city",
    sort: `SELECT ${NAMES} FROM t ORDER BY price_number IS NULL, price_number, rowid LIMIT 100 OFFSET ?`,
  };
}

type Ask = (text: string, n: number) => Promise<unknown[][]>;

async function openDuckdb(): Promise<Ask> {
  // It brings a program of its own for each platform, and has none for some.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(
    `CREATE TABLE t AS SELECT *, CAST(price AS DOUBLE) AS price_number, lower(note) AS note_folded
     FROM read_csv('${path}', all_varchar = true, header = true, parallel = false)`,
  );
  const prepared = new Map<string, Awaited<ReturnType<typeof connection.prepare>>>();
  return async (text, n) => {
    const statement = prepared.get(text) ?? (await connection.prepare(text));
    prepared.set(text, statement);
    statement.bindInteger(1, n);
    return (await statement.runAndReadAll()).getRowsJson();
  };
}

async function openSqlite(): Promise<Ask> {
  const text = (await readFile(path, "utf8")).trimEnd();
  const records = Papa.parse<string[]>(text, { delimiter: ",", newline: "\n" }).data.slice(1);
  const database = new DatabaseSync(":memory:");
  const columns = COLUMNS.map((name) => `"${name}" TEXT`).join(", ");
  database.exec(`CREATE TABLE t (${columns}, price_number REAL, note_folded TEXT); BEGIN`);
  const insert = database.prepare(`INSERT INTO t VALUES (${"?, ".repeat(COLUMNS.length)}?, ?)`);
  for (const record of records) {
    const row = record.map((cell) => (cell === "" ? null : cell));
    const [price, note] = [row[COLUMNS.indexOf("price")], row[COLUMNS.indexOf("note")]];
    insert.run(...row, price == null ? null : Number(price), note?.toLowerCase() ?? null);
  }
  database.exec("COMMIT");
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  return async (asked, n) => {
    const statement = prepared.get(asked) ?? database.prepare(asked);
    prepared.set(asked, statement);
    statement.setReturnArrays(true);
    return statement.all(n) as unknown as unknown[][];
  };
}

const app = fastify();
const names: string[] = [];
for (const [name, title, open, texts] of [
  ["sqlite", "node:sqlite", openSqlite, textsOf("instr", 1)],
  ["duckdb", "DuckDB", openDuckdb, textsOf("contains", 0)],
] as const) {
  const ask = await openPeer(title, open);
  if (ask === null) continue;
  names.push(name);
  for (const question of QUESTIONS) {
    app.get<{ Querystring: { n: string } }>(`/${name}/${question}`, async ({ query: { n } }) => {
      const rows = await ask(texts[question], Number(n));
      if (question !== "matches") return { rows };
      return { rows, matched: Number((await ask(texts.count, Number(n)))[0]?.[0]) };
    });
  }
}
app.get("/", async () => names);
const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ msg: "listening", port: Number(new URL(address).port) }));
