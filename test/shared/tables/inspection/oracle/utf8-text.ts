import { isUtf8 } from "node:buffer";
import {
  countGoodBytes,
  countWholeCharacterBytes,
  refuseByte,
  refuseForeignStart,
} from "../../../../../shared/tables/inspection/encoding.ts";

/** Bytes that are decoded at once; blocks of one size make the outcome independent of how the bytes arrived. */
const BLOCK_BYTES = 65_536;

const LINE_FEED = 0x0a;

/**
 * The text of a UTF-8 source in blocks that never cut a character, without its byte-order mark.
 * Throws `FileRefused` on bytes that are not UTF-8 and on the first bytes of a PDF, an image or an archive.
 */
export async function* decodeUtf8(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number = BLOCK_BYTES,
  isTable = false,
): AsyncGenerator<string> {
  let carried: Uint8Array = new Uint8Array(0);
  let line = 1;
  let offset = 0;
  for await (const block of regroupBytes(source, blockBytes)) {
    if (offset === 0 && carried.length === 0) refuseForeignStart(block);
    const bytes = carried.length === 0 ? block : Buffer.concat([carried, block]);
    const whole = bytes.subarray(0, countWholeCharacterBytes(bytes));
    carried = bytes.subarray(whole.length);
    if (!isUtf8(whole)) {
      // What stands before the bad byte is read first: the first fault of the file is the one that is told.
      const good = whole.subarray(0, countGoodBytes(whole));
      yield toText(good, offset === 0);
      const bad = { byte: whole[good.length] ?? 0, at: offset + good.length, isCut: false };
      throw refuseByte(line + countLineFeeds(good), bad, isTable);
    }
    yield toText(whole, offset === 0);
    line += countLineFeeds(whole);
    offset += whole.length;
  }
  const [byte] = carried;
  if (byte !== undefined) throw refuseByte(line, { byte, at: offset, isCut: true }, isTable);
}

async function* regroupBytes(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
  const all = Buffer.concat(chunks);
  for (let at = 0; at < all.length; at += blockBytes) yield all.subarray(at, at + blockBytes);
}

function toText(bytes: Uint8Array, isStart: boolean): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return isStart && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
