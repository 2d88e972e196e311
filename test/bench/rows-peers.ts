import { DatabaseSync } from "node:sqlite";
import { COLUMNS } from "./data-files.ts";

/** One row as the readers give it: text or null. */
export type Row = (string | null)[];

/** A reader of the two questions: a page, and a page of what meets two conditions, with the exact count. */
export interface Peer {
  page(offset: number): unknown;
  lastPage(): unknown;
  matches(): unknown;
  close(): void;
}

export interface Answer {
  rows: Row[];
  matched: number;
}

const NAMES = COLUMNS.map((name) => `"${name}"`).join(", ");

// The peers get what makes them quick: the price as a number beside the text, the note in small letters.
export const CONDITION = { atLeast: 500, contains: "river" };

export const SQLITE = {
  page: `SELECT ${NAMES} FROM t WHERE rowid > ? ORDER BY rowid LIMIT 100`,
  lastPage: `SELECT ${NAMES} FROM t ORDER BY rowid DESC LIMIT 100`,
  count: "SELECT count(*) FROM t WHERE price_number >= 500 AND instr(note_folded, 'river') > 0",
  rows: `SELECT ${NAMES} FROM t WHERE price_number >= 500 AND instr(note_folded, 'river') > 0 ORDER BY rowid LIMIT 100`,
};

/** The table in the SQLite that Node brings, in memory. */
export function openSqlite(rows: readonly Row[]): Peer {
  const database = new DatabaseSync(":memory:");
  const columns = COLUMNS.map((name) => `"${name}" TEXT`).join(", ");
  database.exec(`CREATE TABLE t (${columns}, price_number REAL, note_folded TEXT)`);
  const insert = database.prepare(`INSERT INTO t VALUES (${"?, ".repeat(COLUMNS.length)}?, ?)`);
  database.exec("BEGIN");
  for (const row of rows) insert.run(...row, ...extrasOf(row));
  database.exec("COMMIT");
  const prepare = (text: string) => {
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    return statement;
  };
  const page = prepare(SQLITE.page);
  const lastPage = prepare(SQLITE.lastPage);
  const count = prepare(SQLITE.count);
  const found = prepare(SQLITE.rows);
  return {
    page: (offset) => JSON.stringify(page.all(offset)),
    lastPage: () => JSON.stringify(lastPage.all()),
    matches: () => `${count.all()} ${JSON.stringify(found.all())}`,
    close: () => database.close(),
  };
}

function extrasOf(row: Row): [price: number | null, note: string | null] {
  const price = row[COLUMNS.indexOf("price")] ?? null;
  return [price === null ? null : Number(price), row[COLUMNS.indexOf("note")]?.toLowerCase() ?? null];
}

export const DUCKDB = {
  page: `SELECT ${NAMES} FROM t WHERE rowid >= $1 ORDER BY rowid LIMIT 100`,
  lastPage: `SELECT ${NAMES} FROM t ORDER BY rowid DESC LIMIT 100`,
  count: "SELECT count(*) FROM t WHERE price_number >= 500 AND contains(note_folded, 'river')",
  rows: `SELECT ${NAMES} FROM t WHERE price_number >= 500 AND contains(note_folded, 'river') ORDER BY rowid LIMIT 100`,
};

/** The table in DuckDB, in memory, loaded from the file as text. */
export async function openDuckdb(path: string): Promise<Peer> {
  // It brings a program of its own for each platform, and has none for some.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(
    `CREATE TABLE t AS SELECT *, CAST(price AS DOUBLE) AS price_number, lower(note) AS note_folded
     FROM read_csv('${path}', all_varchar = true, header = true, parallel = false)`,
  );
  const page = await connection.prepare(DUCKDB.page);
  const statements = await Promise.all(
    [DUCKDB.lastPage, DUCKDB.count, DUCKDB.rows].map((text) => connection.prepare(text)),
  );
  const [lastPage, count, found] = statements;
  if (lastPage === undefined || count === undefined || found === undefined) throw new Error("not prepared");
  const rowsOf = async (statement: typeof page) =>
    JSON.stringify((await statement.runAndReadAll()).getRows());
  return {
    page: async (offset) => {
      page.bindInteger(1, offset);
      return await rowsOf(page);
    },
    lastPage: () => rowsOf(lastPage),
    matches: async () => `${(await count.runAndReadAll()).getRows()[0]?.[0]} ${await rowsOf(found)}`,
    close: () => connection.closeSync(),
  };
}
