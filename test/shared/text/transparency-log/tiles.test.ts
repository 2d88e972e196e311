import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  countHashes,
  hasTile,
  readBundle,
  readTileIndex,
  readTileLevel,
  splitHashes,
  writeBundle,
  writeTileIndex,
  writeTilePath,
} from "../../../../shared/text/transparency-log/tree.ts";

test("a tile's number is written in groups of three digits, all but the last behind an x", () => {
  const written = { 0: "000", 7: "007", 999: "999", 1000: "x001/000", 1234067: "x001/x234/067" };
  for (const [index, text] of Object.entries(written)) {
    expect(writeTileIndex(Number(index))).toBe(text);
    expect(readTileIndex(text)).toEqual({ index: Number(index), width: 256 });
    expect(readTileIndex(`${text}.p/5`)).toEqual({ index: Number(index), width: 5 });
  }
  expect(writeTilePath(1, 1234067, 9)).toBe("1/x001/x234/067.p/9");
  expect(writeTilePath("entries", 3)).toBe("entries/003");
});

test("each tile has one address", () => {
  for (const text of [
    "",
    "7",
    "0007",
    "x000/007",
    "001/234",
    "x001",
    "x001/x234",
    "x01/234",
    "000.p/0",
    "000.p/256",
    "000.p/07",
    "000.p/",
    "000.p/1.p/2",
    "000/",
    "000.p/1/2",
    "x999/x999/x999/x999/x999/999",
    "-01",
  ]) {
    expect([text, readTileIndex(text)]).toEqual([text, null]);
  }
  const levels = ["0", "7", "63", "64", "07", "-1", "entries"].map(readTileLevel);
  expect(levels).toEqual([0, 7, 63, null, null, null, null]);
});

test("a tree of 70,000 entries has the tiles that the standard counts", () => {
  const widths = [0, 1, 2, 3].map((level) => countHashes(70_000, level));
  expect(widths).toEqual([273 * 256 + 112, 256 + 17, 1, 0]);
  expect(hasTile(70_000, { level: 0, index: 273, width: 112 })).toBe(true);
  expect(hasTile(70_000, { level: 0, index: 273, width: 113 })).toBe(false);
  expect(hasTile(70_000, { level: 2, index: 0, width: 1 })).toBe(true);
  expect(hasTile(70_000, { level: 3, index: 0, width: 1 })).toBe(false);
});

test("a bundle is read as it was written, and what is none is refused", () => {
  const entries = [Buffer.from("a"), Buffer.alloc(0), randomBytes(1024)];
  const bundle = writeBundle(entries);
  expect(bundle.length).toBe(1 + 1024 + 6);
  expect(readBundle(bundle)).toEqual(entries);
  expect([readBundle(bundle.subarray(0, -1)), readBundle(Buffer.of(0))]).toEqual([null, null]);
  expect(readBundle(Buffer.alloc(0))).toEqual([]);
  const hashes = [randomBytes(32), randomBytes(32)];
  expect(splitHashes(Buffer.concat(hashes))).toEqual(hashes);
});
