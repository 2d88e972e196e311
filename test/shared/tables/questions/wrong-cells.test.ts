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
    expect(errors["aggregate.0.column"]?.[0]).toMatch(/as 1234, -5 and 0\.5 are\.$/);
    for (const cell of ["NA", "x", "-", "5 to 7"])
      expect(await adviceOn(cell)).toBe(
        `Column "price", row 3: "${cell}" is no number. Leave it out with blank[]=${cell}.`,
      );
  });
});
