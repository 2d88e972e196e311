import { expect, test } from "vitest";
import { findPlans } from "../../../../shared/tables/dialects/find-plans.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { exportAll } from "../rows/export-all.ts";
import { prepareFile } from "../rows/reading.ts";
import { convert, MOST_BYTES, openBytes } from "./convert.ts";
import { makeTable, type Table, type Written, writeCanonical, writeDialect } from "./write-dialect.ts";

const TABLES = runs(2_000, 20);

/** The bytes of a file whose lines were written, now and then without its last line end or with blank lines behind it. */
function bytesOf({ lines, lineEnd, encode }: Written, tail: string): Buffer {
  return encode(lines.join(lineEnd) + tail.replaceAll("\n", lineEnd));
}

async function readPlans(bytes: Buffer, nextSize?: () => number): Promise<string[]> {
  const plans = await findPlans(openBytes(bytes, nextSize), MOST_BYTES);
  expect(plans.length).toBeLessThanOrEqual(2);
  return Promise.all(
    plans.map(async ({ dialect, row_count }) => {
      const done = await convert(bytes, dialect);
      if (!("text" in done)) throw new Error(done.refused);
      expect(done.told.dialect).toEqual(dialect);
      expect(row_count).toBeGreaterThan(0);
      return done.text;
    }),
  );
}

test("a table in any dialect is read as the same canonical bytes, however its bytes arrive", async () => {
  for (let seed = 1; seed <= TABLES; seed++) {
    const chance = createRandom(seed);
    const written = writeDialect(chance, makeTable(chance), false);
    const bytes = bytesOf(written, pick(chance, ["", "\n", "\n\n\n"]));
    const done = await convert(bytes, written.dialect, { nextSize: () => Math.floor(chance() * 20) });
    const read = "text" in done ? done.text : done.refused;
    expect(read, `seed ${seed}: ${JSON.stringify(written.dialect)}`).toBe(writeCanonical(written.table));
    if (seed % 10 > 0) continue;
    const exported = await exportAll(await prepareFile(read, "csv"), "", "csv");
    expect(exported.join("")).toBe(read);
  }
});

test("a plan for a table is the table, one of two, or none", async () => {
  let found = 0;
  for (let seed = 1; seed <= TABLES; seed++) {
    const chance = createRandom(seed);
    const written = writeDialect(chance, makeTable(chance, 2), true);
    const plans = await readPlans(bytesOf(written, pick(chance, ["", "\n", "\n\n\n"])));
    if (plans.length === 0) continue;
    found++;
    const right = [written.table, written.asWritten].map(writeCanonical);
    expect(
      right.some((table) => plans.includes(table)),
      `seed ${seed}: ${JSON.stringify([written.lines, plans, right])}`,
    ).toBe(true);
  }
  expect(found).toBeGreaterThan(TABLES / 3);
});

/** A way to spoil a file, and the rows that it may then be read as; none where only a refusal is right. */
type Damage = (chance: Random, written: Written) => { lines: string[]; tables: Table[] };

/** A line without what stands in quotes, where a separator is a character like others. */
const outsideQuotes = (line: string, { dialect: { quoteChar = '"' } }: Written) =>
  quoteChar === null ? line : line.replaceAll(new RegExp(`${quoteChar}.*?${quoteChar}`, "gs"), "");

const lineOf = (chance: Random, { lines }: Written) => 1 + Math.floor(chance() * (lines.length - 1));

const DAMAGES: Record<string, Damage> = {
  "a separator too many": (chance, written) => {
    const at = lineOf(chance, written);
    return { lines: written.lines.with(at, `${written.lines[at]}${written.dialect.delimiter}`), tables: [] };
  },
  "a separator too few": (chance, written) => {
    const at = lineOf(chance, written);
    const line = written.lines[at] ?? "";
    const isPlain = outsideQuotes(line, written) === line;
    const fewer = isPlain ? line.replace(written.dialect.delimiter ?? ",", "") : line;
    return { lines: written.lines.with(at, fewer), tables: [] };
  },
  "a quote that opens a row": (chance, written) => {
    const at = lineOf(chance, written);
    return { lines: written.lines.with(at, `"${written.lines[at]}`), tables: [] };
  },
  "a stray quote in a value": (_, written) => {
    const at = written.lines.length - 1;
    return { lines: written.lines.with(at, (written.lines[at] ?? "").replace(/[a-z]/, '$&"')), tables: [] };
  },
  "a title of many words": (_, { lines, table, asWritten }) => ({
    lines: ["Report, of 2026; on all", ...lines],
    tables: [table, asWritten],
  }),
  "a second table": (_, { lines }) => ({ lines: [...lines, "", ...lines], tables: [] }),
  "a footnote": (_, { lines }) => ({ lines: [...lines, "Source: Kiel, 2026"], tables: [] }),
  "names again": (chance, written) => {
    const { lines, table, asWritten } = written;
    const at = lineOf(chance, written);
    const add = ({ names, rows }: Table) => ({ names, rows: rows.toSpliced(at - 1, 0, names) });
    return { lines: lines.toSpliced(at, 0, lines[0] ?? ""), tables: [add(table), add(asWritten)] };
  },
};

test.each(Object.entries(DAMAGES))(
  "a file with %s is refused by its dialect and has no wrong plan",
  async (what, damage) => {
    for (let seed = 1; seed <= TABLES; seed++) {
      const chance = createRandom(seed);
      const written = writeDialect(chance, makeTable(chance, 2), true);
      const { headerRows, header } = written.dialect;
      // What stands in one line is spoilt by its line.
      if (headerRows !== undefined || header === false || written.lines.some((line) => /[\r\n]/.test(line)))
        continue;
      const { lines, tables } = damage(chance, written);
      const delimiter = written.dialect.delimiter ?? ",";
      const widths = [lines.at(0), lines.at(-1)].map(
        (line = "") => outsideQuotes(line, written).split(delimiter).length,
      );
      // Nobody can tell a title or a note that has as many separators as a row.
      const isRow = /title|footnote/.test(what) && new Set(widths).size === 1;
      if (String(lines) === String(written.lines) || isRow) continue;
      const bytes = bytesOf({ ...written, lines }, "\n");
      const right = tables.map(writeCanonical);
      const plans = await readPlans(bytes);
      // A quote behind a value, as of inches, is a part of it.
      const isQuoteKept = what.startsWith("a stray") && /"""/.test(plans[0] ?? "");
      const isRight = plans.length !== 1 || isQuoteKept || right.includes(plans[0] ?? "");
      expect(isRight, `seed ${seed}: ${JSON.stringify([lines, plans])}`).toBe(true);
      if (tables.length > 0) continue;
      const done = await convert(bytes, written.dialect);
      // A quote within a plain value is a character, and told as such.
      const isTold = "refused" in done || done.told.hints.length > 0;
      expect(isTold, `seed ${seed}: ${JSON.stringify([written.dialect, lines, done])}`).toBe(true);
    }
  },
);
