import type { IdleGate } from "../concurrency/idle-gate.ts";
import type { Background } from "./background.ts";
import { isOverrun, runBounded } from "./pool.ts";
import type { ParquetTask, WrittenParquet } from "./tasks.ts";

/** Writes Parquet files behind the upload of their tables. */
export interface ParquetWriting {
  /** Stores tables as Parquet files, those that a reader asked for at once; null over their time or memory. */
  write(task: ParquetTask, isAsked: boolean): Promise<WrittenParquet[] | null>;
}

/** Opens the writing, which waits for the idle gate unless a reader asked. */
export function openParquetWriting(
  { pool, inOrder, timeoutMs }: Background,
  idleGate: IdleGate,
): ParquetWriting {
  return {
    write: (task, isAsked) =>
      inOrder(async () => {
        if (!isAsked) await idleGate.wait();
        const name = "writeStoredParquet";
        const written = await runBounded<WrittenParquet[]>(pool, { name, task }, timeoutMs);
        return isOverrun(written) ? null : written;
      }),
  };
}
