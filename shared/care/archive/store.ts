import { createHash } from "node:crypto";
import type { Deps } from "../../platform/deps.ts";
import { openArchive } from "./archive.ts";
import { writeContents } from "./contents.ts";
import { openZip } from "./zip.ts";

/**
 * Streams an owner's archive into the file store under a key, completely or not at all. Each piece calls
 * `goOn`, which stops the work by throwing.
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
    // The write holds a connection until it ends.
    await writing;
  }
  return { bytes, sha256: hash.digest("hex") };
}
