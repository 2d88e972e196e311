import { queryDatabase } from "./cluster.ts";
import type { TestService } from "./service.ts";

const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;

/**
 * Where a word of lower-case letters stands in the service: each table with a row whose text, JSON, words or bytes hold
 * it, in any case, and each stored file.
 */
export async function findMarker(service: TestService, word: string): Promise<string[]> {
  const found: string[] = [];
  const hex = Buffer.from(word).toString("hex");
  for (const { name } of await queryDatabase<{ name: string }>(service.databaseUrl, TABLES)) {
    const rows = await queryDatabase<{ row: string }>(
      service.databaseUrl,
      `SELECT row FROM (SELECT lower(row_to_json(t)::text) AS row FROM ${name} t) AS rows
       WHERE position($1 IN row) > 0 OR position($2 IN row) > 0`,
      [word, hex],
    );
    found.push(...rows.map(({ row }) => `${name} ${row.slice(0, 200)}`));
  }
  for await (const { key } of service.deps.files.list()) {
    const parts: Uint8Array[] = [];
    for await (const part of service.deps.files.get(key)) parts.push(part);
    if (Buffer.concat(parts).toString("latin1").toLowerCase().includes(word)) found.push(`file ${key}`);
  }
  return found;
}
