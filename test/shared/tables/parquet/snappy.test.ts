import { snappyUncompress } from "hyparquet";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { expect, test } from "vitest";
import { compressSnappy } from "../../../../shared/tables/parquet/snappy.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";

/** Bytes of few letters, of words that return, of long runs and of nothing that returns, in turns. */
function makeBytes(random: Random, length: number): Buffer {
  const words = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
    Buffer.from(Array.from({ length: 1 + Math.floor(random() * 90) }, () => Math.floor(random() * 256))),
  );
  const parts: Buffer[] = [];
  for (let size = 0; size < length; size += parts.at(-1)?.length ?? 0) {
    const kind = random();
    if (kind < 0.6) parts.push(pick(random, words));
    else if (kind < 0.7) parts.push(Buffer.alloc(1 + Math.floor(random() * 400), Math.floor(random() * 4)));
    else if (kind < 0.9) parts.push(Buffer.from([Math.floor(random() * 256)]));
    else parts.push(Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256))));
  }
  return Buffer.concat(parts).subarray(0, length);
}

test("bytes are compressed to those that the library writes, and read back", () => {
  const random = createRandom(53);
  const lengths = Array.from({ length: 40 }, (_, length) => length);
  for (let run = 0; run < runs(600, 40); run++)
    lengths.push(Math.floor(random() * pick(random, [100, 2_000, 20_000])));
  lengths.push(65_535, 65_536, 65_600, 200_000, 1_048_600);
  for (const length of lengths) {
    const bytes = makeBytes(random, length);
    const compressed = compressSnappy(bytes);
    expect(Buffer.from(snappyCompress(bytes)).equals(compressed), `${length} bytes`).toBe(true);
    const back = new Uint8Array(length);
    snappyUncompress(compressed, back);
    expect(bytes.equals(back), `${length} bytes back`).toBe(true);
  }
});

test("bytes that nothing repeats take little more than they are", () => {
  const random = createRandom(54);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(random() * 256)));
  const compressed = compressSnappy(bytes);
  expect(compressed.length).toBeLessThan(bytes.length * 1.001 + 32);
  expect(Buffer.from(snappyCompress(bytes)).equals(compressed)).toBe(true);
});
