import type { Block } from "./encoding.ts";
import { finishJsonScan, scanJsonBlock } from "./json-scan.ts";
import { type JsonScan, startJsonScan } from "./json-scan-state.ts";
import { FileRefused } from "./verdict.ts";

const STARTS: readonly [start: RegExp, sentence: string][] = [
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\//,
    "Row 1 begins a pointer of Git LFS, not the data: git lfs pull brings the file that it stands for. Upload that.",
  ],
  [
    /^\s*<(?:!doctype html|html)[\s>]/i,
    "Row 1 begins a web page, not a table: a server sent HTML in place of the data. Upload the data itself.",
  ],
];
const SEPARATOR_LINE = /^"?sep=[;,|\t]"?\r?(?:\n|$)/i;
const IS_SEPARATOR_LINE =
  "Row 1 is a line that tells Excel what separates the values. Take it out, write commas between the values where others stand, and quote a value that holds a comma.";
const IS_JSON =
  "Row 1 begins JSON, and the whole file is JSON, whatever its name says. Upload it with a name that ends in .json.";
const START_BYTES = 512;
const [OPEN_OBJECT, OPEN_LIST] = [0x7b, 0x5b];

/**
 * Has the blocks of a CSV file read. Throws `FileRefused` for a pointer, a web page, and a whole file that is a JSON
 * object or list, even where the rows were refused: another kind is their cause. Anything else JSON has is a header too.
 * A first line for Excel is one where the sender named how the file is read.
 */
export async function refuseOtherKinds(
  blocks: AsyncIterable<Block>,
  isNamed: boolean,
  read: (blocks: AsyncIterable<Block>) => Promise<void>,
): Promise<void> {
  const source = blocks[Symbol.asyncIterator]();
  let isFirst = true;
  let scan: JsonScan | null = null;
  async function* scanned(): AsyncGenerator<Block> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      if (isFirst) scan = lookAtStart(next.value.bytes, isNamed);
      isFirst &&= next.value.bytes.length === 0;
      if (scan !== null && !isSound(scan, next.value)) scan = null;
      yield next.value;
    }
  }
  try {
    const refusal = await read(scanned()).then(() => null, takeRefusal);
    if (scan !== null) for await (const _ of scanned()) if (scan === null) break;
    if (scan !== null && isSound(scan, null)) throw new FileRefused(IS_JSON);
    if (refusal !== null) throw refusal;
  } finally {
    await source.return?.();
  }
}

/** A scan of what begins as a JSON object or list; null of all else. */
function lookAtStart(bytes: Buffer, isNamed: boolean): JsonScan | null {
  const start = bytes.toString("utf8", 0, START_BYTES);
  const found = STARTS.find(([pattern]) => pattern.test(start));
  if (found !== undefined) throw new FileRefused(found[1]);
  if (!isNamed && SEPARATOR_LINE.test(start)) throw new FileRefused(IS_SEPARATOR_LINE);
  const first = start.trimStart().charCodeAt(0);
  return first === OPEN_OBJECT || first === OPEN_LIST ? startJsonScan(() => undefined) : null;
}

/** Whether a scan takes a block, or the end where there is none. */
function isSound(scan: JsonScan, block: Block | null): boolean {
  try {
    if (block === null) finishJsonScan(scan);
    else scanJsonBlock(scan, block);
    return true;
  } catch (error) {
    takeRefusal(error);
    return false;
  }
}

function takeRefusal(error: unknown): FileRefused {
  if (error instanceof FileRefused) return error;
  throw error;
}
