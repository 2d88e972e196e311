import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

// JavaScript, which the compiler reads in its own place.
const { compareHead } = await import(pathToFileURL(resolve("client/verify/work.mjs")).href);

const REST = "has the hash that pull noted, which nobody signed";
const compare = (text: string, payload: object, path = "surge.md") =>
  compareHead(Buffer.from(text), path, payload);
const tell = (...names: string[]) => `${names.join(", ")} as in the payload; the rest ${REST}`;

test.each([
  ["plain # 1", "plain"],
  ["A#1: b", "A#1: b"],
  ["'It''s' # of the gauge", "It's"],
  ['"A: \\"b\\"" # c', 'A: "b"'],
])("the title %s is compared", (line, title) => {
  const text = `---\ntitle: ${line}\n---\nIt rose.\n`;
  expect(compare(text, { title, body_markdown: "It rose." })).toBe(tell("title", "text"));
  expect(() => compare(text, { title: "Other" })).toThrow("Its title is not that of the payload.");
});

test.each(['"A\\x3a b"', ">-\n  A: b", "A:\n  b", "A:\n\n  b", "[A, b]", "&a A", "-A"])(
  "the title %j can only be read by a reader of YAML, and nothing is said of it",
  (line) => {
    const text = `---\ntitle: ${line}\n---\nIt rose.\n`;
    expect(compare(text, { title: "Other", body_markdown: "It rose." })).toBe(tell("text"));
  },
);

test("ends of lines, and blanks around a text, do not count", () => {
  const text = "\uFEFF---\r\ntitle: A\r\n---\r\n\r\nIt rose.\r\nIt fell.\r\n\r\n";
  expect(compare(text, { title: "A", body_markdown: "It rose.\nIt fell." })).toBe(tell("title", "text"));
  expect(() => compare(text, { title: "A", body_markdown: "It rose. It fell." })).toThrow("Its text");
});

test("a path stands for the hash of a file, and for nothing else", () => {
  const bound = `"asset_id": "01M7W2Y7M044SVG5MK9FM5ABVN", "content_sha256": "${"a".repeat(64)}"`;
  const body = (from: string) => `(1+$&\n{ "data": { "from": { ${from}, "limit": 3 } } }`;
  const payload = { title: "A", body_markdown: body(bound) };
  for (const from of [bound, '"file": "../a/b (1).csv"', "file: b.csv", "'file': 'b.csv'"])
    expect(compare(`---\ntitle: A\n---\n${body(from)}\n`, payload)).toBe(tell("title", "text"));
  for (const from of ['"file": "b.csv", "more": 1', '"other": "b.csv"', ""])
    expect(() => compare(`---\ntitle: A\n---\n${body(from)}\n`, payload)).toThrow("Its text");
});

test("of a package title and description are compared, and of a list without a title nothing", () => {
  const text = JSON.stringify({ title: "A", description: "B", resources: [] });
  expect(compare(text, { title: "A", summary: "B" }, "gauge/datapackage.json")).toBe(
    tell("title", "summary"),
  );
  expect(() => compare(text, { title: "A", summary: "C" }, "gauge/datapackage.json")).toThrow("Its summary");
  expect(compare("entries: []\n", { title: "A" }, "all.collection.yml")).toBe(REST);
});
