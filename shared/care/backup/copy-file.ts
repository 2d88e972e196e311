import { createHash } from "node:crypto";
import { validationFailed } from "../../ground/errors.ts";
import type { FileStore } from "../../platform/files/store.ts";
import type { ListedFile } from "./manifest.ts";

/** Copies a file from store to store and verifies it; throws where it differs from its list entry. */
export async function copyFile(from: FileStore, to: FileStore, file: ListedFile): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* watch(): AsyncIterable<Uint8Array> {
    for await (const chunk of from.get(file.id)) {
      bytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
    if (bytes !== file.bytes || hash.digest("hex") !== file.sha256) {
      throw validationFailed({ files: [`The file ${file.id} is not what its row says: run files verify.`] });
    }
  }
  await to.put(file.id, watch());
}
