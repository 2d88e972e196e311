import type { Background } from "./background.ts";
import { isOverrun, runBounded } from "./pool.ts";
import type { ParquetTask, WrittenParquet } from "./tasks.ts";

/** Writes Parquet files behind the upload of their tables. */
export interface ParquetWriting {
  /** Stores tables as Parquet files; null over their time or memory. */
  writeParquet(task: ParquetTask): Promise<WrittenParquet[] | null>;
}

/** Opens the writing, which takes turns with the statistics. */
export function openParquetWriting({ pool, inOrder, timeoutMs }: Background): ParquetWriting {
  return {
    writeParquet: (task) =>
      inOrder(async () => {
        const name = "writeStoredParquet";
        const written = await runBounded<WrittenParquet[]>(pool, { name, task }, timeoutMs);
        return isOverrun(written) ? null : written;
      }),
  };
}
