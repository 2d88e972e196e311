import { access, constants, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../platform/config.ts";
import { folderOfFiles } from "../../platform/files/files-url.ts";

/**
 * What the service cannot read or write of its own files: keys, mail, stored files, the list of removals. Root can use
 * everything, so for root it is what belongs to root alone beside a service of another user.
 */
export async function listClosedPaths({ dataDir, removalsFile, filesUrl }: Config): Promise<string[]> {
  const files = folderOfFiles(filesUrl);
  const filled = [join(dataDir, "keys"), ...(files === null ? [] : [files])];
  const inside = filled.map(async (folder) =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name)),
  );
  const folders = [...filled, join(dataDir, "mail"), dirname(removalsFile), removalsFile];
  const paths = [...folders, ...(await Promise.all(inside)).flat()];
  if (process.getuid?.() === 0) return await listRootsOwn(dataDir, paths);
  const closed = await Promise.all(paths.map(isDenied));
  return paths.filter((_, at) => closed[at]);
}

async function isDenied(path: string): Promise<boolean> {
  // What is missing is made when it is needed; what a unit leaves read-only is no matter of owners.
  return await access(path, constants.R_OK | constants.W_OK).then(
    () => false,
    ({ code }) => code === "EACCES",
  );
}

async function listRootsOwn(dataDir: string, paths: readonly string[]): Promise<string[]> {
  const [own, ...found] = await Promise.all([dataDir, ...paths].map((path) => stat(path).catch(() => null)));
  const isOthers = [own, ...found].some((one) => one && one.uid !== 0);
  const isClosed = (at: number) => found[at]?.uid === 0 && (found[at].mode & 0o022) === 0;
  return isOthers ? paths.filter((_, at) => isClosed(at)) : [];
}
