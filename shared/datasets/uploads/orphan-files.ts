import { createHash } from "node:crypto";
import { isFileKept, listKeptFiles, listKnownFiles } from "../../../sql/care/stored-files.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";

const AT_ONCE = 500;
/** Bytes are stored before their row: younger files may still get one. */
const YOUNG_MS = HOUR_MS + MINUTE_MS;

/** A file of a row. */
export interface KeptFile {
  id: string;
  bytes: number;
  sha256: string;
}

/** A stored file that differs from its row. */
export interface WrongFile {
  asset_id: string;
  fault: "missing" | "size" | "hash";
  detail: string;
}

/** Every file that has a row, a few hundred in memory at a time. */
export async function* eachKeptFile(deps: Deps): AsyncIterable<KeptFile> {
  let after = "";
  for (;;) {
    const files = await listKeptFiles(deps.pool, after, AT_ONCE);
    yield* files;
    after = files.at(-1)?.id ?? "";
    if (files.length < AT_ONCE) return;
  }
}

/** Rows whose bytes are not in the store. */
export async function* eachMissingFile(deps: Deps): AsyncIterable<string> {
  for await (const { id } of eachKeptFile(deps)) {
    if ((await deps.files.size(id)) === null && (await isFileKept(deps.pool, id))) yield id;
  }
}

/** Stored files that have no row, except those young enough to get one. */
export async function* eachOrphanFile(deps: Deps): AsyncIterable<string> {
  // File times are the machine's own, whatever clock the service is tested with.
  const beforeMs = Date.now() - YOUNG_MS;
  let batch: string[] = [];
  for await (const { key, writtenAtMs } of deps.files.list()) {
    if (writtenAtMs < beforeMs) batch.push(key);
    if (batch.length < AT_ONCE) continue;
    yield* await findUnknown(deps, batch);
    batch = [];
  }
  yield* await findUnknown(deps, batch);
}

async function findUnknown(deps: Deps, keys: readonly string[]): Promise<string[]> {
  const known = new Map((await listKnownFiles(deps.pool, keys)).map((row) => [row.id, row.deleted]));
  return keys.filter((key) => known.get(key) !== false);
}

/** The counts so far. */
export interface Progress {
  checked: number;
  bytes: number;
  wrong: number;
}

/** Reads every stored file once, in chunks, and compares it with its row; calls `report` after each file. */
export async function verifyFiles(
  deps: Deps,
  report: (progress: Progress, wrong: WrongFile | null) => void,
): Promise<Progress> {
  const progress = { checked: 0, bytes: 0, wrong: 0 };
  for await (const file of eachKeptFile(deps)) {
    const { wrong, bytes } = await verifyFile(deps, file);
    // A file that was deleted during its check is not wrong.
    const isWrong = wrong !== null && (await isFileKept(deps.pool, file.id));
    progress.checked++;
    progress.bytes += bytes;
    if (isWrong) progress.wrong++;
    report(progress, isWrong ? wrong : null);
  }
  return progress;
}

async function verifyFile(deps: Deps, file: KeptFile): Promise<{ wrong: WrongFile | null; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const fault = (fault: WrongFile["fault"], detail: string) => ({
    wrong: { asset_id: file.id, fault, detail },
    bytes,
  });
  try {
    for await (const chunk of deps.files.get(file.id)) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  } catch (error) {
    if (error instanceof FileMissing) return fault("missing", "There is a row, but no such file.");
    throw error;
  }
  if (bytes !== file.bytes) return fault("size", `It has ${bytes} bytes, its row says ${file.bytes}.`);
  const found = hash.digest("hex");
  if (found !== file.sha256) return fault("hash", `Its sha256 is ${found}, its row says ${file.sha256}.`);
  return { wrong: null, bytes };
}
