import type { Block } from "./encoding.ts";
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
const START_BYTES = 512;

/**
 * The blocks of a CSV file. Throws `FileRefused` for a pointer, a web page, and a first line for Excel, which is one where
 * the sender named how the file is read.
 */
export async function* refuseOtherKinds(
  blocks: AsyncIterable<Block>,
  isNamed: boolean,
): AsyncGenerator<Block> {
  let isFirst = true;
  for await (const block of blocks) {
    if (isFirst) refuseOtherStart(block.bytes.toString("utf8", 0, START_BYTES), isNamed);
    isFirst &&= block.bytes.length === 0;
    yield block;
  }
}

function refuseOtherStart(start: string, isNamed: boolean): void {
  const found = STARTS.find(([pattern]) => pattern.test(start));
  if (found !== undefined) throw new FileRefused(found[1]);
  if (!isNamed && SEPARATOR_LINE.test(start)) throw new FileRefused(IS_SEPARATOR_LINE);
}

/** Whether a file begins as a JSON object or list does. Anything else JSON has is a header too. */
export function beginsAsJson(bytes: Buffer): boolean {
  return /^[[{]/.test(bytes.toString("utf8", 0, START_BYTES).trimStart());
}
