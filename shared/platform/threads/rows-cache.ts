import { LRUCache } from "lru-cache";
import type { ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { type CodedTable, countCodedBytes, mergeCoded } from "../../tables/questions/coded-table.ts";
import type { RowsFile } from "../../tables/rows/plan.ts";

/** The cached parts of a frequently read file. */
interface HotFile {
  index: ReadingIndex;
  /** The whole file and a line feed, in memory that threads share. */
  bytes: SharedArrayBuffer | null;
  /** Columns that questions have named, by the position of their table. */
  coded: ReadonlyMap<number | null, CodedTable>;
}

/** The files read last, up to a total of bytes. */
export interface RowsCache {
  get(key: string): HotFile | undefined;
  /** Caches more parts of a file; the parts cached before stay. */
  keep(key: string, more: Partial<HotFile>): void;
  /** Caches coded columns of one of its tables, up to twice the size of the file. */
  keepCoded(key: string, position: number | null, fresh: CodedTable): void;
  /** Whether a file is small enough to be kept beside others. */
  hasRoomFor(bytes: number): boolean;
  clear(): void;
}

// A column whose cells all differ has its text, a code a row, and ranks and units a value.
const CODED_SHARE = 2;
const LEAST_CODED_BYTES = 65_536;
// A position in an index is two numbers in lists; an entry itself takes some memory too.
const BYTES_A_PLACE = 16;
const BYTES_AN_ENTRY = 1_024;
const LEAST_FILES = 4;

/** Creates an empty cache; with 0 bytes it caches nothing. */
export function createRowsCache(mostBytes: number): RowsCache {
  const files =
    mostBytes === 0
      ? null
      : new LRUCache<string, HotFile>({ maxSize: mostBytes, sizeCalculation: countBytes });
  const keep = (key: string, more: Partial<HotFile>): void => {
    const known = files?.peek(key);
    const index = more.index ?? known?.index;
    if (index === undefined) return;
    const bytes = more.bytes ?? known?.bytes ?? null;
    const coded = more.coded ?? known?.coded ?? new Map();
    files?.set(key, { index, bytes, coded });
  };
  return {
    get: (key) => files?.get(key),
    keep,
    keepCoded: (key, position, fresh) => {
      const known = files?.peek(key);
      if (known?.bytes === null || known === undefined) return;
      const most = Math.max(CODED_SHARE * known.bytes.byteLength, LEAST_CODED_BYTES);
      // Tables of one file share its allowance: the last one queried takes it.
      keep(key, { coded: new Map([[position, mergeCoded(known.coded.get(position) ?? null, fresh, most)]]) });
    },
    hasRoomFor: (bytes) => LEAST_FILES * bytes <= mostBytes,
    clear: () => files?.clear(),
  };
}

function countBytes({ index, bytes, coded }: HotFile): number {
  let total = BYTES_AN_ENTRY + (bytes?.byteLength ?? 0);
  for (const table of index.tables) total += BYTES_A_PLACE * table.rows.length;
  for (const table of coded.values()) total += countCodedBytes(table);
  return total;
}

/**
 * The table reader's facts about the files queried last. An inspected file never changes, so the facts stay
 * true; each request checks whether it may be read.
 */
export type RowsFiles = LRUCache<string, RowsFile>;

// In characters of text: the parsed objects take a few times as much. A file of 10,000 columns has some
// 500,000.
const MOST_CHARACTERS = 8_388_608;

/** Creates an empty cache of table files. */
export function createRowsFiles(): RowsFiles {
  return new LRUCache({ maxSize: MOST_CHARACTERS });
}
