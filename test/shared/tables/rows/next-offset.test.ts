import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ask, askData, LIMITS, prepareFile, type ReadyFile, readJson } from "./reading.ts";

describe("the size of an answer", () => {
  it("stays near 1 MB for wide rows, and the chain goes on", async () => {
    const ready = await prepareFile(`a\n${`${"x".repeat(9_996)}\n`.repeat(300)}`, "csv");
    const outcome = await ask(ready, "limit=500");
    const json = outcome.ok ? readJson(outcome) : "";
    expect(JSON.parse(json)).toMatchObject({ returned: 99, next_offset: 99, matched: 300 });
    expect(json.length).toBeLessThan(1_000_200);
  });

  it("gives a row of 9 MiB alone", async () => {
    const rowOf = (value: string) => new Array(9).fill(value).join(",");
    const long = `"${"x".repeat(1_048_576)}"`;
    const header = Array.from({ length: 9 }, (_, at) => `c${at}`).join(",");
    const ready = await prepareFile(`${header}\n${rowOf("1")}\n${rowOf(long)}\n${rowOf("3")}\n`, "csv");
    expect(await askData(ready, "")).toMatchObject({ returned: 1, next_offset: 1 });
    expect(await askData(ready, "offset=1")).toMatchObject({ returned: 1, next_offset: 2 });
  });
});

/** Follows next_offset to the end. */
async function readChain(ready: ReadyFile, query: string, rowsResponseBytes: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await askData(ready, `${query}&offset=${offset}`, { ...LIMITS, rowsResponseBytes });
    rows.push(...page.rows);
    offset = page.next_offset;
  }
  return rows;
}

describe("a chain of next_offset", () => {
  it("covers every matching row exactly once, whatever limit, condition, order and size", async () => {
    const cells = fc.array(fc.constantFrom("", "1", "2", "10", "x", "yy".repeat(20)), { maxLength: 40 });
    const op = fc.constantFrom("eq", "ne", "gt", "contains");
    const condition = fc.option(fc.tuple(op, fc.constantFrom("1", "2", "x")));
    const format = fc.constantFrom("csv", "json", "document");
    await fc.assert(
      fc.asyncProperty(
        cells,
        condition,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom("start", "end"),
        fc.constantFrom(1, 60, 200, 1_000_000),
        format,
        async (values, filter, limit, from, bytes, kind) => {
          const ready = await prepareNumbered(values, kind);
          const condition =
            filter === null
              ? ""
              : `&filter[0][column]=v&filter[0][op]=${filter[0]}&filter[0][value]=${filter[1]}`;
          const all = await askData(ready, `limit=500${condition}`);
          expect(all.returned).toBe(all.matched);
          const chain = await readChain(ready, `limit=${limit}&from=${from}${condition}`, bytes);
          expect(chain).toEqual(from === "start" ? all.rows : all.rows.toReversed());
        },
      ),
      { numRuns: 150 },
    );
  });
});

function prepareNumbered(values: string[], kind: string): Promise<ReadyFile> {
  if (kind === "csv") {
    return prepareFile(`id,v\n${values.map((value, index) => `${index},${value}\n`).join("")}`, "csv");
  }
  // A first row keeps both columns and the record list there when no value is drawn.
  const rows = [{ id: -1, v: "first" }, ...values.map((value, index) => ({ id: index, v: value || null }))];
  return prepareFile(JSON.stringify(kind === "json" ? rows : { before: [1], rows, after: {} }), "json");
}
