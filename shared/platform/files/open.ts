import { openDiskStore } from "./disk.ts";
import { folderOfFiles } from "./files-url.ts";
import { openS3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";

/** Opens the store that FILES_URL names: `file:FOLDER` or `s3://BUCKET`. */
export function openFileStore(filesUrl: string): FileStore {
  const folder = folderOfFiles(filesUrl);
  if (folder !== null) return openDiskStore(folder);
  if (filesUrl.startsWith("s3://")) return openS3Store(filesUrl);
  throw new Error("FILES_URL must start with file: (a folder of this machine) or s3:// (a bucket)");
}
