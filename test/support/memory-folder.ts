import { statfs } from "node:fs/promises";

const FOLDER = "/dev/shm";
/** The type of a file system in memory, as Linux numbers it. */
const TMPFS = 0x01021994;
/** Three clusters of a run hold some hundred MiB each; what is smaller than this, as in a container, may fill up. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** A folder whose files live in memory, which has room for the databases of a test run; null where there is none. */
export async function findMemoryFolder(): Promise<string | null> {
  const found = await statfs(FOLDER).catch(() => null);
  if (found?.type !== TMPFS) return null;
  const room = Math.min(found.bavail * found.bsize, process.availableMemory());
  return room < ROOM_BYTES ? null : FOLDER;
}
