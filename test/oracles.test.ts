import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const RUN_LINES = 6;

/** Every run of lines of a file, without white space that says nothing. */
function listRuns(file: string): string[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
  return lines.slice(RUN_LINES - 1).map((_, at) => lines.slice(at, at + RUN_LINES).join("\n"));
}

test("no oracle has six lines of the product: a copy would share its faults", () => {
  const product = new Map<string, string>();
  for (const file of globSync("{api,cli,shared,sql,workers}/**/*.ts")) {
    for (const run of listRuns(file)) product.set(run, file);
  }
  const oracles = globSync("test/**/oracle/**/*.ts");
  expect(oracles.length).toBeGreaterThan(5);
  const shared = oracles.flatMap((oracle) =>
    listRuns(oracle).flatMap((run) =>
      product.has(run) ? [`${oracle} and ${product.get(run)}:\n${run}`] : [],
    ),
  );
  expect(shared).toEqual([]);
});
