import { expect, test } from "vitest";
import { bodyAround, frameJson } from "../../../shared/ground/framed-json.ts";

const partsOf = (text: string) => [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))];

test.each([10, 9_000, 100_000])("JSON of %s characters has its body around it", (length) => {
  const text = JSON.stringify("a".repeat(length));
  const json = frameJson(partsOf(text));
  expect(Buffer.from(json).toString()).toBe(text);
  expect(bodyAround(json).toString()).toBe(`{"data":${text}}`);
  // A thread sends all the memory that an answer lies in.
  expect(json.buffer.byteLength).toBe(`{"data":${text}}`.length);
});

test("the body of large JSON is no copy, in another thread neither", () => {
  const json = frameJson([Buffer.from(JSON.stringify("a".repeat(100_000)))]);
  expect(bodyAround(json).buffer).toBe(json.buffer);
  const moved = structuredClone(json, { transfer: [json.buffer as ArrayBuffer] });
  expect(bodyAround(moved).buffer).toBe(moved.buffer);
  expect(bodyAround(moved).toString()).toBe(`{"data":${JSON.stringify("a".repeat(100_000))}}`);
});

test.each([
  ["memory of its own", Buffer.from(new Uint8Array(Buffer.from("[1]")))],
  ["other bytes around it", Buffer.from(new Uint8Array(Buffer.from('{"code":[1]}'))).subarray(8, -1)],
  ["a part of a frame", Buffer.from(frameJson([Buffer.from("[[1]]")])).subarray(1, -1)],
])("JSON with %s is copied into its body", (_, json) => {
  expect(bodyAround(json).toString()).toBe(`{"data":${Buffer.from(json).toString()}}`);
});
