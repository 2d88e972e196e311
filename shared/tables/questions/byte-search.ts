const LAST_ASCII = 0x7f;
/** The small letter of each ASCII character; every other byte is no letter of an ASCII word. */
const SMALL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > LAST_ASCII ? byte : String.fromCharCode(byte).toLowerCase().charCodeAt(0),
);
// The two characters whose small form has an ASCII letter: İ (U+0130) and the sign for kelvin (U+212A).
const [DOTTED_I, KELVIN] = [
  [0xc4, 0xb0, -1],
  [0xe2, 0x84, 0xaa],
] as const;

/** Looks for words in the UTF-8 bytes between two places, case ignored; null where only a text can tell. */
export type ByteSearch = (bytes: Uint8Array, start: number, end: number) => boolean | null;

/** Opens the search for folded words without a text for each row, which would be garbage five times the file. */
export function openByteSearch(wanted: string): ByteSearch {
  const sought = new TextEncoder().encode(wanted);
  const isAscii = sought.every((byte) => byte <= LAST_ASCII);
  return isAscii
    ? searchAscii(sought)
    : (bytes, start, end) => (hasOnlyAscii(bytes, start, end) ? false : null);
}

function searchAscii(sought: Uint8Array): ByteSearch {
  const first = sought[0] as number;
  const { length } = sought;
  return (bytes, start, end) => {
    let isFound = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === DOTTED_I[0] || byte === KELVIN[0]) {
        if (isAt(bytes, at, DOTTED_I) || isAt(bytes, at, KELVIN)) return null;
      }
      if (isFound || SMALL[byte] !== first || at + length > end) continue;
      let same = 1;
      while (same < length && SMALL[bytes[at + same] as number] === sought[same]) same++;
      isFound = same === length;
    }
    return isFound;
  };
}

function isAt(bytes: Uint8Array, at: number, [first, second, third]: readonly number[]): boolean {
  return bytes[at] === first && bytes[at + 1] === second && (third === -1 || bytes[at + 2] === third);
}

function hasOnlyAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] as number) > LAST_ASCII) return false;
  return true;
}
