import { expect, test } from "vitest";
import { findPlans } from "../../../../shared/tables/dialects/find-plans.ts";
import { runs } from "../../../support/depth.ts";
import { convert, MOST, openBytes } from "./convert.ts";
import {
  createChance,
  makeTable,
  pick,
  type Written,
  writeCanonical,
  writeDialect,
} from "./write-dialect.ts";

const TABLES = runs(2_000, 10);

/** The bytes of a file whose lines were written, now and then without its last line end or with blank lines behind it. */
function bytesOf({ lines, lineEnd, encode }: Written, tail: string): Buffer {
  return encode(lines.join(lineEnd) + tail.replaceAll("\n", lineEnd));
}

async function readPlans(bytes: Buffer, nextSize?: () => number): Promise<string[]> {
  const plans = await findPlans(openBytes(bytes, nextSize), MOST);
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
    const chance = createChance(seed);
    const written = writeDialect(chance, makeTable(chance), false);
    const bytes = bytesOf(written, pick(chance, ["", "\n", "\n\n\n"]));
    const done = await convert(bytes, written.dialect, { nextSize: () => Math.floor(chance() * 20) });
    const read = "text" in done ? done.text : done.refused;
    expect(read, `seed ${seed}: ${JSON.stringify(written.dialect)}`).toBe(writeCanonical(written.table));
  }
});

test("a plan for a table is the table, one of two, or none", async () => {
  let found = 0;
  for (let seed = 1; seed <= TABLES; seed++) {
    const chance = createChance(seed);
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
