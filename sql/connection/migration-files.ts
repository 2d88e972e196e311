import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "migrations");

/**
 * Whether the version before works on a database with this migration: with `expand` it does, with `contract` it does
 * not, so that one runs when no process of that version is left.
 */
export type MigrationKind = "expand" | "contract";

/** A migration of this code. */
export interface Migration {
  name: string;
  text: string;
  sha256: string;
  kind: MigrationKind;
}

const KIND_LINE = /^-- (expand|contract)\b/;

/** The names of this code's migrations, in their order. */
export async function listMigrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
}

/** This code's migrations with their texts, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  return await Promise.all(
    (await listMigrationNames()).map(async (name) => {
      const text = await readFile(join(FOLDER, name), "utf8");
      const sha256 = createHash("sha256").update(text).digest("hex");
      return { name, text, sha256, kind: readKind(name, text) };
    }),
  );
}

/** The kind of a migration, from the first line of its file; throws where that line does not say it. */
export function readKind(name: string, text: string): MigrationKind {
  const said = KIND_LINE.exec(text)?.[1];
  if (said === "expand" || said === "contract") return said;
  throw new Error(`${name} does not say its kind: begin its first line with -- expand or -- contract`);
}
