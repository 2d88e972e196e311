import { afterEach, expect, test, vi } from "vitest";
import { reportOutcome } from "./support/outcome.ts";
import type { Report } from "./support/stage.ts";

type File = Report["testResults"][number];

const printed = vi.spyOn(console, "log");
afterEach(() => printed.mockReset());

function outcomeOf(files: readonly Partial<File>[], leftovers: readonly string[] = []) {
  printed.mockImplementation(() => undefined);
  const testResults = files.map((file) => ({
    ...{ name: "/a.test.ts", startTime: 0, endTime: 1, status: "passed", message: "", assertionResults: [] },
    ...file,
  }));
  const count = (status: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter((one) => one.status === status)
      .length;
  const counts = { numPassedTests: count("passed"), numFailedTests: count("failed"), success: true };
  const code = reportOutcome([{ name: "db", seconds: 1, report: { ...counts, testResults } }], leftovers);
  return { code, text: printed.mock.calls.flat().join("\n"), last: printed.mock.calls.at(-1)?.[0] };
}
const good = { fullName: "holds", status: "passed" };
const bad = { fullName: "breaks", status: "failed", failureMessages: ["Error: it broke"] };

test("a run passes where each test did", () => {
  expect(outcomeOf([{ assertionResults: [good, good] }])).toMatchObject({
    code: 0,
    last: "2 passed, 0 failed",
  });
});

test("a file that fails after its tests fails the run, and says with what", () => {
  const file = { status: "failed", message: "AssertionError: something is left", assertionResults: [good] };
  const { code, text, last } = outcomeOf([file]);
  expect([code, last]).toEqual([1, "1 passed, 1 failed"]);
  expect(text).toContain("failed: /a.test.ts\nAssertionError: something is left");
});

test("a file that could not be loaded, a failed test and something left behind are counted once each", () => {
  const files = [
    { status: "failed", message: "SyntaxError" },
    { status: "failed", assertionResults: [good, bad] },
  ];
  const { code, text, last } = outcomeOf(files, ["folder /x"]);
  expect([code, last]).toEqual([1, "1 passed, 3 failed"]);
  expect(text).toContain("failed: /a.test.ts > breaks\nError: it broke");
});

test("a run without a test does not pass", () => {
  expect(outcomeOf([])).toMatchObject({ code: 1, last: "0 passed, 0 failed" });
});
