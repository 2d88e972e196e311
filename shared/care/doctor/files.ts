import { chmod, stat, statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import { eachMissingFile, eachOrphanFile } from "../../datasets/uploads/sweeps.ts";
import type { Deps } from "../../platform/deps.ts";
import { FOLDER_MODE } from "../../platform/files/disk.ts";
import { folderOfFiles } from "../../platform/files/files-url.ts";
import { listClosedPaths } from "./closed-paths.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const FREE_WARN_BYTES = 2 ** 30;
const FREE_FAIL_BYTES = 100 * 2 ** 20;
const NAMED = 5;

/** Whether the store can write, read and delete a file. */
export async function checkFileStore(deps: Deps): Promise<Finding[]> {
  const key = deps.newId();
  const written = Buffer.from(`written by doctor ${key}`);
  const read: Uint8Array[] = [];
  try {
    await deps.files.put(key, Readable.from([written]));
    for await (const chunk of deps.files.get(key)) read.push(chunk);
  } finally {
    await deps.files.delete(key);
  }
  const isSame = Buffer.concat(read).equals(written);
  if (isSame) return [ok("files.store", "A file was written, read back and deleted.")];
  return [fail("files.store", "A file came back with other bytes.", "Check the disk or the store.")];
}

/** Whether other users of the machine can look into the folder of the files; where they can, it is closed to them. */
export async function checkFolderMode({ config }: Deps): Promise<Finding[]> {
  const check = "files.mode";
  const folder = folderOfFiles(config.filesUrl);
  const mode = folder === null ? null : ((await stat(folder).catch(() => null))?.mode ?? null);
  if (folder === null || mode === null) return [ok(check, "No folder of this machine holds files.")];
  const found = `${folder} has the mode ${(mode & 0o777).toString(8)}`;
  if ((mode & 0o777 & ~FOLDER_MODE) === 0) return [ok(check, `${found}.`)];
  try {
    await chmod(folder, mode & FOLDER_MODE);
    return [ok(check, `${found}, which let other users in; it was closed to them.`)];
  } catch {
    return [warn(check, `${found}: other users can look into it.`, `As its owner: chmod 750 ${folder}`)];
  }
}

/** Whether the service can read and write its own files, which a command of root may have made. */
export async function checkOwners({ config }: Deps): Promise<Finding[]> {
  const check = "files.owner";
  const closed = await listClosedPaths(config);
  if (closed.length === 0) return [ok(check, "The service can read and write its files.")];
  const detail = `The service cannot read or write ${closed.slice(0, NAMED).join(", ")}: ${closed.length} in all.`;
  return [fail(check, detail, "Give them to the user of the service: chown -R USER: PATH.")];
}

/** Free space where files and the embedded database lie; a remote store is not checked. */
export async function checkFreeSpace({ config }: Deps): Promise<Finding[]> {
  const folder = folderOfFiles(config.filesUrl) ?? config.dataDir;
  const { bavail, bsize } = await statfs(folder).catch(() => statfs(config.dataDir));
  const free = bavail * bsize;
  const detail = `${Math.round(free / 2 ** 20)} MiB are free.`;
  const mend = "Make room, or move DATA_DIR to a larger disk.";
  if (free < FREE_FAIL_BYTES) return [fail("files.space", detail, mend)];
  return [free < FREE_WARN_BYTES ? warn("files.space", detail, mend) : ok("files.space", detail)];
}

/** Rows without their file, and files without a row. */
export async function checkOrphans(deps: Deps): Promise<Finding[]> {
  const missing = await count(eachMissingFile(deps));
  const orphans = await count(eachOrphanFile(deps));
  return [
    missing.count === 0
      ? ok("files.missing", "Every row has its file.")
      : fail(
          "files.missing",
          `${missing.count} rows have no file, such as ${missing.first.join(", ")}.`,
          "Check that FILES_URL is the right store; restore the files from a backup.",
        ),
    orphans.count === 0
      ? ok("files.orphans", "Every file has its row.")
      : warn(
          "files.orphans",
          `${orphans.count} files have no row, such as ${orphans.first.join(", ")}.`,
          "A process with the worker purge removes them within an hour; files gc --delete does so now.",
        ),
  ];
}

async function count(keys: AsyncIterable<string>): Promise<{ count: number; first: string[] }> {
  const found = { count: 0, first: [] as string[] };
  for await (const key of keys) {
    found.count++;
    if (found.first.length < NAMED) found.first.push(key);
  }
  return found;
}
