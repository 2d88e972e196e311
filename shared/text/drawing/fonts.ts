import { inflateSync } from "node:zlib";

const WOFF_HEAD_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
const FONT_HEAD_BYTES = 12;
const FONT_ENTRY_BYTES = 16;

/** The tables of a font by their four-letter tags, in the order of the file. */
export type FontTables = ReadonlyMap<string, Uint8Array>;

/**
 * The unpacked tables of a WOFF font (WOFF 1.0, section 5). Throws a RangeError for bytes that end early, an Error for
 * bytes that are no WOFF.
 */
export function unpackWoff(font: Uint8Array): FontTables {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new Error("the font is no WOFF");
  const tables = new Map<string, Uint8Array>();
  const end = WOFF_HEAD_BYTES + view.getUint16(12) * WOFF_ENTRY_BYTES;
  for (let at = WOFF_HEAD_BYTES; at < end; at += WOFF_ENTRY_BYTES) {
    const [offset, packed, length] = [
      view.getUint32(at + 4),
      view.getUint32(at + 8),
      view.getUint32(at + 12),
    ];
    const stored = font.subarray(offset, offset + packed);
    const tag = String.fromCharCode(...font.subarray(at, at + 4));
    tables.set(tag, packed < length ? inflateSync(stored) : stored);
  }
  return tables;
}

/** A TrueType font of these tables under a family name of its own, which a renderer of pictures can tell it by. */
export function buildFont(tables: FontTables, family: string): Uint8Array {
  const named = new Map(tables).set("name", buildNames(family));
  const places: number[] = [];
  let bytes = FONT_HEAD_BYTES + named.size * FONT_ENTRY_BYTES;
  for (const table of named.values()) {
    places.push(bytes);
    bytes += Math.ceil(table.length / 4) * 4;
  }
  const font = Buffer.alloc(bytes);
  const exponent = Math.floor(Math.log2(named.size));
  font.writeUInt32BE(0x00010000, 0);
  for (const [at, value] of [
    named.size,
    16 * 2 ** exponent,
    exponent,
    16 * (named.size - 2 ** exponent),
  ].entries())
    font.writeUInt16BE(value, 4 + 2 * at);
  [...named].forEach(([tag, table], index) => {
    const at = FONT_HEAD_BYTES + index * FONT_ENTRY_BYTES;
    font.write(tag, at, "latin1");
    font.writeUInt32BE(addUp(table), at + 4);
    font.writeUInt32BE(places[index] ?? 0, at + 8);
    font.writeUInt32BE(table.length, at + 12);
    font.set(table, places[index]);
  });
  return font;
}

const FAMILY = 1;
const POSTSCRIPT_NAME = 6;

/** A table of names that holds the family alone (OpenType `name`, version 0; Windows, Unicode, English). */
function buildNames(family: string): Uint8Array {
  const text = Buffer.from(family, "utf16le").swap16();
  const ids = [FAMILY, POSTSCRIPT_NAME];
  const head = [0, ids.length, 6 + ids.length * 12];
  const records = ids.flatMap((id) => [3, 1, 0x409, id, text.length, 0]);
  const words = Buffer.alloc(2 * (head.length + records.length));
  for (const [index, word] of [...head, ...records].entries()) words.writeUInt16BE(word, 2 * index);
  return Buffer.concat([words, text]);
}

/** The checksum of a table: its 32-bit words added up (OpenType, "Calculating checksums"). */
function addUp(table: Uint8Array): number {
  const words = Buffer.alloc(Math.ceil(table.length / 4) * 4);
  words.set(table);
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0;
  return sum;
}

/** The widths of a font's letters in em by their code points; `missing` is that of the box for all others. */
export type Advances = ReturnType<typeof readAdvances>;

/**
 * Reads from `cmap` (OpenType formats 4 and 12) and `hmtx` how far each letter of a font goes. Throws a RangeError for
 * tables that end early, an Error for a font without them.
 */
export function readAdvances(font: FontTables) {
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
