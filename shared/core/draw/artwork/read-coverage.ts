import { inflateSync } from "node:zlib";

/**
 * The code points that a WOFF font has a glyph for, read from its `cmap` (WOFF 1.0, section 5; OpenType
 * `cmap` formats 4 and 12). Throws a RangeError for bytes that end early, an Error for bytes that are no
 * WOFF.
 */
export function readCoverage(font: Uint8Array): Set<number> {
  const cmap = openTable(font, "cmap");
  const covered = new Set<number>();
  const encodings = cmap.getUint16(2);
  for (let index = 0; index < encodings; index++) {
    const at = cmap.getUint32(4 + index * 8 + 4);
    const format = cmap.getUint16(at);
    if (format === 4) addSegments(cmap, at, covered);
    if (format === 12) addGroups(cmap, at, covered);
  }
  return covered;
}

function openTable(font: Uint8Array, name: string): DataView {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new Error("the font is no WOFF");
  const tables = view.getUint16(12);
  for (let at = 44; at < 44 + tables * 20; at += 20) {
    if (String.fromCharCode(...font.subarray(at, at + 4)) !== name) continue;
    const [offset, packed, length] = [4, 8, 12].map((more) => view.getUint32(at + more)) as [
      number,
      number,
      number,
    ];
    const stored = font.subarray(offset, offset + packed);
    const bytes = packed < length ? inflateSync(stored) : stored;
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  throw new Error(`the font has no table ${name}`);
}

function addSegments(cmap: DataView, at: number, covered: Set<number>): void {
  const doubled = cmap.getUint16(at + 6);
  for (let segment = 0; segment < doubled; segment += 2) {
    const end = cmap.getUint16(at + 14 + segment);
    const start = cmap.getUint16(at + 16 + doubled + segment);
    const delta = cmap.getUint16(at + 16 + doubled * 2 + segment);
    const rangeAt = at + 16 + doubled * 3 + segment;
    const range = cmap.getUint16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const listed = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - start) * 2);
      if (listed !== 0 && ((listed + delta) & 0xffff) !== 0) covered.add(code);
    }
  }
}

function addGroups(cmap: DataView, at: number, covered: Set<number>): void {
  const groups = cmap.getUint32(at + 12);
  for (let group = 0; group < groups; group++) {
    const [start, end, glyph] = [0, 4, 8].map((more) => cmap.getUint32(at + 16 + group * 12 + more)) as [
      number,
      number,
      number,
    ];
    for (let code = start; code <= end; code++) if (glyph + code - start !== 0) covered.add(code);
  }
}
