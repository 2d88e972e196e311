import { chmod, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { refuseToRun } from "../refusal.ts";
import { findClosedFolder, findPostgresAccount } from "./account.ts";

/** Under root, PostgreSQL's own user can pass through the folder, but nobody can list or read it. */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

/**
 * Makes an empty data folder, for a demonstration or a test, where PostgreSQL can reach it: in the folder that is wanted,
 * unless PostgreSQL's user cannot enter that.
 */
export async function makeTemporaryDataFolder(prefix: string, wanted = tmpdir()): Promise<string> {
  const account = await findPostgresAccount();
  for (const parent of new Set([wanted, tmpdir(), "/tmp", "/var/tmp"])) {
    if (account !== null && (await findClosedFolder(account, parent)) !== null) continue;
    const folder = await mkdtemp(join(await realpath(parent), prefix));
    await chmod(folder, MODE);
    return folder;
  }
  throw refuseToRun("PostgreSQL's user can enter no temporary folder: set TMPDIR to one with mode 1777.");
}

/** Makes the data folder when it is missing and returns its real path. */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  try {
    const first = await mkdir(dataDir, { recursive: true });
    const folder = await realpath(dataDir);
    if (first !== undefined) await setModes(await realpath(first), folder, MODE);
    return folder;
  } catch {
    throw refuseToRun(
      `The data folder ${dataDir} cannot be made: correct DATA_DIR, or make the folder yourself.`,
    );
  }
}

/** Sets the mode of folders that we just made; a strict umask would close them to PostgreSQL's user. */
async function setModes(first: string, last: string, mode: number): Promise<void> {
  for (let at = last; ; at = dirname(at)) {
    await chmod(at, mode);
    if (at === first) return;
  }
}
