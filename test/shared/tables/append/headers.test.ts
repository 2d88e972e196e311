import { expect, test } from "vitest";
import { findHeaderDifference, readCsvPart } from "../../../../shared/tables/append/read-part.ts";

test.each([
  [["a"], ["a", "b", "c"], 'The header has column 2, "b", and the base has only 1 column.'],
  [["a", "b"], ["a"], 'The header lacks column 2, "b": it has 1 column, and the base 2.'],
  [["a", "b"], ["b", "a"], 'The header names column 1 "b", and the base "a".'],
  [
    ["x".repeat(80)],
    [`${"x".repeat(79)}y`],
    "The names look the same and are not: compare their characters.",
  ],
])("%j and %j differ first where the sentence says", (base, part, sentence) => {
  expect(findHeaderDifference(base, part)).toContain(sentence);
  expect(findHeaderDifference(base, base)).toBeNull();
});

test.each([";", "\t", "|"])("a header of the base behind %j is refused with its dialect", async (mark) => {
  const base = { names: ["a b", "c"], lineEnd: "\n" } as const;
  const read = async (header: string) => {
    const pieces = (async function* () {
      yield Buffer.from(`${header}\n`);
    })();
    for await (const _ of readCsvPart(pieces, base));
  };
  await expect(read(`a b${mark}c`)).rejects.toThrow(
    `Name the dialect of the file: ${JSON.stringify({ delimiter: mark })}.`,
  );
  // What a conversion makes of a header whose commas do not separate.
  await expect(read('"a b,c"')).rejects.toThrow('Name the dialect of the file: {"delimiter":","}.');
  await read('"a b",c');
});
