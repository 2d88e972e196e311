import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Every upload has a folder of its own below the system's temporary one, which goes with it. */
const PREFIX = "broadsheet-spool-";

/** A source that was written to a temporary file. */
export interface Spooled {
  path: string;
  bytes: number;
  /** Base64, as the header has it: the store refuses bytes that differ. */
  md5: string;
}

/** Writes a source to a temporary file for as long as `use` needs it. */
export async function withSpooledFile(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  use: (file: Spooled) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, PREFIX));
  const path = join(own, "upload");
  try {
    const hash = createHash("md5");
    let bytes = 0;
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    await use({ path, bytes, md5: hash.digest("base64") });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** A process that was killed in the middle of an upload leaves its folder behind. */
export async function discardSpooled(folder: string, beforeMs: number): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null || found.mtimeMs >= beforeMs) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    count++;
  }
  return count;
}
