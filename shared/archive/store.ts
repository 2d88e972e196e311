import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import { openArchive } from "./archive.ts";
import { writeContents } from "./contents.ts";
import { openZip } from "./zip.ts";

/**
 * Writes an owner's archive into the file store under a key, as a stream: whole, or not at all. `goOn` is asked with
 * every piece that is written, and stops the work by throwing.
 */
export async function storeArchive(
  deps: Deps,
  ownerId: string,
  fileId: string,
  goOn: () => Promise<void>,
): Promise<{ bytes: number; sha256: string }> {
  const zip = openZip(new Date(deps.now()));
  const writing = writeContents(deps, ownerId, openArchive(zip)).then(zip.end, zip.fail);
  const hash = createHash("sha256");
  let bytes = 0;
  async function* watch() {
    for await (const chunk of zip.output) {
      await goOn();
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await deps.files.put(fileId, watch());
  } catch (error) {
    zip.fail(error);
    throw error;
  } finally {
    // It holds a connection until it is over.
    await writing;
  }
  return { bytes, sha256: hash.digest("hex") };
}
