import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { decodeBlocks, detectImplicit, nameEncoding } from "../../../../shared/tables/dialects/encodings.ts";
import { openBytes } from "./convert.ts";

// The indexes of the WHATWG's Encoding standard: how many of the bytes 80 to FF have no character, and the SHA-256 of the
// characters of all of them, U+FFFD where there is none.
const INDEXES: [name: string, unassigned: number, hash: string][] = [
  ["ibm866", 0, "2e3f89d51df1d1b9"],
  ["iso-8859-2", 0, "da4d3b2f8f06435d"],
  ["iso-8859-3", 7, "c1d9ce25d3762a52"],
  ["iso-8859-4", 0, "54140e6e75ba62ce"],
  ["iso-8859-5", 0, "5372981566958051"],
  ["iso-8859-6", 45, "2b716bc800e7bfe3"],
  ["iso-8859-7", 3, "8d94b0308cf418c9"],
  ["iso-8859-8", 36, "ade2c0790e86ddc8"],
  ["iso-8859-10", 0, "129e084c5bc4da60"],
  ["iso-8859-13", 0, "20a9bcd406361c31"],
  ["iso-8859-14", 0, "80050213abdb4257"],
  ["iso-8859-15", 0, "b9a4a2394ee58552"],
  ["iso-8859-16", 0, "c2bb18a77fe0cd90"],
  ["koi8-r", 0, "25a9da95cf2db39e"],
  ["koi8-u", 0, "79b0a6e96024f61a"],
  ["macintosh", 0, "94dcdcc19412eb48"],
  ["windows-874", 8, "4bb5efdc1a2832ec"],
  ["windows-1250", 0, "52665a0c49e77322"],
  ["windows-1251", 0, "153baf169d84e269"],
  ["windows-1252", 0, "9ba654722668eee9"],
  ["windows-1253", 3, "fa630499b7db169e"],
  ["windows-1254", 0, "612d01246f4b5106"],
  ["windows-1255", 10, "16925d6a9d5cff62"],
  ["windows-1256", 0, "ae636a90722c9d75"],
  ["windows-1257", 2, "abd51531663d43f8"],
  ["windows-1258", 0, "ded84db6d51e3143"],
  ["x-mac-cyrillic", 0, "ab39a8a69bbbd008"],
];
/** Of EUC-KR: how many pairs of bytes have a character, and the hash of these. */
const EUC_KR = { characters: 17048, hash: "f49bf642f090c1ce" };

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The text of bytes; null where some of them are no character. */
async function decode(bytes: Uint8Array, encoding: string, nextSize?: () => number): Promise<string | null> {
  const parts: Buffer[] = [];
  for await (const { bytes: part, fault } of decodeBlocks(openBytes(bytes, nextSize)(), encoding)) {
    if (fault !== null) return null;
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString();
}

test.each(INDEXES)("%s is decoded as the standard's index has it", async (name, unassigned, expected) => {
  const texts: string[] = [];
  // A letter before it: some bytes are the first of a mark.
  for (let byte = 0x80; byte <= 0xff; byte++)
    texts.push((await decode(Uint8Array.of(0x61, byte), name))?.slice(1) ?? "\ufffd");
  expect(texts.filter((text) => text === "\ufffd")).toHaveLength(unassigned);
  expect(hash(texts.join(""))).toBe(expected);
});

test("EUC-KR is decoded as the standard's index has it", async () => {
  let text = "";
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      const one = await decode(Uint8Array.of(0x61, lead, trail), "euc-kr");
      if (one !== null) text += one.slice(1);
    }
  expect({ characters: text.length, hash: hash(text) }).toEqual(EUC_KR);
});

test("characters are decoded whole wherever the bytes are cut", async () => {
  const text = "a,ü😀,“x”\r\n";
  const utf16 = Buffer.from(text.repeat(9_000), "utf16le");
  for (const size of [1, 3, 65_535]) {
    expect(await decode(utf16, "utf-16le", () => size)).toBe(text.repeat(9_000));
    expect(await decode(Buffer.from(utf16).swap16(), "utf-16be", () => size)).toBe(text.repeat(9_000));
  }
  const sjis = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x2c, 0xb1);
  expect(await decode(sjis, "shift_jis", () => 1)).toBe("日本,ｱ");
  expect(await decode(sjis.subarray(0, 3), "shift_jis", () => 1)).toBeNull();
  expect(await decode(Uint8Array.of(0x92), "windows-1252")).toBe("’");
});

test("labels have the standard's names, and what no decoder has has none", () => {
  expect(["ASCII", "latin1", "iso-8859-1", "cp1252"].map(nameEncoding)).toEqual(
    Array(4).fill("windows-1252"),
  );
  expect(["utf-16", "utf8", "sjis"].map(nameEncoding)).toEqual(["utf-16le", "utf-8", "shift_jis"]);
  expect(["utf-32", "utf-7", "hz-gb-2312", "replacement", ""].map(nameEncoding)).toEqual(Array(5).fill(null));
});

test.each<[string, Buffer, object | null]>([
  ["UTF-8", Buffer.from("a,b\r\n1,2"), null],
  ["a mark of UTF-8", Buffer.from("\ufeffa,b\n"), null],
  ["UTF-16LE", Buffer.from("\ufeffä,b", "utf16le"), { delimiter: ",", encoding: "utf-16le" }],
  [
    "UTF-16BE without a mark",
    Buffer.from("ab,", "utf16le").swap16(),
    { delimiter: ",", encoding: "utf-16be" },
  ],
  ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), null],
  ["CR", Buffer.from("a,b\r1,2\r"), { delimiter: ",", lineTerminator: "\r" }],
  ["CR in quotes", Buffer.from('a,"b\rc"\n1,2\r\n'), null],
  ["CR and a quoted LF", Buffer.from('a,"b\nc"\r1,2\r'), { delimiter: ",", lineTerminator: "\r" }],
  ["one CR among LF", Buffer.from("a,b\r1\n2"), null],
])("%s at the beginning says what it says", (_, bytes, implied) => {
  expect(detectImplicit(bytes)).toEqual(implied);
});
