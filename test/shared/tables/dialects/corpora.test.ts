import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { findPlans } from "../../../../shared/tables/dialects/find-plans.ts";
import { convert, MOST, openBytes } from "./convert.ts";

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
    const plans = await findPlans(openBytes(bytes), MOST);
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
