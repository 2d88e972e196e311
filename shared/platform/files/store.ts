/**
 * The port to stored bytes: one object per key (an asset's ULID), on a local disk or in a store that machines
 * share.
 */
export interface FileStore {
  /**
   * Stores the complete source durably under the key before it resolves; a failed or cut source leaves
   * nothing.
   */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Streams an object's bytes, or those of a range (both ends included). Throws `FileMissing` for a missing
   * object.
   */
  get(key: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /**
   * Streams the same bytes for one pass: a piece is valid only until the next one, because its memory is
   * reused. Where the store reads a file itself, `pieceBytes` bounds a piece, and `into` is memory that it reads the pieces
   * into, one behind the other, until it is full.
   */
  scan(
    key: string,
    range?: { start: number; end: number },
    options?: { pieceBytes: number } | { into: Uint8Array },
  ): AsyncIterable<Uint8Array>;
  /** Size in bytes, or null for a missing object. */
  size(key: string): Promise<number | null>;
  /** Removes an object; removing a missing one is no error. */
  delete(key: string): Promise<void>;
  /** All keys with the time of their last write (epoch milliseconds), unfinished writes excluded. */
  list(): AsyncIterable<{ key: string; writtenAtMs: number }>;
  /** Removes abandoned writes that were last touched before a time; returns the count. */
  discardUnfinished(beforeMs: number): Promise<number>;
}

/** A row has no object: a fault of the service, never of a caller. */
export class FileMissing extends Error {
  override name = "FileMissing";
}

/** The store is unavailable or its disk is full. The same request may succeed later. */
export class FileStoreUnavailable extends Error {
  override name = "FileStoreUnavailable";
}
