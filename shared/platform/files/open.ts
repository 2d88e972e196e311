import { waitWithoutPlace } from "../concurrency/places.ts";
import { openDiskStore } from "./disk.ts";
import { folderOfFiles } from "./files-url.ts";
import { openS3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";

/** Opens the store that FILES_URL names: `file:FOLDER` or `s3://BUCKET`. A request holds no place while it waits for it. */
export function openFileStore(filesUrl: string): FileStore {
  const store = openStore(filesUrl);
  return {
    ...store,
    put: (key, source) => waitWithoutPlace(() => store.put(key, source)),
    get: (key, range) => passPieces(store.get(key, range)),
    scan: (key, range, options) => passPieces(store.scan(key, range, options)),
    size: (key) => waitWithoutPlace(() => store.size(key)),
    delete: (key) => waitWithoutPlace(() => store.delete(key)),
  };
}

function openStore(filesUrl: string): FileStore {
  const folder = folderOfFiles(filesUrl);
  if (folder !== null) return openDiskStore(folder);
  if (filesUrl.startsWith("s3://")) return openS3Store(filesUrl);
  throw new Error("FILES_URL must start with file: (a folder of this machine) or s3:// (a bucket)");
}

async function* passPieces<Piece>(source: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await waitWithoutPlace(() => pieces.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}
