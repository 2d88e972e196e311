import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MOST_LINES = 250;

/** The lines of a text, as an editor numbers them. */
function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

// The linter refuses a long file while it is written, but counts neither the lines within a quoted text nor comments at
// the end.
test("no file of code or tests has more than 250 lines", () => {
  const files = globSync(["*.ts", "{api,cli,shared,sql,test,workers}/**/*.ts"]);
  expect(files.length).toBeGreaterThan(1_000);
  const long = files.filter((file) => countLines(readFileSync(file, "utf8")) > MOST_LINES);
  expect(long.toSorted()).toEqual([]);
});

test("a line is counted whether it ends with a line end or not", () => {
  expect(["a\n".repeat(250), `${"a\n".repeat(250)}b`, "`\n".repeat(251)].map(countLines)).toEqual([
    250, 251, 251,
  ]);
});
