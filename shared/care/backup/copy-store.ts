import { isFileKept } from "../../../sql/care/stored-files.ts";
import { eachKeptFile, type KeptFile } from "../../datasets/uploads/sweeps.ts";
import { measureAll } from "../../ground/checksum.ts";
import { Refusal, refuseField } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { explainFilesUrl } from "../../platform/files/files-url.ts";
import { openFileStore } from "../../platform/files/open.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "../../platform/files/store.ts";
import { copyFile, type ListedFile } from "./manifest.ts";

/** How a copy of a store stands. */
export interface CopyProgress {
  copied: number;
  /** Files that were there already. */
  present: number;
  bytes: number;
  /** Files whose bytes are missing or are not what their row says. */
  wrong: number;
}

/** How to copy a store. */
export interface CopyOptions {
  /** Whether a file that is there already is right where its size is, without reading it. */
  bySize: boolean;
  report: (progress: CopyProgress, wrong: string | null) => void;
}

/**
 * Copies every file that has a row into another store and compares its hash; goes on where an earlier copy ended, and
 * until no further file has come meanwhile. Throws 422 on `to` for an address that is none, or is that of the service.
 */
export async function copyStore(deps: Deps, toUrl: string, options: CopyOptions): Promise<CopyProgress> {
  const broken = explainFilesUrl(toUrl);
  if (broken !== null) throw refuseField("to", `--to cannot be used: ${broken}.`);
  if (toUrl === deps.config.filesUrl)
    throw refuseField("to", "--to is the store that the service uses: name another one.");
  const to = openFileStore(toUrl);
  await refuseStore(to);
  const progress: CopyProgress = { copied: 0, present: 0, bytes: 0, wrong: 0 };
  const seen = new Set<string>();
  let before = -1;
  // Files that came while the others were copied may have any place in the order.
  while (before !== seen.size) {
    before = seen.size;
    for await (const file of eachKeptFile(deps)) {
      if (seen.has(file.id)) continue;
      seen.add(file.id);
      const outcome = await copyOne(deps, to, file, options.bySize);
      if (outcome === "gone") continue;
      progress[outcome]++;
      if (outcome === "copied") progress.bytes += file.bytes;
      options.report(progress, outcome === "wrong" ? file.id : null);
    }
  }
  return progress;
}

/** A bucket that is missing or away is told before the first file is read; one that lets nobody list may still be written. */
async function refuseStore(to: FileStore): Promise<void> {
  try {
    for await (const _ of to.list()) break;
  } catch (error) {
    const isAway = error instanceof FileStoreUnavailable;
    if (!isAway && !(error instanceof Error && error.name === "NoSuchBucket")) return;
    const why = isAway ? "does not answer" : "has no such bucket";
    throw refuseField("to", `The store of --to ${why}: correct the address, or make the bucket.`);
  }
}

async function copyOne(
  deps: Deps,
  to: FileStore,
  file: KeptFile,
  bySize: boolean,
): Promise<"copied" | "present" | "wrong" | "gone"> {
  return (await isThere(to, file, bySize)) ? "present" : await copyKept(deps, to, file);
}

/** Copies a file that has a row; "gone" where it was deleted meanwhile. */
export async function copyKept(
  deps: Deps,
  to: FileStore,
  file: ListedFile,
): Promise<"copied" | "wrong" | "gone"> {
  try {
    await copyFile(deps.files, to, file);
    return "copied";
  } catch (error) {
    // A bucket or a disk that fails ends the copy; a file that is not what its row says does not.
    if (!(error instanceof FileMissing) && !(error instanceof Refusal)) throw error;
    return (await isFileKept(deps.pool, file.id)) ? "wrong" : "gone";
  }
}

async function isThere(to: FileStore, file: KeptFile, bySize: boolean): Promise<boolean> {
  if ((await to.size(file.id)) !== file.bytes) return false;
  if (bySize) return true;
  return (await measureAll(to.scan(file.id))).sha256 === file.sha256;
}
