import { spawnSync } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE_MB = 16;

/** A place for stored files that can be full. */
export interface SmallDisk {
  kind: "a tmpfs of 16 MB" | "a store that answers ENOSPC";
  /** Where the files are. */
  folder: string;
  /** What processes of the service need in their environment. */
  env: NodeJS.ProcessEnv;
  fill(): Promise<void>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Mounts a small file system, or, where that is not allowed, has the processes' writes fail. */
export async function openSmallDisk(): Promise<SmallDisk> {
  const root = await mkdtemp(join(tmpdir(), "broadsheet-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${SIZE_MB}m,mode=1777`, "tmpfs", root];
  const isMounted = process.platform === "linux" && spawnSync("mount", options).status === 0;
  const filler = join(root, "filler");
  return {
    kind: isMounted ? "a tmpfs of 16 MB" : "a store that answers ENOSPC",
    folder: join(root, "files"),
    env: isMounted
      ? {}
      : { FULL_DISK_FLAG: filler, NODE_OPTIONS: `--import ${join(import.meta.dirname, "full-disk.ts")}` },
    fill: () => (isMounted ? fillUp(filler) : writeFile(filler, "")),
    empty: () => rm(filler, { force: true }),
    async close() {
      if (isMounted) spawnSync("umount", ["--lazy", root]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, "a");
  try {
    for (const bytes of [Buffer.alloc(1 << 20), Buffer.alloc(4096)]) {
      while (await hasRoomFor(file, bytes));
    }
  } finally {
    await file.close();
  }
}

async function hasRoomFor(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<boolean> {
  try {
    return (await file.write(bytes)).bytesWritten === bytes.length;
  } catch {
    return false;
  }
}
