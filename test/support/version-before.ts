import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");

/** The code of the version before, in a folder of its own. */
export interface VersionBefore {
  folder: string;
  /** What it is: a tag, or the commit before the newest migrations. */
  name: string;
  remove(): Promise<void>;
}

/**
 * Takes the version before out of Git: the last tag before this commit, and without tags the newest commit that lacks
 * a migration and whose own ones all stand unchanged. Null, said loudly, where there is no history.
 */
export async function takeVersionBefore(): Promise<VersionBefore | null> {
  const name =
    (await git("describe", "--tags", "--abbrev=0", "HEAD^")) ?? (await commitBefore("sql/migrations"));
  if (name === null) {
    console.warn("LEFT OUT: there is no Git history here, so nothing was upgraded from the version before.");
    return null;
  }
  return await takeCommit(name);
}

/** Takes the code from before a file was added; null, said loudly, where there is no history. */
export async function takeCommitBefore(file: string): Promise<VersionBefore | null> {
  const name = await commitBefore(file);
  if (name !== null) return await takeCommit(name);
  console.warn(
    `LEFT OUT: there is no history of ${file} here, so nothing was compared with the code before it.`,
  );
  return null;
}

async function takeCommit(name: string): Promise<VersionBefore> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-before-"));
  await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", name, folder], { cwd: ROOT });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return { folder, name, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * The commit that stood on the main line before a newest one that brought a file of this path, merges included, and whose
 * own files of this path all stand unchanged: what was changed before it landed ran nowhere.
 */
async function commitBefore(path: string): Promise<string | null> {
  const newest = ["log", "--first-parent", "-m", "--diff-filter=A", "--format=%H^"];
  const commits = ((await git(...newest, "--", path)) ?? "").split("\n").filter((commit) => commit !== "");
  for (const commit of commits) {
    const changed = ["diff", "--no-renames", "--diff-filter=MD", "--name-only", commit, "HEAD"];
    if ((await git(...changed, "--", path)) === "") return await git("rev-parse", commit);
  }
  return null;
}

async function git(...args: string[]): Promise<string | null> {
  return await run("git", args, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
