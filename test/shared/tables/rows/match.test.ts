import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCellTest, type FilterOp } from "../../../../shared/tables/rows/conditions.ts";
import { runs } from "../../../support/depth.ts";
import { ask, askData, prepareFile } from "./reading.ts";

const OPS: FilterOp[] = ["eq", "ne", "gt", "gte", "lt", "lte"];

function toQuery(op: FilterOp, value: string): string {
  const query = { "filter[0][column]": "a", "filter[0][op]": op, "filter[0][value]": value, limit: "500" };
  return new URLSearchParams(query).toString();
}

const ROUNDS = 4;

/**
 * The processor's milliseconds of one question with each value to a file that was asked before: the least of some rounds,
 * in turn, as a collection or other work on the machine makes any one of them slow.
 */
async function measureMs(csv: string, op: FilterOp, values: readonly string[]): Promise<number[]> {
  const ready = await prepareFile(csv, "csv");
  const least = values.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, value] of values.entries()) {
      const before = process.cpuUsage();
      expect(await ask(ready, toQuery(op, value))).toMatchObject({ ok: true });
      const { user, system } = process.cpuUsage(before);
      least[place] = Math.min(least[place] ?? 0, (user + system) / 1000);
    }
  }
  return least;
}

describe("a column", () => {
  it("is matched as the rule for one cell says, whatever the notation of cells and number", async () => {
    const number = fc.constantFrom(
      ...["0", "-0", "0.0", "0e5", "1e-400", "-1e-400", "1", "1.0", "01", "1e0", "10e-1", "1e5", "100000"],
      ...["100000.00000000000000000001", "99999.99999999999999999999", "-1e5", "1e400", "1e401", "-1e400"],
      ...["0.1", "0.10000000000000000001", "0.1000000000000000055511151231257827", "9007199254740993"],
      ...["9007199254740992", "123456789012345", "123456789012345.0000001", `1${"0".repeat(100)}`, "1e100"],
    );
    const cell = fc.oneof(number, fc.constantFrom("x", "1x", "-", "+1", ".5", "2026-01-01"));
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 30 }), cell, async (cells, value) => {
        const ready = await prepareFile(`a\n${cells.join("\n")}\n`, "csv");
        const { inspection } = ready.file;
        const isText = inspection?.kind === "table" && inspection.columns[0]?.type === "text";
        for (const op of OPS) {
          const { rows } = await askData(ready, toQuery(op, value));
          expect(rows.flat(), `${op} ${value}`).toEqual(
            cells.filter(createCellTest({ op, value, values: [] }, isText)),
          );
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("is searched for long texts as for short ones", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "B", "é"), minLength: 20, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(40), fc.integer({ min: 1, max: 40 }), async (cell, from, length) => {
        const ready = await prepareFile(`a\n${cell}\n`, "csv");
        for (const value of [cell.slice(from, from + length), `${cell.slice(from)}a`, `a${cell}`]) {
          if (value === "") continue;
          const matched = cell.toLowerCase().includes(value.toLowerCase()) ? 1 : 0;
          expect(await askData(ready, toQuery("contains", value)), value).toMatchObject({ matched });
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("is compared with a number of any notation in the time of a plain one", async () => {
    // Reading the number again for each cell took twelve times as long.
    const values = ["100000", "1e5", `1${"0".repeat(100)}`];
    const [plain = 0, ...others] = await measureMs(`a\n${"7\n".repeat(400_000)}`, "gt", values);
    for (const other of others) expect(other).toBeLessThan(3 * plain + 50);
  });

  it("is searched for a text that nearly occurs everywhere, in the time of one look at each byte", async () => {
    const [took = 0] = await measureMs(`a\n${"a".repeat(1_000_000)}\n`, "contains", [`${"a".repeat(999)}b`]);
    expect(took).toBeLessThan(400);
  });
});
