import { lchown, mkdir, stat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";

/** Gives what root made to the owner of the folder that it stands in: what root writes, the service has to read. */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  // A link that somebody put in its place leads nowhere else.
  if (uid !== 0) await lchown(path, uid, gid);
}

/** Makes a folder and those above it that are missing, each with the owner of the one that it stands in. */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  await giveToFolderOwner(first);
  let at = first;
  for (const name of relative(first, folder).split(sep).filter(Boolean)) {
    at = `${at}${sep}${name}`;
    await giveToFolderOwner(at);
  }
}
