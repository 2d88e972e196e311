const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The same bytes without a byte-order mark before them. */
export async function* withoutMark(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (first === null) {
      yield piece;
      continue;
    }
    first = Buffer.concat([first, piece]);
    if (first.length < BYTE_ORDER_MARK.length) continue;
    yield cut(first);
    first = null;
  }
  if (first !== null && first.length > 0) yield cut(first);
}

function cut(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
