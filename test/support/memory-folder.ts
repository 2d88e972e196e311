import { access, constants, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The type of a file system in memory, as Linux numbers it. */
const TMPFS = 0x01021994;
/** A run holds some hundred MiB at once; what is smaller than this, as in a container, may fill up. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory with room for the files of a test run, in which programs may run; else the folder for temporary
 * files. Tests make some hundred thousand files, and ext4 took a fifth of the time of those of real processes to find
 * each a place.
 */
export async function findScratchFolder(): Promise<string> {
  for (const folder of [tmpdir(), "/dev/shm"]) if (await isInMemory(folder)) return folder;
  return tmpdir();
}

async function isInMemory(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  if (found?.type !== TMPFS) return false;
  const room = Math.min(found.bavail * found.bsize, process.availableMemory());
  return room >= ROOM_BYTES && (await runsPrograms(folder));
}

/** Where programs may not run, Linux denies the execution of a file whatever its mode. */
async function runsPrograms(folder: string): Promise<boolean> {
  const own = await mkdtemp(join(folder, "broadsheet-tried-"));
  const program = join(own, "program");
  await writeFile(program, "", { mode: 0o700 });
  const runs = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  await rm(own, { recursive: true });
  return runs;
}
