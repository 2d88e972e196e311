import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspect } from "../../shared/tables/inspection/sources.ts";

const page = await readFile(join(import.meta.dirname, "../../../api/docs/reference-files.md"), "utf8");
const section = page.slice(page.indexOf("## Types of columns"), page.indexOf("In a JSON file the value"));

/** The examples of the table in the documentation, each with the type that it is said to have. */
const EXAMPLES = [...section.matchAll(/^\| (`.+?`) +\| `(\w+)`/gm)].flatMap(([, cells = "", type = ""]) =>
  [...cells.matchAll(/`([^`]+)`/g)].map(([, cell = ""]) => [cell, type] as const),
);

async function typeOf(content: string, format: "csv" | "json"): Promise<string | undefined> {
  const verdict = await inspect(Buffer.from(content), format);
  if (!verdict.ok || verdict.inspection?.kind !== "table") throw new Error(`no table: ${content}`);
  return verdict.inspection.columns[0]?.type;
}

describe("the documentation's table of column types", () => {
  it("has examples of every kind of cell that is mistaken for another", () => {
    expect(EXAMPLES.length).toBeGreaterThan(35);
    for (const cell of ["007", "1,000", "1e5", "NaN", "2026", "yes", "no", "true", "0", "1"])
      expect(EXAMPLES.map(([example]) => example)).toContain(cell);
  });

  it.each(EXAMPLES)("is right about %s: %s", async (cell, type) => {
    expect(await typeOf(`a,b\n"${cell}",\n`, "csv")).toBe(type);
    expect(await typeOf(`a,b\n"${cell}",\n,\n`, "csv")).toBe(type);
    if (!cell.includes(",")) expect(await typeOf(`a,b\n${cell},\n`, "csv")).toBe(type);
  });

  it("is right about JSON, blanks and columns of several kinds", async () => {
    const told: [string, string][] = [
      ["1", "number"],
      ["1e5", "number"],
      ["-0.5", "number"],
      ["true", "boolean"],
      ["{}", "object"],
      ["[]", "array"],
      ['"2026-01-31"', "date"],
      ['"5"', "text"],
      ['"true"', "text"],
      ["null", "blank"],
      ['""', "blank"],
    ];
    for (const [value, type] of told) expect(await typeOf(`[{"a":${value}},{}]`, "json"), value).toBe(type);
    expect(await typeOf("a,b\n5,\nx,\n", "csv")).toBe("mixed");
    expect(await typeOf("a,b\n,\n", "csv")).toBe("blank");
  });
});
