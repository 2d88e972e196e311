import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { constants, createZstdCompress, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Packing } from "../../../../shared/datasets/uploads/incoming-file.ts";
import { unpack } from "../../../../shared/datasets/uploads/unpack.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import { transcode } from "../../../../shared/platform/files/transcode.ts";
import { makeCsvFile } from "../../../support/data-files.ts";
import { runs } from "../../../support/depth.ts";

const LIMIT = 20_000_000;
const PACK: Record<Packing, (bytes: Uint8Array) => Buffer> = { gz: gzipSync, zst: zstdCompressSync };
const CSV = Buffer.from("station,height_m\nBremen,4.12\n");

/** Unpacks bytes that come in these pieces: the file and what was sent of it, or the refusal. */
async function read(
  packing: Packing,
  pieces: readonly Uint8Array[],
  more: { declared?: number; cut?: boolean } = {},
) {
  async function* arrive() {
    yield* pieces;
  }
  const incoming = {
    filename: "",
    baseAssetId: null,
    dialect: null,
    bytes: arrive(),
    declaredBytes: more.declared ?? null,
    wasCut: () => more.cut ?? false,
  };
  const { bytes, sentBytes } = unpack(incoming, packing, LIMIT);
  const found: Uint8Array[] = [];
  try {
    for await (const piece of bytes) found.push(piece);
  } catch (error) {
    if (error instanceof Refusal)
      return { refused: error.errors.file?.[0], read: Buffer.concat(found).length };
    throw error;
  }
  return { file: Buffer.concat(found), sent: sentBytes() };
}

const cutAt = (bytes: Uint8Array, places: readonly number[]) =>
  [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));

describe.each(["gz", "zst"] as const)(".%s", (packing) => {
  const pack = PACK[packing];
  const EMPTY = pack(Buffer.alloc(0));

  test("a file in any pieces is unpacked, with the bytes that were sent", async () => {
    const places = fc.array(fc.nat(60_000), { maxLength: 12 });
    const property = fc.asyncProperty(fc.nat(150_000), fc.nat(), places, async (bytes, seed, at) => {
      const file = makeCsvFile(bytes, seed);
      const packed = pack(file);
      const cuts = at.map((place) => Math.min(place, packed.length)).sort((a, b) => a - b);
      const found = await read(packing, cutAt(packed, cuts));
      expect([found.sent, found.file?.equals(file)]).toEqual([packed.length, true]);
    });
    await fc.assert(property, { numRuns: runs(400) });
  });

  const whole = pack(CSV);
  test.each([
    ["a second member", [whole, whole]],
    ["an empty member before it", [EMPTY, whole]],
    ["a member behind an empty one", [whole, EMPTY, whole]],
    ["half an empty member behind it", [whole, EMPTY.subarray(0, -2)]],
    ["a member that is skipped behind it", [whole, Buffer.from("502a4d1800000000", "hex")]],
    ["zeros behind it", [whole, Buffer.alloc(8)]],
    ["one byte behind it", [whole, Buffer.from("x")]],
    ["text behind it", [whole, CSV]],
  ])("%s is refused, wherever the pieces end", async (_name, parts) => {
    const all = Buffer.concat(parts);
    const each = Array.from({ length: all.length }, (_, at) => all.subarray(at, at + 1));
    for (const pieces of [parts, [all], each]) {
      expect((await read(packing, pieces)).refused).toMatch(/bytes behind the end|no whole/);
    }
  });

  test("a file that is cut, changed or not packed at all is refused, at every byte", async () => {
    for (let at = 0; at < whole.length; at++) {
      expect((await read(packing, [whole.subarray(0, at)])).refused).toContain("no whole");
    }
    expect((await read(packing, [CSV])).refused).toContain("no whole");
    expect((await read(packing, [whole.subarray(0, 9)], { cut: true })).refused).toContain(
      `larger than ${LIMIT}`,
    );
  });

  test("from 1 MiB on it may become 100 times as large, by the whole of what was sent", async () => {
    const free = await read(packing, [pack(Buffer.alloc(1_048_576, "x"))]);
    expect(free.file?.length).toBe(1_048_576);
    const dense = pack(Buffer.alloc(8_000_000, "x"));
    expect((await read(packing, [dense])).refused).toContain("more than 100 times");
    const early = await read(packing, [dense], { declared: dense.length });
    expect(early.refused).toContain("more than 100 times");
    expect(early.read).toBeLessThan(1_048_576 + 200_000);
    // Dense at its beginning and not in its whole.
    const mixed = Buffer.concat([Buffer.alloc(3_000_000, "x"), makeCsvFile(400_000, 1)]);
    const found = await read(packing, [pack(mixed)], { declared: pack(mixed).length });
    expect(found.file?.equals(mixed)).toBe(true);
  });

  test("an error of the arrival stays what it is", async () => {
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield
    async function* fail() {
      throw new Error("the line broke");
    }
    const incoming = {
      filename: "",
      baseAssetId: null,
      dialect: null,
      bytes: fail(),
      declaredBytes: null,
      wasCut: () => false,
    };
    const { bytes } = unpack(incoming, packing, LIMIT);
    await expect(bytes[Symbol.asyncIterator]().next()).rejects.toThrow("the line broke");
  });
});

test("empty frames behind a frame of Zstandard are taken, as Node's packer ends with, wherever the pieces end", async () => {
  const empty = zstdCompressSync(Buffer.alloc(0));
  const summed = zstdCompressSync(Buffer.alloc(0), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  for (const ends of [[empty], [summed], [empty, summed, empty]]) {
    const all = Buffer.concat([zstdCompressSync(CSV), ...ends]);
    const each = Array.from({ length: all.length }, (_, at) => all.subarray(at, at + 1));
    for (const pieces of [[all], each, cutAt(all, [all.length - 3])]) {
      expect(await read("zst", pieces)).toEqual({ file: CSV, sent: all.length });
    }
  }
  const twice = Buffer.concat([gzipSync(CSV), gzipSync("")]);
  expect((await read("gz", [twice])).refused).toMatch(/bytes behind the end/);
});

test("a changed byte of gzip is found by its sum", async () => {
  const bytes = gzipSync(CSV);
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
  expect((await read("gz", [bytes])).refused).toContain("no whole gzip file");
});

test("a stream that never gives a byte ends at the limit", async () => {
  // Stored blocks of no bytes, behind a header.
  const pieces = [
    gzipSync("").subarray(0, 10),
    ...Array.from({ length: 330 }, () => Buffer.alloc(65_535, Buffer.from([0, 0, 0, 255, 255]))),
  ];
  expect((await read("gz", pieces)).refused).toContain(`larger than ${LIMIT} bytes`);
});

test("a frame that takes much memory is refused, and that of level 19 is not", async () => {
  const stream = async (params: Record<number, number>) =>
    await Array.fromAsync(transcode(Readable.from([CSV, CSV]), createZstdCompress({ params })));
  const wide = await stream({ [constants.ZSTD_c_windowLog]: 26 });
  expect((await read("zst", wide)).refused).toContain("8 MiB");
  const found = await read("zst", await stream({ [constants.ZSTD_c_compressionLevel]: 19 }));
  expect(found.file?.equals(Buffer.concat([CSV, CSV]))).toBe(true);
});

test("gzip of the system is read, with the name that it writes into its header", async () => {
  const packed = execFileSync("gzip", ["-9c"], { input: CSV });
  expect((await read("gz", [packed])).file?.equals(CSV)).toBe(true);
});
