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
  const name = (await git("describe", "--tags", "--abbrev=0", "HEAD^")) ?? (await commitBeforeMigrations());
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

/** The commit that stood on the main line before the newest one that brought a file of this path, merges included. */
async function commitBefore(path: string): Promise<string | null> {
  const found = await git(
    ...["log", "-1", "--first-parent", "-m", "--diff-filter=A", "--format=%H"],
    ...["--", path],
  );
  return found === null || found === "" ? null : await git("rev-parse", `${found}^`);
}

/** The newest commit of the main line that lacks a migration and has none that was changed since, as before it landed. */
async function commitBeforeMigrations(): Promise<string | null> {
  const path = ["--", "sql/migrations"];
  const found = await git("log", "--first-parent", "-m", "--diff-filter=A", "--format=%H", ...path);
  const commits = (found ?? "").split("\n").filter((line) => line !== "");
  for (const commit of commits) {
    const changed = ["diff", "--no-renames", "--diff-filter=MD", "--name-only", `${commit}^`, "HEAD"];
    const others = await git(...changed, ...path);
    if (others === "") return await git("rev-parse", `${commit}^`);
  }
  return null;
}

async function git(...args: string[]): Promise<string | null> {
  return await run("git", args, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
