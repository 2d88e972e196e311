import { lstat, readFile, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { refuseToRun } from "../refusal.ts";

/** A package of npm holds no links: it lists them, and its install script makes them, which npm may leave out. */
const LIST = "pg-symlinks.json";

/** Makes the links between PostgreSQL's libraries that are missing in a folder; refuses where it may not write there. */
export async function linkLibraries(shipped: string, folder: string): Promise<void> {
  for (const { source, target } of await readLinks(shipped)) {
    const path = join(folder, "lib", basename(target));
    if ((await lstat(path).catch(() => null)) !== null) continue;
    try {
      await symlink(basename(source), path);
    } catch (error) {
      // Another start made it meanwhile.
      if ((await lstat(path).catch(() => null)) !== null) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw refuseToRun(
        `PostgreSQL's libraries in ${join(folder, "lib")} lack links that npm's install scripts make, and this user ` +
          `cannot make them (${reason}). As the owner of that folder run: npm rebuild. Or set DATABASE_URL.`,
      );
    }
  }
}

async function readLinks(shipped: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(shipped, LIST), "utf8").catch(() => "[]");
  return JSON.parse(text);
}
