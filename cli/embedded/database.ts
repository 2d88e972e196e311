import type pg from "pg";
import { withConnection } from "../../sql/connection/own-connection.ts";
import { addressOf, type Credentials } from "./credentials.ts";

const CONNECT_WITHIN_MS = 3000;
const EXTENSIONS = ["unaccent", "pg_trgm", "pgcrypto"];

/** Whether the database answers a query now. */
export async function canConnect(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query("SELECT 1"));
    return true;
  } catch {
    return false;
  }
}

/** Runs work on one connection of its own, which the server lets in within three seconds. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return await withConnection(url, work, { connectWithinMs: CONNECT_WITHIN_MS });
}

/** Whether a schema of the service was ever made in this database. */
export async function hasSchema(url: string): Promise<boolean> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ made: boolean }>(
      "SELECT to_regclass('schema_migrations') IS NOT NULL AS made",
    );
    return rows[0]?.made === true;
  });
}

/** Makes the role and the database of the service, and the extensions only a superuser may make; safe to repeat. */
export async function prepareDatabase(credentials: Credentials, socketFolder: string): Promise<void> {
  await withClient(addressOf(credentials, "postgres", socketFolder, "postgres"), async (client) => {
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = 'broadsheet'");
    if (role.rowCount === 0) await client.query("CREATE ROLE broadsheet LOGIN");
    const password = client.escapeLiteral(credentials.broadsheet);
    await client.query(`ALTER ROLE broadsheet NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${password}`);
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = 'broadsheet'");
    if (database.rowCount === 0) await client.query("CREATE DATABASE broadsheet OWNER broadsheet");
    await client.query("REVOKE CONNECT ON DATABASE broadsheet FROM PUBLIC");
  });
  await withClient(addressOf(credentials, "postgres", socketFolder, "broadsheet"), makeExtensions);
}

/** Makes the extensions that this PostgreSQL brings, in the database of the client. */
export async function makeExtensions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM pg_available_extensions WHERE name = ANY ($1) AND installed_version IS NULL",
    [EXTENSIONS],
  );
  for (const { name } of rows)
    await client.query(`CREATE EXTENSION IF NOT EXISTS ${client.escapeIdentifier(name)}`);
}
