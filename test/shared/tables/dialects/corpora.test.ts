import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { findPlans } from "../../../../shared/tables/dialects/find-plans.ts";
import { convert, judge, MOST_BYTES, openBytes } from "./convert.ts";

// Real files with their clean twins lie beside the project, where there are any.
const FOLDER = resolve(import.meta.dirname, "../../../../../shared/corpora/real-csv");
const isThere = existsSync(FOLDER);

interface Parameters {
  delimiter: string;
  header_lines: string;
  preamble_lines: string;
  encoding: string;
}

const files: { file: string; parameters: Parameters }[] = isThere
  ? JSON.parse(readFileSync(join(FOLDER, "index.json"), "utf8"))
  : [];

/** The rows of a canonical text behind its header. */
const rowsOf = (text: string) => text.slice(text.indexOf("\r\n") + 2);

async function readRows(bytes: Uint8Array, dialect: Dialect): Promise<string | null> {
  const done = await convert(bytes, dialect);
  return "text" in done ? rowsOf(done.text) : null;
}

// The twins name columns in ways of their own; some have rows of other widths, or leave out rows in the middle.
const UNCLEAN = ["file-05", "file-10", "file-24", "file-26", "file-30"];

/** `file-29` has semicolons, whatever its parameters say. */
function toDialect(file: string, parameters: Parameters): Dialect {
  const { header_lines, preamble_lines, encoding } = parameters;
  const delimiter = file === "file-29.csv" ? ";" : parameters.delimiter;
  const above = Number(preamble_lines);
  const count = Number(header_lines);
  return {
    ...{ delimiter, encoding, nullColumns: "name" },
    ...(count === 0 ? { header: false } : {}),
    // The last row of names: those above repeat each other where they stand over several columns.
    ...(count > 0 && above + count > 1 ? { headerRows: [above + count] } : {}),
  };
}

test.skipIf(!isThere).each(files)(
  "$file is read by its named parameters, and has no wrong plan",
  async ({ file, parameters }) => {
    const bytes = readFileSync(join(FOLDER, file));
    const name = file.replace(".csv", "");
    const clean = await readRows(readFileSync(join(FOLDER, `${name}.clean.csv`)), {
      header: false,
      rows: [2, null],
    });
    const named = await readRows(bytes, toDialect(file, parameters));
    if (!UNCLEAN.includes(name) && clean !== null && named !== null) expect(named).toBe(clean);
    const plans = await findPlans(openBytes(bytes), MOST_BYTES);
    expect(plans.length).toBeLessThanOrEqual(1);
    for (const { dialect } of plans) {
      if (UNCLEAN.includes(name)) continue;
      const { decimalChar: _, groupChar: __, columns: ___, ...unmarked } = dialect;
      expect(await readRows(bytes, unmarked)).toBe(clean);
    }
  },
);

test.skipIf(!isThere)("at least 20 of the real files are read by their parameters", async () => {
  const read = await Promise.all(
    files.map(({ file, parameters }) =>
      readRows(readFileSync(join(FOLDER, file)), toDialect(file, parameters)),
    ),
  );
  expect(read.filter((rows) => rows !== null).length).toBeGreaterThanOrEqual(20);
});

// What each file of the wild is told: by the beginning of its refusal's cause, or by the codes of its hints.
const REAL: Record<string, RegExp | string[]> = {
  "file-01": ["header_like_data"],
  "file-02": /the names seem to be in row 2/,
  "file-03": ["number_format", "mixed_column"],
  "file-04": /Row 1 looks like data/,
  "file-05": /the names seem to be in row 3/,
  "file-06": [],
  "file-07": ["mixed_column"],
  "file-08": ["mixed_column"],
  "file-09": /no name for column 1\. .*Row numbers/,
  "file-10": ["other_separator", "number_format"],
  "file-11": ["mixed_column"],
  "file-18": /the names seem to be in row 2/,
  "file-19": /the names seem to be in row 2\. .*several rows/,
  "file-20": /the names seem to be in row 3/,
  "file-21": /the names seem to be in row 3/,
  "file-23": [],
  "file-24": /the file is empty/,
  "file-26": /the names seem to be in row 4/,
  "file-27": ["last_rows", "number_format"],
  "file-28": [],
  "file-30": /the names seem to be in row 2\. .*several rows/,
};
for (const number of [12, 13, 14, 15, 16, 17, 22, 25, 29])
  REAL[`file-${number}`] = /[Ss]emicolons .*separate the values/;

test.skipIf(!isThere).each(files)("$file is told what it is", async ({ file }) => {
  const verdict = await judge(readFileSync(join(FOLDER, file)));
  const told = REAL[file.replace(".csv", "")];
  if (told instanceof RegExp)
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringMatching(told) });
  else expect(verdict.ok && verdict.hints.map(({ code }) => code)).toEqual(told);
});
