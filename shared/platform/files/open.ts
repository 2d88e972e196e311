import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openDiskStore } from "./disk.ts";
import { openS3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";

/**
 * Opens the store that FILES_URL names: `file:FOLDER` (absolute, or relative to the working folder) or
 * `s3://BUCKET`.
 */
export function openFileStore(filesUrl: string): FileStore {
  if (filesUrl.startsWith("file://")) return openDiskStore(fileURLToPath(filesUrl));
  if (filesUrl.startsWith("file:")) return openDiskStore(resolve(filesUrl.slice("file:".length)));
  if (filesUrl.startsWith("s3://")) return openS3Store(filesUrl);
  throw new Error("FILES_URL must start with file: (a folder of this machine) or s3:// (a bucket)");
}
