import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { watchEncoding } from "../../../../shared/tables/inspection/encoding.ts";
import { FileRefused } from "../../../../shared/tables/inspection/verdict.ts";
import { runs } from "../../../support/depth.ts";
import { inspect, reasonOf, streamBytes } from "./sources.ts";

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(" ", ""), "hex");

const refusals: [what: string, content: string | Buffer, reason: RegExp][] = [
  [
    "Windows-1252",
    Buffer.from("a,b\n1,2\ncaf\xe9,3\n", "latin1"),
    /^Line 3 \(byte 12\) is not UTF-8 text: byte E9, "é" in Windows-1252\. Convert the file .* iconv -f WINDOWS-1252 -t UTF-8/,
  ],
  ["its euro sign", Buffer.from("a\n\x80 5\n", "latin1"), /byte 80, "€" in Windows-1252\./],
  ["a byte that Windows-1252 leaves free", hex("61 0a 81 0a"), /: byte 81\. Convert/],
  ["the first half of a surrogate pair", hex("61 0a ed a0 80 0a"), /^Line 2 \(byte 3\) is not UTF-8 text/],
  ["the end of a file cut in a character", hex("61 0a e2 82"), /byte E2.* the end of the file cuts/],
  [
    "UTF-16 with a byte-order mark",
    Buffer.from("\ufeffa,b\n", "utf16le"),
    /^The file is UTF-16 text\. .* iconv -f UTF-16LE -t UTF-8/,
  ],
  [
    "UTF-32 with a byte-order mark",
    Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0x0a, 0, 0, 0]),
    /^The file is UTF-32 text,.* iconv -f UTF-32 -t UTF-8/,
  ],
  [
    "UTF-32 without one",
    Buffer.from([0x61, 0, 0, 0, 0x2c, 0, 0, 0, 0x62, 0, 0, 0]),
    /^The file is UTF-32 text,/,
  ],
  [
    "UTF-32 of the other byte order",
    Buffer.from([0, 0, 0, 0x61, 0, 0, 0, 0x0a]),
    /^The file is UTF-32 text,/,
  ],
  [
    "UTF-16 without one",
    Buffer.from("a,b\n1,2\n", "utf16le"),
    /^The file is UTF-16 text\. .* -f UTF-16LE -t/,
  ],
  [
    "UTF-16 of the other byte order",
    Buffer.from("a,b\n1,2\n", "utf16le").swap16(),
    /^The file is UTF-16 .* -f UTF-16BE -t/,
  ],
  ["a sheet", hex("50 4b 03 04 14 00 06 00"), /^The file is a ZIP archive or an office file.* sheet as CSV/],
  ["an old sheet", hex("d0 cf 11 e0 a1 b1 1a e1"), /^The file is an old office file.* sheet as CSV/],
  ["a Parquet file", "PAR1\u0015\u0004\u0015\u0080", /^The file is a Parquet file/],
  ["an SQLite database", "SQLite format 3\0", /^The file is an SQLite database/],
  ["a GIF image", "GIF89a", /^The file is a GIF image/],
];

const readWatched = async (content: Buffer, sizes: number[]): Promise<string | null> => {
  const watch = watchEncoding();
  try {
    for await (const chunk of streamBytes(content, sizes)) watch(chunk);
    watch();
    return null;
  } catch (error) {
    if (error instanceof FileRefused) return error.message;
    throw error;
  }
};

describe("a file is refused, with the way to mend it, for", () => {
  it.each(refusals)("%s", async (_what, content, reason) => {
    for (const format of ["csv", "json", "txt"] as const)
      if (format === "txt" || reason.source.startsWith("^The file is"))
        expect(await reasonOf(content, format)).toMatch(reason);
    expect(await readWatched(Buffer.from(content), [3])).toMatch(reason);
  });
});

describe("bytes that are watched as they come in", () => {
  const parts = fc.constantFrom(
    ...["61", "0a", "c3a9", "e282ac", "f09f9880", "c3", "82", "e282", "ff", "efbbbf", "fffe", "255044462d"],
  );

  it("are refused in the words of inspection, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (some, sizes) => {
          const content = hex(some.join(""));
          const verdict = await inspect(content, "txt");
          expect(await readWatched(content, sizes)).toBe(verdict.ok ? null : verdict.reason);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
