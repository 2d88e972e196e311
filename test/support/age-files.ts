import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Makes stored files look older: the sweep leaves young ones alone, since an upload may be on its way. */
export async function ageFiles(folder: string, hours: number): Promise<void> {
  const then = Date.now() / 1000 - hours * 3600;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
  }
}
