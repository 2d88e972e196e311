import type pg from "pg";
import { withConnection } from "../connection/own-connection.ts";
import { madeFiles } from "../datasets/canonical-files.ts";

const ROWS_AT_ONCE = 50;
/** Archives can be requested again: a backup has neither their files nor their rows. */
const LEFT_OUT = ["schema_migrations", "owner_exports"];

/** One snapshot of a database, read table by table. */
export interface Snapshot {
  migrations: { name: string; sha256: string }[];
  tables: string[];
  /** A table's rows in PostgreSQL's own text form, exact for every type, a few at a time. */
  rows(table: string): AsyncIterable<string[]>;
  /** Files whose bytes had to be in the store at the time of the snapshot. */
  files(): AsyncIterable<{ id: string; bytes: number; sha256: string }[]>;
}

/** Reads one snapshot of the database, whatever is written meanwhile; job queues are left out. */
export async function readSnapshot<T>(
  databaseUrl: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return await withConnection(databaseUrl, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const migrations = await client.query<{ name: string; sha256: string }>(
      "SELECT name, sha256 FROM schema_migrations ORDER BY name",
    );
    return await work({
      migrations: migrations.rows,
      tables: await listTables(client),
      rows: (table) => fetchRows(client, `SELECT t::text AS row FROM ${client.escapeIdentifier(table)} t`),
      files: () => fetchFiles(client),
    });
  });
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL($1) ORDER BY 1",
    [LEFT_OUT],
  );
  return rows.map(({ name }) => name);
}

async function* fetchRows(client: pg.Client, statement: string): AsyncIterable<string[]> {
  for await (const rows of fetch<{ row: string }>(client, statement)) yield rows.map(({ row }) => row);
}

async function* fetchFiles(client: pg.Client) {
  // A database of before has no canonical files.
  const { rows } = await client.query("SELECT 1 WHERE to_regclass('canonical_files') IS NOT NULL");
  const made = rows.length > 0 ? madeFiles.sql : "SELECT * FROM parquet_files";
  yield* fetch<{ id: string; bytes: number; sha256: string }>(
    client,
    `SELECT id, bytes::float8 AS bytes, content_sha256 AS sha256 FROM assets WHERE file_deleted_at IS NULL
     UNION ALL
     SELECT p.file_id, p.bytes::float8, p.content_sha256 FROM (${made}) p
       JOIN assets s ON s.id = p.asset_id WHERE s.file_deleted_at IS NULL ORDER BY id`,
  );
}

async function* fetch<Row extends pg.QueryResultRow>(client: pg.Client, statement: string) {
  await client.query(`DECLARE walk NO SCROLL CURSOR FOR ${statement}`);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${ROWS_AT_ONCE} FROM walk`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query("CLOSE walk");
}

/** Whether a migrated database holds only the rows of its migrations. */
export async function isUntouched(databaseUrl: string): Promise<boolean> {
  return await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM owners UNION ALL SELECT 1 FROM audit_log UNION ALL SELECT 1 FROM assets LIMIT 1",
    );
    return rows.length === 0;
  });
}

/**
 * Fills the tables of an untouched database, all or nothing; `beforeCommit` runs after the last row. Foreign
 * keys are checked at the end, since tables refer to each other in circles.
 */
export async function fillTables(
  databaseUrl: string,
  tables: readonly { name: string; rows: AsyncIterable<string[]> }[],
  beforeCommit: (client: pg.Client) => Promise<void>,
): Promise<void> {
  return await withConnection(databaseUrl, async (client) => {
    await client.query("BEGIN");
    const references = await dropReferences(client);
    const names = tables.map(({ name }) => client.escapeIdentifier(name));
    for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    for (const name of names) await emptyTable(client, name);
    for (const table of tables) await fillTable(client, table.name, table.rows);
    // A check deferred to the commit would prevent changes to its table.
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    for (const statement of references) await client.query(statement);
    await advanceCounters(client);
    await beforeCommit(client);
    await client.query("COMMIT");
  });
}

/**
 * Empties a table, as the backup has the rows that migrations added; the audit log is empty and refuses
 * deletion.
 */
async function emptyTable(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
  if (rows.length > 0) await client.query(`DELETE FROM ${name}`);
}

/** Drops every foreign key; returns the statements that restore them. */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
  );
}

async function fillTable(client: pg.Client, table: string, batches: AsyncIterable<string[]>): Promise<void> {
  const name = client.escapeIdentifier(table);
  for await (const batch of batches) {
    // OFFSET 0: each row is read once, not once per column.
    await client.query(
      `INSERT INTO ${name} OVERRIDING SYSTEM VALUE
       SELECT (r).* FROM (SELECT CAST(u AS ${name}) AS r FROM unnest($1::text[]) u OFFSET 0) s`,
      [batch],
    );
  }
}

/** Advances the sequences past the numbers in use. */
async function advanceCounters(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    "SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'",
  );
  for (const { table, column } of rows) {
    const name = client.escapeIdentifier(table);
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), greatest(max(${client.escapeIdentifier(column)}), 1), max(${client.escapeIdentifier(column)}) IS NOT NULL) FROM ${name}`,
      [name, column],
    );
  }
  // Watches, mutes and events keep numbers of the outbox, which is mostly empty; a backup of 0.4.0 has no mutes.
  const { rows: mutes } = await client.query("SELECT 1 WHERE to_regclass('muted_agents') IS NOT NULL");
  const until = (table: string) => `(SELECT max(greatest(since, until)) FROM ${table})`;
  const kept = ["watches", ...(mutes.length > 0 ? ["muted_agents"] : [])].map(until).join(", ");
  await client.query(`
    SELECT setval(pg_get_serial_sequence('event_outbox', 'id'), greatest(1, (SELECT max(id) FROM event_outbox),
      ${kept}, (SELECT max(outbox_id) FROM events)))`);
}
