import type { FileFormat } from "../inspection/verdict.ts";

/** A whole file and a line feed, and where the rows of a table begin in it. */
export interface TableBytes {
  bytes: Buffer;
  format: FileFormat;
  firstRowAt: number;
  /** Keeps an author from making a file whose cells all fall into one slot. */
  seed: number;
}
