import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { measurePieces, type Pieces } from "../../ground/checksum.ts";
import { stringifyJson } from "../../ground/raw-json.ts";

const PLAIN_FILE = 0o100644;

/** The measured result of an entry. */
export interface Entry {
  path: string;
  bytes: number;
  sha256: string;
}

/** A ZIP that is written entry by entry while its output is read: memory holds a few chunks and the entry list. */
export type Archive = ReturnType<typeof openZip>;

/** Opens a ZIP whose entries share one time. It becomes a ZIP64 beyond 65,535 entries or 4 GiB. */
export function openZip(writtenAt: Date) {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  // A reader gets the error from its own reading; before there is a reader, nobody needs it.
  output.on("error", () => undefined);
  const untilOver = watchEnd(zip, output);
  const entries: Entry[] = [];
  const add = async (path: string, source: Pieces) => {
    const { pieces, measured } = measurePieces(source);
    const stream = Readable.from(pieces, { objectMode: false });
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
    const entry = { path, ...measured() };
    entries.push(entry);
    return entry;
  };
  const addText = (path: string, text: string) => add(path, [Buffer.from(text)]);
  return {
    /** Adds an entry and resolves once its bytes were read; one at a time. */
    add,
    addText,
    addJson: (path: string, value: unknown) => addText(path, `${stringifyJson(value, 2)}\n`),
    entries,
    /** Ends the output with the entry list; no entry may follow. */
    end: () => zip.end(),
    /** Ends the output with this error. */
    fail: (error: unknown) => {
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

const ENDING = /\.[A-Za-z0-9]{1,8}$/;
const MOST_BYTES = 150;
// Characters that some file system, shell or unpacking program would misread.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** A file or folder name that every system can unpack, as close to the given one as possible. */
export function toEntryName(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(UNSAFE, "_")
    .replace(/^ +|[. ]+$/g, (cut) => "_".repeat(cut.length));
  const named = safe === "" || DEVICES.test(safe) ? `_${safe}` : safe;
  const ending = ENDING.exec(named)?.[0] ?? "";
  const start = ending === "" ? named : named.slice(0, -ending.length);
  return `${cutBytes(start, MOST_BYTES - ending.length)}${ending}`;
}

/** Cuts a text to at most `most` bytes without splitting a character: file systems count a name's bytes. */
function cutBytes(text: string, most: number): string {
  let bytes = 0;
  let fitting = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    fitting += character;
  }
  return fitting;
}

/** Texts as the bytes of an entry. */
export async function* toBytes(texts: AsyncIterable<string> | Iterable<string>): AsyncIterable<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Reads rows in pages, in the order of a key. */
export async function* eachRow<Row, Key>(
  start: Key,
  most: number,
  read: (after: Key, most: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  let after = start;
  for (;;) {
    const rows = await read(after, most);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return;
    after = keyOf(last);
  }
}
