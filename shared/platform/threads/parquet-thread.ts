import { createHash } from "node:crypto";
import { decodeIndex } from "../../tables/inspection/reading-index.ts";
import { writeParquet } from "../../tables/parquet/write-parquet.ts";
import { buildIndex, collectBytes, findIndexedTable } from "../../tables/rows/read.ts";
import { openStoreOnce, runOnStoredFile } from "./stored-file.ts";
import type { ParquetTask, ThreadAnswer, WrittenParquet } from "./tasks.ts";

/** Stores tables of a stored file as Parquet files, inside a thread; a file is there once it is whole. */
export function writeStoredParquet(task: ParquetTask): Promise<ThreadAnswer<WrittenParquet[]>> {
  const { key, file, readingIndex, sourceSha256, tables } = task;
  return runOnStoredFile(key, async (source) => {
    const stored = readingIndex === null ? null : decodeIndex(readingIndex);
    const index = stored ?? (await buildIndex(source(), file.format));
    const bytes = await collectBytes(source(), Buffer.alloc(file.bytes + 1));
    const written: WrittenParquet[] = [];
    for (const { number, fileId, position, columns, rowCount } of tables) {
      const firstRowAt = findIndexedTable(index, { position }).offsets[0] ?? 0;
      const pieces = writeParquet(bytes, file.format, { columns, rowCount, firstRowAt }, sourceSha256);
      written.push({ table: number, fileId, ...(await storePieces(fileId, pieces)) });
    }
    return written;
  });
}

async function storePieces(
  fileId: string,
  pieces: Iterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const watch = async function* () {
    for (const piece of pieces) {
      bytes += piece.length;
      hash.update(piece);
      yield piece;
    }
  };
  await openStoreOnce().put(fileId, watch());
  return { bytes, sha256: hash.digest("hex") };
}
