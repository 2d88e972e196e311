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

/** Looks at each byte once, however nearly the words occur everywhere (Knuth, Morris and Pratt). */
function searchAscii(sought: Uint8Array): ByteSearch {
  const { length } = sought;
  const borders = findBorders(sought);
  return (bytes, start, end) => {
    let same = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > LAST_ASCII && (isAt(bytes, at, DOTTED_I) || isAt(bytes, at, KELVIN))) return null;
      if (same === length) continue;
      const small = SMALL[byte];
      while (same > 0 && small !== sought[same]) same = borders[same] as number;
      if (small === sought[same]) same++;
    }
    return same === length;
  };
}

/** For each number of bytes found: how many of them remain found where the next byte differs. */
function findBorders(sought: Uint8Array): Uint32Array {
  const borders = new Uint32Array(sought.length + 1);
  let border = 0;
  for (let length = 2; length <= sought.length; length++) {
    const byte = sought[length - 1];
    while (border > 0 && byte !== sought[border]) border = borders[border] as number;
    if (byte === sought[border]) border++;
    borders[length] = border;
  }
  return borders;
}

function isAt(bytes: Uint8Array, at: number, [first, second, third]: readonly number[]): boolean {
  return bytes[at] === first && bytes[at + 1] === second && (third === -1 || bytes[at + 2] === third);
}

function hasOnlyAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] as number) > LAST_ASCII) return false;
  return true;
}
