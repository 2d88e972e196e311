import { FileRefused } from "../inspection/verdict.ts";
import type { Dialect } from "./dialect.ts";
import { decodeBlocks, nameEncoding, UTF_8 } from "./encodings.ts";
import {
  endTable,
  type FollowedTable,
  followRecords,
  refuseRaggedRows,
  type TableHooks,
} from "./follow-table.ts";
import { endSplitter, refuseNext, splitBytes } from "./split-records.ts";
import { type SplitRules, startSplitter } from "./split-state.ts";

/** Opens a file from its first byte; more than once, one time behind the other. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

/** Reads the table of a file by its dialect, and stops behind each block of it. Throws `FileRefused` or `DialectRefused`. */
export async function* readTable(
  open: OpenFile,
  table: FollowedTable,
  hooks: TableHooks,
): AsyncGenerator<void> {
  const { dialect } = table;
  const splitter = startSplitter(findRules(dialect), followRecords(table, hooks));
  try {
    for await (const { bytes, fault } of decodeBlocks(open(), findEncoding(dialect))) {
      splitBytes(splitter, bytes);
      if (fault !== null) throw refuseNext(splitter, fault);
      yield;
    }
    endSplitter(splitter);
  } catch (error) {
    // A row that stands before another fault of the file is told first.
    if (error instanceof FileRefused && table.ragged.length > 0) throw refuseRaggedRows(table);
    throw error;
  }
  endTable(table, splitter.lastFilledRow);
  yield;
}

/** The name of a dialect's encoding. */
export function findEncoding({ encoding = UTF_8 }: Dialect): string {
  return nameEncoding(encoding) ?? UTF_8;
}

/** What splits a file by a dialect. */
export function findRules(dialect: Dialect): SplitRules {
  const { delimiter = ",", quoteChar = '"', escapeChar, commentChar, lineTerminator } = dialect;
  const escaper = quoteChar === null ? -1 : codeOf(escapeChar);
  return {
    delimiter: codeOf(delimiter),
    quote: codeOf(quoteChar),
    escaper,
    comment: codeOf(commentChar),
    isDoubled: escaper < 0 && dialect.doubleQuote !== false,
    endsByCr: lineTerminator === "\r",
    skipsBlanks: dialect.skipInitialSpace === true,
  };
}

function codeOf(character: string | null | undefined): number {
  return character ? character.charCodeAt(0) : -1;
}
