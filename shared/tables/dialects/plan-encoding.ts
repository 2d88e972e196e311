import { TextDecoder } from "@exodus/bytes/encoding.js";
import { regroupBytes } from "../inspection/byte-blocks.ts";
import { FileRefused } from "../inspection/verdict.ts";
import { decodeBlocks, UTF_8, WINDOWS_1252 } from "./encodings.ts";
import type { OpenFile } from "./read-table.ts";

/** The encoding that a file without UTF-16 has, or may be proposed to have; null where its sender has to name it. */
export async function findFileEncoding(open: OpenFile): Promise<string | null> {
  try {
    for await (const { fault } of decodeBlocks(open(), UTF_8))
      if (fault !== null) return (await isWindows1252(open)) ? WINDOWS_1252 : null;
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
  return UTF_8;
}

const ABOVE_ASCII = "[^\\u0000-\\u007f]";
const MARKS = "€–—‘’“”…°²³µ§£½×";
/** A character above ASCII that is neither a mark nor a letter beside another. */
const DOUBTFUL = new RegExp(
  `(?!\\p{L}|[${MARKS}])${ABOVE_ASCII}|(?<!\\p{L})(?![${MARKS}])${ABOVE_ASCII}(?!\\p{L})`,
  "gu",
);
/** Words of Cyrillic or Greek letters, read as if they were Latin. */
const OTHER_ALPHABET = new RegExp(`(?:(?=\\p{L})${ABOVE_ASCII}){3}`, "u");
/** A character of UTF-8 by its bytes: a file that has some and is no UTF-8 is a mixture, or damaged. */
const OF_UTF_8 = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}/;
const BLOCK_BYTES = 65_536;
const BLANK = Buffer.from(" ");

/** Whether all characters above ASCII are such as people write in Windows-1252. */
async function isWindows1252(open: OpenFile): Promise<boolean> {
  // The last byte is looked at when its neighbour has come.
  let before: Buffer = BLANK;
  for await (const piece of regroupBytes(open(), BLOCK_BYTES)) {
    const bytes = Buffer.concat([before, piece]);
    if (isDoubtful(bytes)) return false;
    before = Buffer.from(bytes.subarray(-2));
  }
  return !isDoubtful(Buffer.concat([before, BLANK]));
}

/** Whether a character but the first and the last is doubtful. */
function isDoubtful(bytes: Buffer): boolean {
  const text = new TextDecoder(WINDOWS_1252).decode(bytes);
  if (OF_UTF_8.test(bytes.toString("latin1")) || OTHER_ALPHABET.test(text)) return true;
  for (const { index } of text.matchAll(DOUBTFUL)) if (index > 0 && index < text.length - 1) return true;
  return false;
}
