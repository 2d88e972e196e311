import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MANIFEST, Manifest } from "./manifest.ts";

/** What was pruned of a folder of backups. */
export interface Pruned {
  /** Backups that are gone, the newest first. */
  removed: string[];
  /** Folders without a manifest: backups that did not end, or none. They stay. */
  incomplete: string[];
}

/** The name that a backup has while it is removed: half of one must not look whole. */
const REMOVING = /\.removing$/;

/**
 * Removes all backups beside the one that was just made but the newest, so that `keep` are left, by the times in their
 * manifests; it touches nothing else.
 */
export async function pruneBackups(made: string, keep: number): Promise<Pruned> {
  const folder = dirname(made);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const unfinished = names.filter((name) => REMOVING.test(name));
  for (const name of unfinished) await rm(join(folder, name), { recursive: true, force: true });
  const others = names.filter((name) => !unfinished.includes(name) && name !== basename(made));
  const found = await Promise.all(
    others.map(async (name) => ({ name, createdAt: await readTime(join(folder, name)) })),
  );
  const backups = found.flatMap(({ name, createdAt }) => (createdAt === null ? [] : [{ name, createdAt }]));
  const order = ({ createdAt, name }: { createdAt: string; name: string }) => `${createdAt} ${name}`;
  backups.sort((left, right) => (order(left) < order(right) ? 1 : -1));
  const removed = backups.slice(keep - 1).map(({ name }) => join(folder, name));
  for (const path of removed) {
    await rename(path, `${path}.removing`);
    await rm(`${path}.removing`, { recursive: true, force: true });
  }
  const incomplete = found
    .filter(({ createdAt }) => createdAt === null)
    .map(({ name }) => join(folder, name));
  return { removed, incomplete };
}

/** The time of a backup; null for a folder that holds no complete one. */
async function readTime(path: string): Promise<string | null> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(path, MANIFEST), "utf8"))).created_at;
  } catch {
    return null;
  }
}
