import type { FontTables } from "./woff.ts";

/** The widths of a font's letters in em by their code points; `missing` is that of the box for all others. */
export interface Advances {
  of: ReadonlyMap<number, number>;
  missing: number;
}

/**
 * Reads from `cmap` (OpenType formats 4 and 12) and `hmtx` how far each letter of a font goes. Throws a RangeError for
 * tables that end early, an Error for a font without them.
 */
export function readAdvances(font: FontTables): Advances {
  const [cmap, head, hhea, hmtx] = ["cmap", "head", "hhea", "hmtx"].map((tag) => openTable(font, tag)) as [
    DataView,
    DataView,
    DataView,
    DataView,
  ];
  const unitsPerEm = head.getUint16(18);
  const measured = hhea.getUint16(34);
  const advanceOf = (glyph: number) => hmtx.getUint16(4 * Math.min(glyph, measured - 1)) / unitsPerEm;
  const advances = new Map<number, number>();
  const add = (code: number, glyph: number) => {
    if (glyph !== 0) advances.set(code, advanceOf(glyph));
  };
  const encodings = cmap.getUint16(2);
  for (let index = 0; index < encodings; index++) {
    const at = cmap.getUint32(4 + index * 8 + 4);
    const format = cmap.getUint16(at);
    if (format === 4) addSegments(cmap, at, add);
    if (format === 12) addGroups(cmap, at, add);
  }
  return { of: advances, missing: advanceOf(0) };
}

function openTable(font: FontTables, tag: string): DataView {
  const table = font.get(tag);
  if (table === undefined) throw new Error(`the font has no table ${tag}`);
  return new DataView(table.buffer, table.byteOffset, table.byteLength);
}

type AddGlyph = (code: number, glyph: number) => void;

function addSegments(cmap: DataView, at: number, add: AddGlyph): void {
  const doubled = cmap.getUint16(at + 6);
  for (let segment = 0; segment < doubled; segment += 2) {
    const end = cmap.getUint16(at + 14 + segment);
    const start = cmap.getUint16(at + 16 + doubled + segment);
    const delta = cmap.getUint16(at + 16 + doubled * 2 + segment);
    const rangeAt = at + 16 + doubled * 3 + segment;
    const range = cmap.getUint16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const listed = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - start) * 2);
      if (listed !== 0) add(code, (listed + delta) & 0xffff);
    }
  }
}

function addGroups(cmap: DataView, at: number, add: AddGlyph): void {
  const groups = cmap.getUint32(at + 12);
  for (let group = 0; group < groups; group++) {
    const [start, end, glyph] = [0, 4, 8].map((more) => cmap.getUint32(at + 16 + group * 12 + more)) as [
      number,
      number,
      number,
    ];
    for (let code = start; code <= end; code++) add(code, glyph + code - start);
  }
}
