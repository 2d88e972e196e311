import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");
/** The commit of version 0.4.0. */
const COMMIT = "5cc757e34562b2ec373d225ef568550af92ecaf8";

/** The code of the version before, in a folder of its own. */
export interface VersionBefore {
  folder: string;
  remove(): Promise<void>;
}

/** Takes version 0.4.0 out of Git; null, said loudly, where the history does not have it. */
export async function takeVersionBefore(): Promise<VersionBefore | null> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-before-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, "code.tar");
    await run("git", ["archive", "--output", archive, COMMIT], { cwd: ROOT });
    await run("tar", ["-xf", archive, "-C", folder]);
  } catch {
    await remove();
    console.warn(`LEFT OUT: ${COMMIT} is not in the Git history here, so nothing was upgraded from 0.4.0.`);
    return null;
  }
  await provideModules(folder);
  return { folder, remove };
}

/** Ours, as long as they are all that it needs; else its own, from the registry. */
async function provideModules(folder: string): Promise<void> {
  const [needed, ours] = await Promise.all([folder, ROOT].map(readDependencies));
  const isSame = Object.entries(needed ?? {}).every(([name, version]) => ours?.[name] === version);
  if (isSame) await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  else await run("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], { cwd: folder });
}

async function readDependencies(folder: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")).dependencies;
}
