import { z } from "zod";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The manifest of a backup; it is written last, so a backup without one is incomplete. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256: Sha256 })),
  tables: z.array(
    z.strictObject({ name: z.string().regex(/^[a-z_]+$/), rows: z.int().min(0), sha256: Sha256 }),
  ),
  files: z.strictObject({ count: z.int().min(0), bytes: z.int().min(0), sha256: Sha256 }),
  /** Files that had a row but no bytes when they were copied. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** A file as a line of the file list. */
export const ListedFile = z.strictObject({
  id: z.string().regex(/^[0-9A-Z]{26}$/),
  bytes: z.int().min(0),
  sha256: Sha256,
});
export type ListedFile = z.infer<typeof ListedFile>;

export const MANIFEST = "manifest.json";
export const FILE_LIST = "files.ndjson";
export const FILES = "files";

/** The file that holds a table's rows in a backup: one JSON string per line. */
export function tablePath(table: string): string {
  return `tables/${table}.ndjson`;
}
