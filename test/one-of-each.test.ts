import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

// What the service has one of. Each test reads the sources and names the files that hold a second one.
const ROOT = resolve(import.meta.dirname, "..");

/** The files of the service in which a pattern occurs, tests left out. */
function findFiles(pattern: RegExp): string[] {
  const files = globSync("{api,cli,shared,sql,workers}/**/*.ts", { cwd: ROOT });
  return files.filter((file) => pattern.test(readFileSync(resolve(ROOT, file), "utf8"))).sort();
}

test("one withTimeout: nothing else races a promise against a timer", () => {
  expect(findFiles(/\bPromise\.race\(/)).toEqual([
    // Children, the database and the signal to stop: whichever ends first.
    "cli/embedded/running.ts",
    "cli/supervisor/supervisor.ts",
    // A job against the signal by which the engine cancels it.
    "shared/jobs/bullmq.ts",
    "sql/connection/with-timeout.ts",
  ]);
  expect(findFiles(/\bclass TimeoutError\b/)).toEqual(["sql/connection/with-timeout.ts"]);
});

test("one Refusal: no second class, and nothing knows it by its name", () => {
  expect(findFiles(/\bclass \w*(?:Refusal|Refused)\b|\bextends Refusal\b|["']Refusal["']/)).toEqual([
    // What inspection finds wrong with a file: shared/core knows no codes, and inspect.ts makes a verdict of it.
    "shared/core/inspect/verdict.ts",
    "shared/errors.ts",
  ]);
});
