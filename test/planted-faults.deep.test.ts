import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PARTS = [
  "shared/ground",
  "shared/tables",
  "test/shared/tables",
  "test/support",
  "vitest.config.ts",
  "package.json",
];
const TESTS = [
  "test/shared/tables/inspection/differential.test.ts",
  "test/shared/tables/rows/differential.test.ts",
];
const WITHIN_MS = 300_000;

/** Faults of reasoning, each a text of the product and what stands in its place. */
const FAULTS: [fault: string, file: string, right: string, wrong: string][] = [
  [
    "every fourth year has a leap day",
    "inspection/dates.ts",
    "(year % 100 !== 0 || year % 400 === 0)",
    "year > 0",
  ],
  ["an exponent has no plus", "inspection/column-types.ts", "([eE][+-]?\\d+)?$/", "([eE]-?\\d+)?$/"],
  ["a month without a day is a text", "inspection/dates.ts", '? null : "month"', "? null : null"],
  ["True is a text", "inspection/csv-cells.ts", " || four === CAPITAL_TRUE", ""],
  ["the sample has nine rows", "inspection/verdict.ts", "SAMPLE_ROWS = 10", "SAMPLE_ROWS = 9"],
  ["an outline has 49 members", "inspection/json-outline.ts", "MOST_MEMBERS = 50", "MOST_MEMBERS = 49"],
  [
    "a repeated member counts twice",
    "inspection/json-outline.ts",
    "if (isRepeated) frame",
    "if (isRepeated && false) frame",
  ],
  [
    "doubles compare digits that they do not hold",
    "rows/decimal.ts",
    "MOST_NUMBER_BYTES = 15",
    "MOST_NUMBER_BYTES = 40",
  ],
  [
    "a text equals each that it begins",
    "statistics/value-counts.ts",
    "return end - start - others.length",
    "return 0",
  ],
  [
    "the last page has a next one",
    "rows/page.ts",
    "query.offset + returned < matched",
    "query.offset + returned <= matched",
  ],
];

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "broadsheet-faults-"));
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(async () => {
  await rm(copy, { recursive: true, force: true });
});

/** Runs the differential tests in the copy, up to the first that fails. */
async function runTests(): Promise<{ failed: boolean; output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_DEEP)/.test(name));
  const args = [
    join("node_modules", "vitest", "vitest.mjs"),
    "run",
    "--project",
    "unit",
    "--bail",
    "1",
    ...TESTS,
  ];
  const env = { ...Object.fromEntries(own), DIFFERENTIAL_FILES: "400" };
  const options = { cwd: copy, env, timeout: WITHIN_MS, maxBuffer: 64e6 };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: `${stdout}${stderr}` });
    });
  });
}

test("the differential tests pass as the product stands", { timeout: WITHIN_MS }, async () => {
  const { failed, output } = await runTests();
  expect(failed, output).toBe(false);
});

test.each(FAULTS)("they find that %s", { timeout: WITHIN_MS }, async (_fault, file, right, wrong) => {
  const path = join(copy, "shared/tables", file);
  const text = await readFile(path, "utf8");
  expect(text.split(right)).toHaveLength(2);
  await writeFile(
    path,
    text.replace(right, () => wrong),
  );
  const { failed, output } = await runTests();
  await writeFile(path, text);
  expect([failed, output.includes("AssertionError")], output).toEqual([true, true]);
});
