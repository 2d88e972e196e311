import { chmod, chown, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { refuseToRun } from "../refusal.ts";
import { type Account, findClosedFolder, findPostgresAccount, findServiceAccount } from "./account.ts";

/** Under root, PostgreSQL's own user can pass through the folder, but nobody can list or read it. */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700;
/** macOS takes 103 bytes as the path of a socket, Linux 107; the name of ours has 14. */
const LONGEST_SOCKET_FOLDER_BYTES = 89;

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

/**
 * Makes the folder of PostgreSQL's socket, in the data folder if its path is short enough. The account of PostgreSQL alone
 * can put a socket there, so that nobody else listens in its place after a crash; that of the service may connect.
 */
export async function makeSocketFolder(dataDir: string, account: Account | null): Promise<string> {
  let folder = join(dataDir, "postgres.socket");
  if (Buffer.byteLength(folder) > LONGEST_SOCKET_FOLDER_BYTES) {
    folder = await makeTemporaryDataFolder("broadsheet-socket-");
  } else {
    // With what a crash left: PostgreSQL does not start where the number in a socket's lock is another process now.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
  }
  if (account !== null) {
    await chown(folder, account.uid, (await findServiceAccount())?.gid ?? account.gid);
    await chmod(folder, 0o710);
  }
  return folder;
}

/** Sets the mode of folders that we just made; a strict umask would close them to PostgreSQL's user. */
async function setModes(first: string, last: string, mode: number): Promise<void> {
  for (let at = last; ; at = dirname(at)) {
    await chmod(at, mode);
    if (at === first) return;
  }
}
