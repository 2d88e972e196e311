import pg from "pg";

/**
 * Runs work on one connection of its own, and ends it. A connection that breaks between two statements fails the next
 * one; without a listener it would end the process. Where `connectWithinMs` is given, a server that does not let the
 * connection in by then is an error; without it the server is waited for.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  { connectWithinMs }: { connectWithinMs?: number } = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectWithinMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
