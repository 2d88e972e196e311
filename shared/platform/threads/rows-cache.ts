import { LRUCache } from "lru-cache";
import type { ReadingIndex } from "../../tables/inspection/reading-index.ts";
import type { CodedColumn, CodedTable } from "../../tables/questions/coded-table.ts";
import { createSharedCache, type Loans } from "./shared-cache.ts";

/** The files read last: their indexes, and up to a total of bytes the files and columns that questions have named. */
export type RowsCache = ReturnType<typeof createRowsCache>;

/** A table of a stored file. */
interface KeptTable {
  key: string;
  position: number | null;
  rowCount: number;
}

// A position in an index is two numbers in lists; an entry itself takes some memory too.
const BYTES_A_PLACE = 16;
const BYTES_AN_ENTRY = 1_024;
/** Of the cache: the index of a file takes a hundredth of it. */
const INDEX_SHARE = 1 / 16;
const LEAST_FILES = 4;

/** Creates an empty cache; with 0 bytes it caches nothing. */
export function createRowsCache(mostBytes: number) {
  const indexBytes = Math.ceil(mostBytes * INDEX_SHARE);
  const indexes =
    mostBytes === 0
      ? null
      : new LRUCache<string, ReadingIndex>({
          maxSize: indexBytes,
          sizeCalculation: countBytes,
        });
  const files = createSharedCache(mostBytes - indexBytes);
  const nameOf = ({ key, position }: KeptTable, column?: string) => JSON.stringify([key, position, column]);
  return {
    getIndex: (key: string) => indexes?.get(key),
    keepIndex: (key: string, index: ReadingIndex) => indexes?.set(key, index),
    /** Whole files by their keys, each with a line feed behind it. */
    files,
    lendCoded: (table: KeptTable, names: ReadonlySet<string>, loans: Loans): CodedTable | null => {
      const lend = (column?: string) => files.lend(nameOf(table, column), loans);
      const starts = lend() as Uint32Array | undefined;
      if (starts === undefined) return null;
      const columns = Array.from(names, lend).filter((column) => column !== undefined) as CodedColumn[];
      return { rowCount: table.rowCount, starts, columns };
    },
    keepCoded: (table: KeptTable, { starts, columns }: CodedTable) => {
      if (!files.has(nameOf(table))) files.keep(nameOf(table), starts);
      for (const column of columns) files.keep(nameOf(table, column.name), column);
    },
    hasRoomFor: (bytes: number) => LEAST_FILES * bytes <= mostBytes,
  };
}

function countBytes({ tables }: ReadingIndex): number {
  return tables.reduce((total, { rows }) => total + BYTES_A_PLACE * rows.length, BYTES_AN_ENTRY);
}
