import { describe, expect, it } from "vitest";
import { prepareFile } from "../rows/reading.ts";
import { asJson, askRefused } from "./asking.ts";

describe("a cell that is no number", () => {
  it("is left out only where it says nothing: a number that is written otherwise would be missing", async () => {
    const adviceOn = async (cell: string) => {
      const file = await prepareFile(`price\n1\n"${cell}"\n`, "csv");
      const { errors } = await askRefused(file, asJson({ aggregate: [{ op: "sum", column: "price" }] }));
      return errors["aggregate.0.column"]?.[0];
    };
    for (const cell of ["1,234.50", "15.7%", "(1,250.00)", "€ 5", "٩٥", " 7"])
      expect(await adviceOn(cell)).toBe(
        `Column "price", row 3: "${cell}" is no number as it is written. Left out, it would be missing from the result: its file has to write it as 1234, -5 and 0.5 are, or be read by a dialect.`,
      );
    const json = await prepareFile('[{"price": 1}, {"price": "15.7%"}]', "json");
    const { errors } = await askRefused(json, asJson({ aggregate: [{ op: "sum", column: "price" }] }));
    expect(errors["aggregate.0.column"]?.[0]).toMatch(/as 1234, -5 and 0\.5 are, without quotes\.$/);
    for (const cell of ["NA", "x", "-", "5 to 7"])
      expect(await adviceOn(cell)).toBe(
        `Column "price", row 3: "${cell}" is no number. Leave it out with blank[]=${cell}.`,
      );
  });

  it("is told what takes it where it is data of another kind", async () => {
    const table = await prepareFile("day,open,year\n2026-01-31,true,2026\n", "csv");
    const dates = "Count dates, take their min or max, or group them by month or the like, or leave";
    for (const [question, advice] of [
      [{ aggregate: [{ op: "sum", column: "day" }] }, dates],
      [{ group: [{ column: "day", step: 1 }] }, dates],
      [{ aggregate: [{ op: "avg", column: "open" }] }, "Group by it to count each, or leave"],
      [{ group: [{ column: "year", by: "year" }] }, "Group without by, or leave"],
      [{ group: [{ column: "day", by: "hour" }] }, "Group by something coarser, or leave"],
    ] as const) {
      const { errors } = await askRefused(table, asJson(question));
      expect(Object.values(errors)).toEqual([[expect.stringContaining(`. ${advice} it out with blank[]=`)]]);
    }
  });
});
