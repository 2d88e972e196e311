import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendTo, openKept, partFrom } from "../../../../shared/datasets/uploads/append-base.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import { openDiskStore } from "../../../../shared/platform/files/disk.ts";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import { FileRefused } from "../../../../shared/tables/inspection/verdict.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runs } from "../../../support/depth.ts";

const KEY = "01M7WVM8W0T8NYB19BE1ATAT9N";
const SAYS_WHOSE = " Rows and lines are those of the file that you sent, not of the whole.";

const folder = await openFolder();
const files = openDiskStore(folder);

type Format = "csv" | "json";

async function* inPieces(bytes: Uint8Array, size = 7) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const inspect = (text: string | Buffer, format: Format, from?: number) =>
  inspectFile(inPieces(Buffer.from(text), 97), format, { blockBytes: 64, partFrom: from });

async function rowsOf(text: string, format: Format): Promise<number> {
  const verdict = await inspect(text, format);
  if (!verdict.ok || verdict.inspection?.kind !== "table")
    throw new Error(`no table: ${JSON.stringify(verdict)}`);
  return verdict.inspection.row_count;
}

/** The result of an append with its verdict, or the sentence that refuses it. */
async function append(base: string, part: string, format: Format) {
  await files.put(KEY, inPieces(Buffer.from(base), 4_096));
  const table = { key: KEY, format, bytes: Buffer.byteLength(base), rows: await rowsOf(base, format) };
  try {
    const kept = await openKept(files, table);
    const stream = appendTo(files, kept, inPieces(Buffer.from(part)));
    // Copies: a piece is valid only until the next one.
    const whole = Buffer.concat(await Array.fromAsync(stream, (piece) => Buffer.from(piece)));
    return { whole: whole.toString(), verdict: await inspect(whole, format, partFrom(kept)) };
  } catch (error) {
    if (error instanceof FileRefused) return { refused: error.message };
    if (error instanceof Refusal) return { refused: `${Object.keys(error.errors)[0]}: ${error.message}` };
    throw error;
  }
}

const lineEnd = fc.constantFrom("\n", "\r\n");
const mark = fc.constantFrom("", "\ufeff");
const cell = fc.constantFrom(
  "1",
  "x",
  "Zürich",
  '"a,b"',
  '"two\nlines"',
  '"one\r\ntwo"',
  '"a ""q"""',
  "4.5",
  '"\r"',
);
const csvRows = fc.array(
  fc.tuple(cell, cell, lineEnd).map(([a, b, end]) => `${a},${b}${end}`),
  { maxLength: 8 },
);
const header = fc.constantFrom("a,b", '"a",b', '"a","b"');

describe("a CSV", () => {
  const base = fc.record({ mark, header, end: lineEnd, rows: csvRows, isOpen: fc.boolean() });
  const part = fc.record({ mark, header, end: lineEnd, rows: csvRows, isOpen: fc.boolean() });

  test("is the base, a line end where it lacks one, and the part without mark and header", async () => {
    const property = fc.asyncProperty(base, part, async (one, other) => {
      const chop = (text: string, isOpen: boolean) => (isOpen ? text.replace(/\r?\n$/, "") : text);
      const whole = chop(`${one.mark}${one.header}${one.end}${one.rows.join("")}`, one.isOpen);
      const rest = chop(other.rows.join(""), other.isOpen);
      const sent =
        other.rows.length === 0 && other.isOpen ? other.header : `${other.header}${other.end}${rest}`;
      const lacks = !whole.endsWith("\n");
      const joint = lacks ? (one.rows.length === 0 ? "\n" : one.end) : "";
      const found = await append(whole, `${other.mark}${sent}`, "csv");
      expect(found.whole).toBe(`${whole}${joint}${rest}`);
      const rows = one.rows.length + other.rows.length;
      expect(found.verdict).toMatchObject({ inspection: { row_count: rows }, rowsAdded: other.rows.length });
    });
    await fc.assert(property, { numRuns: runs(800) });
  });

  const FAULTS = [
    "3\n",
    "1,2,3\n",
    "\n1,2\n",
    'x,"y"z\n',
    "1,2\r3,4\n",
    '1,"open\n',
    "1,\u00002\n",
    "1,2\n3\n4\n",
    "1,2\r",
  ];
  test("is refused for the fault of the part alone, and it says whose rows it counts", async () => {
    const property = fc.asyncProperty(
      csvRows,
      csvRows,
      fc.constantFrom(...FAULTS),
      fc.constantFrom("a,b", '"a\nb",c'),
      async (before, own, fault, names) => {
        const part = `${names}\r\n${own.join("")}${fault}`;
        const alone = await inspect(part, "csv");
        const found = await append(`${names}\n${before.join("")}`, part, "csv");
        if (alone.ok) throw new Error("the part has no fault");
        const [first = ""] = alone.reason.split(/(?<=[.;]) /);
        const told = found.refused ?? (found.verdict.ok ? "" : found.verdict.reason);
        expect([told.startsWith(first), told.endsWith(SAYS_WHOSE)]).toEqual([
          true,
          found.refused === undefined,
        ]);
      },
    );
    await fc.assert(property, { numRuns: runs(400) });
  });

  test.each([
    ["another name", "a,c\n1,2\n", 'names column 2 "c", and the base "b"'],
    ["another order", "b,a\n1,2\n", 'names column 1 "b", and the base "a"'],
    ["a column less", "a\n1\n", 'lacks column 2, "b": it has 1 column, and the base 2'],
    ["a column more", "a,b,c\n1,2,3\n", 'has column 3, "c", and the base has only 2 columns'],
    ["names in another case", "A,b\n1,2\n", 'names column 1 "A", and the base "a"'],
    ["no header but rows", "1,2\n", 'names column 1 "1"'],
    ["no byte", "", "the file is empty"],
    ["a mark and no more", "\ufeff", "the file is empty"],
    ["a blank line first", "\na,b\n", "It is a blank line"],
    ["a repeated name", "a,a\n", "columns 1 and 2"],
    ["an open quote in its header", 'a,"b\n1,2\n'.padEnd(99, "x"), 'column 2 "b'],
    ["a header without end", "x".repeat(100_000), "names column 1"],
    ["a bare CR in its header", "a,b\r1,2\r", "bare carriage return"],
  ])("with %s in the part is refused before anything is stored", async (_name, part, sentence) => {
    expect((await append("a,b\n1,2\n", part, "csv")).refused).toContain(sentence);
  });

  test("is taken by a base whose header would be refused today", async () => {
    const [base, part] = ["a,b\ufeff\n1,2\n", "3,4\n"];
    expect((await inspect(base, "csv")).ok).toBe(false);
    const verdict = await inspect(base + part, "csv", Buffer.byteLength(base));
    expect(verdict).toMatchObject({
      ok: true,
      rowsAdded: 1,
      inspection: { columns: [{}, { name: "b\ufeff" }] },
    });
  });

  test.each(["a\n1\n\n", "a\r\n1\r\n\r\n", "a\n\n", "a,b\n1,2\n\r\n\n"])(
    "%j as a base ends with blank lines",
    async (base) => {
      expect((await append(base, base, "csv")).refused).toMatch(/^base_asset_id: .*blank lines/);
    },
  );

  test("names that look the same are told apart", async () => {
    expect((await append("é\n1\n", "e\u0301\n2\n", "csv")).refused).toContain('"e\u0301", and the base "é"');
  });
});

describe("a JSON list", () => {
  const space = fc.constantFrom("", " ", "\n", "\r\n\t", "\n  ");
  const record = fc.constantFrom(
    '{"a":1}',
    '{"b":"x]"}',
    '{"a":{"c":[1,2]}}',
    '{"ä":null,\n"a":"\\""}',
    "{}",
  );
  const list = fc
    .tuple(
      mark,
      space,
      fc.array(
        fc.tuple(space, record, space).map((texts) => texts.join("")),
        { maxLength: 6 },
      ),
      space,
      space,
    )
    .map(([bom, before, items, inside, after]) => {
      const content = items.length === 0 ? inside : items.join(",");
      return { bom, before, content, after, count: items.length };
    });

  test("is the base up to its bracket, a comma where both have items, and the part behind its bracket", async () => {
    const property = fc.asyncProperty(list, list, async (one, other) => {
      const start = `${one.bom}${one.before}[${one.content}`;
      const rest = `${other.content}]${other.after}`;
      const found = await append(`${start}]${one.after}`, `${other.bom}${other.before}[${rest}`, "json");
      const joint = one.count > 0 && other.count > 0 ? "," : " ";
      expect(found.whole).toBe(`${start}${other.before}${joint}${rest}`);
      const rows = one.count + other.count;
      expect(found.verdict).toMatchObject({ inspection: { row_count: rows }, rowsAdded: other.count });
      expect(JSON.parse((found.whole ?? "").replace("\ufeff", ""))).toHaveLength(rows);
    });
    await fc.assert(property, { numRuns: runs(800) });
  });

  const FAULTS = [
    '[{"a":1},]',
    '[{"a":1}',
    '[\n{"a":01}]',
    '[{"a":1}] x',
    "[{a:1}]",
    '[{"a":"\n"}]',
    "[",
    '[] {"a":1}',

    '[{"a":1}\n{"a":2}]',
  ];
  test("is refused with the sentence that refuses the part alone", async () => {
    const property = fc.asyncProperty(list, space, fc.constantFrom(...FAULTS), async (one, before, fault) => {
      const part = `${before}${fault}`;
      const alone = await inspect(part, "json");
      const found = await append(`${one.bom}${one.before}[${one.content}]${one.after}`, part, "json");
      if (alone.ok) throw new Error("the part has no fault");
      expect(found.verdict).toEqual({ ok: false, reason: alone.reason + SAYS_WHOSE });
    });
    await fc.assert(property, { numRuns: runs(400) });
  });

  test.each([
    ['[{"a":1}]', "[1]", "Item 1 of the list is no object"],
    ['[{"a":1}]', '[{"a":2},{"a":3},[]]', "Item 3 of the list is no object"],
    ["[]", '[{"a":2},null]', "Item 2 of the list is no object"],
  ])("%s takes no other items than objects: %s", async (base, part, sentence) => {
    expect((await append(base, part, "json")).verdict).toMatchObject({
      reason: expect.stringContaining(sentence),
    });
  });

  test.each([
    ['{"rows":[]}', "Line 1: an object begins here"],
    ["\n\n7", "Line 3: no list begins here"],
    ["", "The file holds no JSON value"],
    [" \n ", "The file holds no JSON value"],
    [`[${" ".repeat(40_000)}{}]`, "more than 16,384 bytes of white space"],
  ])("a part that is no list is refused before anything is stored: %j", async (part, sentence) => {
    expect((await append('[{"a":1}]', part, "json")).refused).toContain(sentence);
  });

  test("with much white space behind it is found to end where its bracket is", async () => {
    const found = await append(`[{"a":1}${" ".repeat(5_000)}]${"\n".repeat(9_000)}`, '[{"a":2}]', "json");
    expect(found.whole).toBe(`[{"a":1}${" ".repeat(5_000)},{"a":2}]`);
  });
});
