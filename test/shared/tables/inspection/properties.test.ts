import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../../../../shared/tables/inspection/byte-blocks.ts";
import { decodeCsvRecord } from "../../../../shared/tables/inspection/csv-header.ts";
import { finishScan, scanBlock } from "../../../../shared/tables/inspection/csv-scan.ts";
import { startCsvScan } from "../../../../shared/tables/inspection/csv-scan-state.ts";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import { type FileFormat, FileRefused } from "../../../../shared/tables/inspection/verdict.ts";
import { runs } from "../../../support/depth.ts";
import { inspect, streamOnce } from "./sources.ts";

// Few characters, each with a meaning, so that short texts reach every rule.
const csvText = fc
  .array(fc.constantFrom(...'ab1,"\n\r', "\r\n", "é", "😀", "\ufeff", ";", " "), { maxLength: 60 })
  .map((parts) => parts.join(""));
const cell = fc
  .array(fc.constantFrom(...'ab1,"\n\r -.', "\r\n", "é", "😀"), { maxLength: 6 })
  .map((parts) => parts.join(""));
const grid = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
  );

async function readAll(text: string, blockBytes?: number): Promise<string[][] | "refused"> {
  const records: string[][] = [];
  const scan = startCsvScan({
    lines: () => {},
    record: ({ buffer }, _cells, start, end) => records.push([...decodeCsvRecord(buffer, start, end)]),
    newKind: () => {},
    brokenRecord: () => {},
    blankLines: (_scan, count) => records.push(...Array.from({ length: count }, () => [""])),
  });
  try {
    for await (const block of readBlocks(streamOnce(text), blockBytes)) scanBlock(scan, block);
    finishScan(scan);
  } catch (error) {
    if (error instanceof FileRefused) return "refused";
    throw error;
  }
  return records;
}

/** RFC 4180 by the letter, one character at a time: slow, and independent of the scan and of papaparse. */
function readSlowly(text: string): string[][] | "refused" {
  const records: string[][] = [];
  let rest = text;
  while (rest !== "") {
    const record: string[] = [];
    for (;;) {
      const match = /^(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/.exec(rest);
      if (match === null || (match[0] === "" && rest !== "")) return "refused";
      record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
      rest = rest.slice(match[0].length);
      if (match[3] !== ",") break;
    }
    records.push(record);
  }
  return records;
}

/** Blank lines at the end do not count; a quoted empty value does, so the text decides. */
function withoutFinalBlankLines(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/(^|\n)(?:\r?\n)+$/, "$1");
}

describe("CSV records", () => {
  it("are what a slow reader of RFC 4180 gives, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(csvText, async (text) => {
        expect(await readAll(text)).toEqual(readSlowly(withoutFinalBlankLines(text)));
      }),
      { numRuns: runs(3000) },
    );
  });

  it("are what papaparse gives for what papaparse has written", async () => {
    await fc.assert(
      fc.asyncProperty(grid, fc.constantFrom("\n" as const, "\r\n" as const), async (rows, newline) => {
        const text = `x${Papa.unparse(rows, { newline, quotes: true })}`.slice(1);
        const theirs = Papa.parse<string[]>(text, { delimiter: ",", newline, header: false });
        expect(theirs.errors).toEqual([]);
        expect(await readAll(text)).toEqual(theirs.data);
      }),
      { numRuns: runs(500) },
    );
  });

  it("come back as they were, with line ends mixed row by row", async () => {
    await fc.assert(
      fc.asyncProperty(grid, fc.array(fc.boolean(), { minLength: 1 }), async (rows, ends) => {
        const lines = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","));
        const text = lines
          .map((line, index) => `${line}${ends[index % ends.length] ? "\r\n" : "\n"}`)
          .join("");
        expect(await readAll(text)).toEqual(rows);
      }),
      { numRuns: runs(500) },
    );
  });
});

const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("null", "true", "-0", "1.50", "1e400", "12345678901234567890", '""', '"2026-01-01"'),
    fc.string({ unit: "grapheme", maxLength: 5 }).map((text) => JSON.stringify(text)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" ,")}]`),
    fc
      .array(fc.tuple(fc.constantFrom("a", "b", "2020", "__proto__", "é"), tie("value")), { maxLength: 4 })
      .map((members) => `{${members.map(([key, json]) => `"${key}" :\n${json}`).join(",")}}`),
  ),
})).value as fc.Arbitrary<string>;

const mutatedJson = fc
  .tuple(
    jsonValue,
    fc.nat(),
    fc.constantFrom(...'[]{},:"\\ \n01-.eEtfnu', "", "\\u00e9", "\ufeff"),
    fc.boolean(),
  )
  .map(([json, at, put, replaces]) => {
    const index = at % (json.length + 1);
    return json.slice(0, index) + put + json.slice(index + (replaces ? 1 : 0));
  })
  // JSON.parse accepts half surrogates and NUL escapes, and a cut pair is no text: those rules have tests of their own.
  .filter(
    (text) => text.isWellFormed() && !text.startsWith("\ufeff") && !/\\u(0000|[dD][89a-fA-F])/.test(text),
  );

function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("JSON texts", () => {
  it("are accepted exactly when JSON.parse accepts them", async () => {
    await fc.assert(
      fc.asyncProperty(mutatedJson, async (text) => {
        expect((await inspect(text, "json")).ok).toBe(parsesAsJson(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  it("give the rows that JSON.parse gives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(jsonValue, { maxLength: 10 }), async (values) => {
        const text = `[${values.map((json) => `{"id":1,"v":${json}}`).join(",")}]`;
        const verdict = await inspect(text, "json");
        const rows: { v: unknown }[] = JSON.parse(text);
        expect(verdict).toMatchObject({ ok: true, inspection: { row_count: values.length } });
        const sample: unknown = verdict.ok && JSON.parse(verdict.inspectionJson ?? "").sample;
        expect(sample).toEqual(rows.map((row) => [1, row.v]));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("the verdict does not depend on", () => {
  const anyFile = fc.oneof(
    fc.tuple(csvText.map(Buffer.from), fc.constant<FileFormat>("csv")),
    fc.tuple(mutatedJson.map(Buffer.from), fc.constant<FileFormat>("json")),
    fc.tuple(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.concat([Buffer.from("a\né😀"), bytes])),
      fc.constantFrom<FileFormat>("csv", "json", "txt"),
    ),
  );

  it("how the bytes arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFile,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async ([bytes, format], sizes) => {
          const whole = await inspectFile(streamOnce(bytes), format);
          expect(await inspectFile(streamOnce(bytes, sizes), format)).toEqual(whole);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it("where the blocks that are decoded at once end", async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.integer({ min: 1, max: 12 }), async ([bytes, format], blockBytes) => {
        const whole = await inspectFile(streamOnce(bytes), format);
        expect(await inspectFile(streamOnce(bytes), format, { blockBytes })).toEqual(whole);
      }),
      { numRuns: runs(2000) },
    );
  });
});
