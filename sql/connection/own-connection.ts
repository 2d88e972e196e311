import pg from "pg";

/**
 * Runs work on one connection of its own, and ends it. A connection that breaks between two statements fails the next
 * one; without a listener it would end the process.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
