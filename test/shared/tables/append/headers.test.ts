import { expect, test } from "vitest";
import { findHeaderDifference, readCsvPart } from "../../../../shared/tables/append/read-part.ts";

test("names that differ behind what a sentence shows are said to look the same", () => {
  const names = ["x".repeat(80)];
  expect(findHeaderDifference(names, [`${"x".repeat(79)}y`])).toContain(
    "The names look the same and are not: compare their characters.",
  );
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
