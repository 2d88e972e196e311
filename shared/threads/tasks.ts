import type { FileFormat } from "../core/inspect/verdict.ts";
import type { RowsLimits, RowsQuery } from "../core/rows/query.ts";
import type { RowsFile } from "../core/rows/read.ts";

/** What every thread of the pool is started with. */
export interface ThreadData {
  filesUrl: string;
}

export interface InspectTask {
  key: string;
  format: FileFormat;
}

export interface RowsTask {
  key: string;
  file: RowsFile;
  query: RowsQuery;
  limits: RowsLimits;
}

/** A thread's answer; errors of its own classes would lose their class on the way back. */
export type ThreadAnswer<Result> = { found: true; result: Result } | { found: false };
