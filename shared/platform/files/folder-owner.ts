import { chown, stat } from "node:fs/promises";

/** Gives what root makes to the owner of a folder: a command run by root must not shut the service out. */
export async function giveToFolderOwner(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await chown(path, uid, gid);
}
