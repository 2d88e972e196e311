import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";

const PLAIN_FILE = 0o100644;

/** Bytes of an entry, read once. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The measured result of an entry. */
export interface Entry {
  path: string;
  bytes: number;
  sha256: string;
}

/**
 * A ZIP that is written entry by entry while its output is read: memory holds a few chunks and the entry
 * list.
 */
export interface Zip {
  /** Adds an entry and resolves once its bytes were read; one at a time. */
  add(path: string, source: Source): Promise<Entry>;
  /** Ends the output with the entry list; no entry may follow. */
  end(): void;
  /** Ends the output with this error. */
  fail(error: unknown): void;
  output: AsyncIterable<Uint8Array>;
}

/** Opens a ZIP whose entries share one time. It becomes a ZIP64 beyond 65,535 entries or 4 GiB. */
export function openZip(writtenAt: Date): Zip {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  // A reader gets the error from its own reading; before there is a reader, nobody needs it.
  output.on("error", () => undefined);
  const untilOver = watchEnd(zip, output);
  return {
    async add(path, source) {
      const { stream, found } = openSource(source);
      try {
        await untilOver((resolve, reject) => {
          stream.once("end", resolve).once("error", reject);
          withoutPool(() => {
            zip.addReadStreamLazy(path, { mtime: writtenAt, mode: PLAIN_FILE }, giveOnce({ stream }));
          });
        });
      } catch (error) {
        stream.destroy();
        throw error;
      }
      return { path, ...found() };
    },
    end: () => zip.end(),
    fail: (error) => {
      output.destroy(error instanceof Error ? error : new Error("the archive could not be written"));
    },
    output,
  };
}

type Settle = (resolve: () => void, reject: (error: Error) => void) => void;

/** Ends work when the output ends: otherwise a reader that disconnects would leave it waiting for ever. */
function watchEnd(zip: ZipFile, output: PassThrough) {
  let over: Error | null = null;
  let stop = (_: Error) => {};
  const endWith = (error: Error) => {
    over ??= error;
    stop(over);
  };
  output.once("close", () => endWith(new Error("nobody reads the archive any more")));
  zip.once("error", endWith);
  return (settle: Settle) =>
    new Promise<void>((resolve, reject) => {
      if (over !== null) throw over;
      stop = reject;
      settle(resolve, reject);
    });
}

interface Held {
  stream: Readable | null;
}

/** The library holds this function until the end, so the function must not hold what it returned. */
function giveOnce(held: Held) {
  return (give: (error: unknown, stream: NodeJS.ReadableStream) => void) => {
    const { stream } = held;
    held.stream = null;
    if (stream !== null) give(null, stream);
  };
}

/**
 * Runs work with unpooled Buffers. The library holds an entry's name as a Buffer, and a pooled one would hold
 * its 64 KiB pool: 9 KB an entry.
 */
function withoutPool(work: () => void): void {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    work();
  } finally {
    Buffer.poolSize = poolSize;
  }
}

/** Opens a source as a stream that counts and hashes its bytes. */
function openSource(source: Source) {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measure() {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const stream = Readable.from(measure(), { objectMode: false });
  return { stream, found: () => ({ bytes, sha256: hash.digest("hex") }) };
}
