import { normalizeEncoding, TextDecoder } from "@exodus/bytes/encoding.js";
import { readBlocks, regroupBytes } from "../inspection/byte-blocks.ts";
import { findUtf16, refuseForeignStart } from "../inspection/encoding.ts";
import { type Dialect, refuseMember } from "./dialect.ts";

export const UTF_8 = "utf-8";
export const WINDOWS_1252 = "windows-1252";
const [UTF_16LE, UTF_16BE] = ["utf-16le", "utf-16be"];
/** How many bytes of a file show what it begins with. */
export const START_BYTES = 65_536;
const BLOCK_BYTES = 65_536;
const REPLACEMENT = "\ufffd";

/** Characters of a file as UTF-8. */
export interface DecodedBlock {
  bytes: Buffer;
  /** What follows them and is no character, as a part of a sentence; null where all is well. */
  fault: string | null;
}

/** The WHATWG's name for a label of an encoding; null where no `TextDecoder` has it. */
export function nameEncoding(label: string): string | null {
  const name = normalizeEncoding(label);
  return name === "replacement" ? null : name;
}

/** Whether an encoding of this name is one of the two orders of UTF-16. */
function isUtf16(name: string): boolean {
  return name === UTF_16LE || name === UTF_16BE;
}

/** The characters of a file, in blocks of a size that does not depend on how its bytes arrived. */
export async function* decodeBlocks(
  source: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<DecodedBlock> {
  if (encoding === UTF_8) return yield* readUtf8(source);
  const decode = isUtf16(encoding) ? createUtf16Decoder(encoding) : createDecoder(encoding);
  let isFirst = true;
  for await (const piece of regroupBytes(source, BLOCK_BYTES)) {
    if (isFirst) refuseOtherMark(piece, encoding);
    const block = decode(isFirst && isUtf16(encoding) ? withoutMark(piece) : piece);
    isFirst = false;
    yield block;
    if (block.fault !== null) return;
  }
  yield decode(null);
}

async function* readUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<DecodedBlock> {
  for await (const { bytes, bad } of readBlocks(source, BLOCK_BYTES)) {
    const fault =
      bad &&
      `byte ${bad.at + 1} of the file (${bad.byte.toString(16).toUpperCase()}), which is no UTF-8 text: name the encoding of the file in dialect.encoding`;
    yield { bytes, fault };
  }
}

function refuseOtherMark(first: Buffer, encoding: string): void {
  if (isUtf16(encoding)) return;
  if (first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf)
    throw refuseMember("encoding", `The file begins with the mark of UTF-8, so it is no ${encoding} text.`);
  refuseForeignStart(first);
}

function withoutMark(bytes: Buffer): Buffer {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isMarked ? bytes.subarray(2) : bytes;
}

/** Takes the pieces of a file one after the other, and null at the end. */
type Decode = (piece: Buffer | null) => DecodedBlock;

/** Bytes without a character become U+FFFD, so that what stands before them is read first. */
function createDecoder(encoding: string): Decode {
  const decoder = new TextDecoder(encoding);
  return (piece) => {
    const text = piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
    const at = text.indexOf(REPLACEMENT);
    if (at === -1) return { bytes: Buffer.from(text), fault: null };
    return { bytes: Buffer.from(text.slice(0, at)), fault: `bytes that are no character of ${encoding}` };
  };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function createUtf16Decoder(encoding: string): Decode {
  let carried = Buffer.alloc(0);
  return (piece) => {
    const bytes = Buffer.concat([carried, piece ?? Buffer.alloc(0)]);
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    if (encoding === UTF_16BE) even.swap16();
    let text = even.toString("utf16le");
    const isCut = piece !== null && /[\ud800-\udbff]$/.test(text);
    if (isCut) text = text.slice(0, -1);
    carried = Buffer.from(bytes.subarray(2 * text.length));
    // The half of a pair that waits is in its order of before.
    if (isCut && encoding === UTF_16BE) carried.subarray(0, 2).swap16();
    const lone = LONE_SURROGATE.exec(text)?.index;
    if (lone !== undefined)
      return { bytes: Buffer.from(text.slice(0, lone)), fault: "half of a surrogate pair" };
    const isHalf = piece === null && carried.length > 0;
    return { bytes: Buffer.from(text), fault: isHalf ? "half of a UTF-16 character at its end" : null };
  };
}

/**
 * What a file begins with and needs no field: UTF-16 by its mark or its zero bytes, rows that end with a bare CR. Null
 * where it begins with neither.
 */
export function detectImplicit(first: Buffer): Dialect | null {
  const encoding = findUtf16(first);
  const text =
    encoding === null ? first.toString("latin1") : createUtf16Decoder(encoding)(first).bytes.toString();
  const plain = text.replace(/"[^"]*(?:"|$)/g, "");
  const endsByCr = /\r[^\n]/.test(plain) && !plain.includes("\n");
  if (encoding === null && !endsByCr) return null;
  return {
    delimiter: ",",
    ...(endsByCr && { lineTerminator: "\r" as const }),
    ...(encoding !== null && { encoding }),
  };
}

/** The first bytes of a file, by which `settleDialect` goes. */
export async function readStart(open: () => AsyncIterable<Uint8Array>): Promise<Buffer> {
  for await (const first of regroupBytes(open(), START_BYTES)) return first;
  return Buffer.alloc(0);
}

/** A dialect with what the first bytes of its file say where it says nothing; UTF-16 goes by them in any case. */
export function settleDialect(first: Buffer, dialect: Dialect): Dialect {
  const named = nameEncoding(dialect.encoding ?? UTF_8) ?? UTF_8;
  const { delimiter: _, ...implicit } = detectImplicit(first) ?? {};
  const isOpen = dialect.encoding === undefined || isUtf16(named);
  const encoding = (isOpen ? implicit.encoding : undefined) ?? dialect.encoding;
  return { ...implicit, ...dialect, ...(encoding !== undefined && { encoding }) };
}

/** The dialect that is named, else what the first bytes show; null where they show none. */
export function findDialect(first: Buffer, named: Dialect | null): Dialect | null {
  return named === null ? detectImplicit(first) : settleDialect(first, named);
}
