import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../../cli/embedded/database.ts";

/** Every file below a folder but those of PostgreSQL itself. */
export async function readFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes("postgres"));
  return await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
}

/** Every table there is, the job engine's too. */
export async function readDatabase(databaseUrl: string): Promise<string[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')",
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...table.rows.map(({ row }) => row));
    }
    return texts;
  });
}
