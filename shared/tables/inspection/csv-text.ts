const [COMMA, QUOTE] = [0x2c, 0x22];

/** The values of one sound record as texts, one after the other; `end` is where its line end begins. */
export function* decodeCsvRecord(bytes: Buffer, start: number, end: number): Generator<string> {
  let at = start;
  for (;;) {
    const isQuoted = bytes[at] === QUOTE && at < end;
    const cellEnd = isQuoted ? findQuotedEnd(bytes, at, end) : findPlainEnd(bytes, at, end);
    const text = bytes.toString("utf8", isQuoted ? at + 1 : at, isQuoted ? cellEnd - 1 : cellEnd);
    yield isQuoted ? text.replaceAll('""', '"') : text;
    if (cellEnd >= end) return;
    at = cellEnd + 1;
  }
}

function findPlainEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}

/** The place after the closing quote. */
function findQuotedEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  while (at < end) {
    if (bytes[at] === QUOTE) {
      if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at + 1;
      at++;
    }
    at++;
  }
  return end;
}
