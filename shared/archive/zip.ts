import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";

const PLAIN_FILE = 0o100644;

/** Bytes of an entry, read once. */
export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What an entry turned out to be. */
export interface Entry {
  path: string;
  bytes: number;
  sha256: string;
}

/** A ZIP that is written entry by entry while its output is read: memory holds a few chunks and the list of entries. */
export interface Zip {
  /** Adds an entry and resolves when its bytes were read; one at a time. */
  add(path: string, source: Source): Promise<Entry>;
  /** No entry comes any more: the output ends with the list of entries. */
  end(): void;
  /** The output breaks off with this error. */
  fail(error: unknown): void;
  output: AsyncIterable<Uint8Array>;
}

/** Opens a ZIP whose entries all carry one time. More than 65,535 entries or 4 GiB make it a ZIP64 by themselves. */
export function openZip(writtenAt: Date): Zip {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  // Whoever reads is told by the reading; where nobody has begun to, there is nobody to tell.
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

/** Work that ends at the latest when the output does: a reader who goes would leave it waiting for ever. */
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

/** The library keeps this function with its entry until the end: it must not keep what was read with it. */
function giveOnce(held: Held) {
  return (give: (error: unknown, stream: NodeJS.ReadableStream) => void) => {
    const { stream } = held;
    held.stream = null;
    if (stream !== null) give(null, stream);
  };
}

/** The library keeps an entry's name as a Buffer, and one from the pool would keep the 64 KiB around it: 9 KB an entry. */
function withoutPool(work: () => void): void {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    work();
  } finally {
    Buffer.poolSize = poolSize;
  }
}

/** A source as a stream that is measured on its way. */
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
