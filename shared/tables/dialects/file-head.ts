import { FileRefused, refuseWideTable } from "../inspection/verdict.ts";
import type { Dialect } from "./dialect.ts";
import { decodeBlocks, UTF_8 } from "./encodings.ts";
import { findRules, type OpenFile } from "./read-table.ts";
import { endSplitter, splitBytes } from "./split-records.ts";
import { startSplitter } from "./split-state.ts";

const SEPARATORS = [";", "\t", "|", ","] as const;
/** The bytes by which plans are found. */
export const HEAD_BYTES = 1_048_576;
/** The values of the first records are kept, about so many; of later ones the width is. */
const KEPT_VALUES = 100_000;
const MOST_RECORDS = 1_000_000;
const NO_VALUES: string[] = [];

/** The beginning of a file as UTF-8, and what its bytes say for any separator. */
export interface FileHead {
  bytes: Buffer;
  isWhole: boolean;
  implied: Pick<Dialect, "encoding" | "lineTerminator">;
}

/** Reads so many bytes of a file; bytes that are no character end it. */
export async function readHead(
  open: OpenFile,
  implied: FileHead["implied"],
  mostBytes: number,
): Promise<FileHead> {
  // What nothing is written to takes no memory.
  const room = Buffer.allocUnsafeSlow(mostBytes);
  let length = 0;
  let isCut = false;
  for await (const { bytes, fault } of decodeBlocks(open(), implied.encoding ?? UTF_8)) {
    const fitting = bytes.subarray(0, mostBytes - length);
    room.set(fitting, length);
    length += fitting.length;
    isCut = fault !== null || length === mostBytes;
    if (isCut) break;
  }
  return { bytes: room.subarray(0, length), isWhole: !isCut, implied };
}

/** The separators that a file may have, those that most likely are meant in place of a comma first. */
export function listSeparators({ bytes }: FileHead): string[] {
  return SEPARATORS.filter((separator) => bytes.includes(separator));
}

/** The records of the beginning of a file; a blank line has no value, and late records have blank ones. */
export type HeadRecords = readonly (readonly string[])[];

/** The beginning of a file as a separator splits it. */
export interface SplitHead {
  /** The records that are whole, up to a fault. */
  records: HeadRecords;
  /** Whether there is a fault, as where its quotes are not in order, or more than is looked at. */
  isBroken: boolean;
  /** The quote that closes a value and does not end it, with the characters before and behind it. */
  strayQuote: string | null;
}

/** Splits the beginning of a file by a dialect. */
export function splitHead(head: FileHead, dialect: Dialect): SplitHead {
  const records: string[][] = [];
  const ofWidth: string[][] = [];
  let record: string[] = [];
  let [kept, width] = [0, 0];
  let isKept = true;
  const add = (one: string[]) => {
    if (records.push(one) > MOST_RECORDS) throw new FileRefused("The file has many records.");
  };
  const splitter = startSplitter(findRules(dialect), {
    begins() {
      isKept = kept < KEPT_VALUES || records.at(-1)?.length === 0;
      record = [];
      width = 0;
      return false;
    },
    value(bytes, start, end) {
      refuseWideTable(++width, 0);
      if (isKept) record.push(bytes.toString("utf8", start, end));
    },
    ends() {
      kept += record.length;
      const blank = ofWidth[width] ?? new Array<string>(width).fill("");
      ofWidth[width] = blank;
      add(isKept ? record : blank);
    },
    leftOut: () => undefined,
    blankLines(_, count) {
      for (let blank = 0; blank < count; blank++) add(NO_VALUES);
    },
  });
  try {
    splitBytes(splitter, head.bytes);
    if (head.isWhole) endSplitter(splitter);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { records, isBroken: true, strayQuote: splitter.strayQuote };
  }
  return { records, isBroken: false, strayQuote: null };
}
