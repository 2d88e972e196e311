/** The port to stored bytes: one object a key (an asset's ULID), on disk here or in a store that machines share. */
export interface FileStore {
  /** Stores the whole source durably under the key and resolves only then; a failed or cut source leaves nothing. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Streams an object's bytes, or those of the range (both ends included). Throws `FileMissing` when there is none. */
  get(key: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /**
   * The same bytes for who goes through them once and keeps none: a piece may be gone with the next one, as its memory
   * may be used again.
   */
  scan(key: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /** Size in bytes, or null when there is no such object. */
  size(key: string): Promise<number | null>;
  /** Removes an object; removing a missing one is no error. */
  delete(key: string): Promise<void>;
  /** All keys with the time of their last write (epoch milliseconds), unfinished writes excluded. */
  list(): AsyncIterable<{ key: string; writtenAtMs: number }>;
  /** Removes writes that nobody finished and that were last touched before a time; gives the count. */
  discardUnfinished(beforeMs: number): Promise<number>;
}

/** There is a row but no such object: a fault of the service, never of a caller. */
export class FileMissing extends Error {
  override name = "FileMissing";
}

/** The store cannot take or give bytes now: away, or its disk is full. The same request may succeed later. */
export class FileStoreUnavailable extends Error {
  override name = "FileStoreUnavailable";
}
