import type { Client } from "pg";
import { BASELINE } from "../../sql/connection/baseline.ts";
import FILES from "./migrations-of-0.4.0.json" with { type: "json" };

/** The names of the 61 migrations of version 0.4.0 with their SHA-256, as that version notes them in a database. */
export const MIGRATIONS_OF_0_4_0: readonly { name: string; sha256: string }[] = Object.entries(FILES).map(
  ([name, sha256]) => ({ name, sha256 }),
);

/** Gives a database the migrations that 0.4.0 notes, in place of the baseline and what came after it. */
export async function noteVersion040(client: Client): Promise<void> {
  await client.query("DELETE FROM schema_migrations WHERE name >= $1", [BASELINE]);
  for (const { name, sha256 } of MIGRATIONS_OF_0_4_0) {
    const kind = name === "0009_search_words.sql" ? "contract" : "expand";
    await client.query("INSERT INTO schema_migrations (name, sha256, kind) VALUES ($1, $2, $3)", [
      ...[name, sha256, kind],
    ]);
  }
}
