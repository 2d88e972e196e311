import fc from "fast-check";
import { expect, test } from "vitest";
import { readInHalves } from "../../../../shared/platform/threads/read-in-halves.ts";
import { readPage } from "../../../../shared/tables/rows/page.ts";
import { planRows, type RowsPlan } from "../../../../shared/tables/rows/plan.ts";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";
import { cutWindows, findIndexedTable } from "../../../../shared/tables/rows/windows.ts";
import { runs } from "../../../support/depth.ts";
import { LIMITS, prepareFile, SMALL_WINDOW, sourceOf } from "../../tables/rows/reading.ts";

const ROWS = 9_000;
const cells = Array.from(
  { length: ROWS },
  (_, row) => `${row},${row % 1_000 < 3 ? "rare" : row % 7},${"x".repeat(row % 90)}`,
);
const ready = await prepareFile(`n,kind,pad\n${cells.join("\n")}\n`, "csv");
if (ready.index === null) throw new Error("a table without an index");
const { index } = ready;

function planOf(query: string, rowsResponseBytes: number): RowsPlan {
  const limits = { ...LIMITS, rowsResponseBytes };
  const parsed = parseRowsQuery(new URLSearchParams(query), limits);
  const plan = parsed.ok ? planRows(ready.file, parsed.query, limits) : parsed;
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  return plan;
}

const CONDITIONS = [
  "filter[0][column]=kind&filter[0][op]=eq&filter[0][value]=rare",
  "filter[0][column]=kind&filter[0][op]=eq&filter[0][value]=3",
  "filter[0][column]=n&filter[0][op]=lt&filter[0][value]=4",
  "filter[0][column]=n&filter[0][op]=gte&filter[0][value]=8990",
  "filter[0][column]=n&filter[0][op]=lt&filter[0][value]=0",
  "filter[0][column]=pad&filter[0][op]=contains&filter[0][value]=xxxxxxxx",
];

test("a page of two halves is the page of the whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        condition: fc.constantFrom(...CONDITIONS),
        offset: fc.oneof(fc.nat(40), fc.nat(ROWS)),
        limit: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 500 })),
        from: fc.constantFrom("start", "end"),
        bytes: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.constant(1_000_000)),
      }),
      async ({ condition, offset, limit, from, bytes }) => {
        const plan = planOf(`${condition}&offset=${offset}&limit=${limit}&from=${from}`, bytes);
        const windows = cutWindows(plan, findIndexedTable(index, plan), SMALL_WINDOW);
        expect(windows.length).toBeGreaterThan(3);
        const read = (some: RowsPlan, part: typeof windows) =>
          readPage(some, part, { bytes: null, source: sourceOf(ready.content) });
        const [whole, halves] = await Promise.all([
          read(plan, windows),
          readInHalves(plan, windows, (some, part) => read(some, [...part])),
        ]);
        expect({ ...halves, rows: Buffer.from(halves.rows).toString() }).toEqual({
          ...whole,
          rows: Buffer.from(whole.rows).toString(),
        });
      },
    ),
    { numRuns: runs(2_000) },
  );
});
