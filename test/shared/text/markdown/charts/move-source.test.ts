import { expect, test } from "vitest";
import { moveSource } from "../../../../../shared/text/markdown/charts/move-source.ts";
import { readText } from "../../../../../shared/text/markdown/read-text.ts";

const FILE = { asset_id: "NEW", content_sha256: "new" };
const move = (text: string) => {
  const [block] = readText(text).blocks;
  return block === undefined ? undefined : moveSource(text, block, FILE);
};

test("the two names of the file change, and no other byte", () => {
  const text = (id: string, hash: string) =>
    `> 1. a\n>\n>    ~~~ chart\n>    {"title": "asset_id: OLD", "data" : {"from" :{ "content_sha256":"${hash}","asset_id" : "${id}"}}}\n>    ~~~\n\nOLD`;
  expect(move(text("OLD", "old"))).toBe(text("NEW", "new"));
});

test("of a name that is given twice the one that counts changes", () => {
  const text = (id: string) =>
    `~~~chart\n{"data":{"from":{"asset_id":"A","asset_id":"${id}","content_sha256":"new"}}}\n~~~`;
  expect(move(text("OLD"))).toBe(text("NEW"));
});

test.each([
  ["escapes", '{"data":{"from":{"\\u0061sset_id":"A","content_sha256":"b"}}}'],
  ["a value with escapes", '{"data":{"from":{"asset_id":"\\u0041","content_sha256":"b"}}}'],
  ["the name elsewhere", '{"data":{"from":{"asset_id":"A","content_sha256":"b"}},"x":{"asset_id":"A"}}'],
])("%s: none", (_, json) => {
  expect(move(`~~~chart\n${json}\n~~~`)).toBeNull();
});
