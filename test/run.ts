import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { findChromium, installChromium } from "./support/chromium.ts";
import { findJava, installJava } from "./support/java.ts";
import { openScratch } from "./support/leftovers.ts";
import { findRedis, installRedis } from "./support/redis.ts";

// npm test: every project in an order that suits two cores, then the slowest files and one plain last line.
// Further arguments go to vitest and mean one run, such as: npm test -- test/sql
const ROOT = join(import.meta.dirname, "..");
const SLOWEST = 10;
const STAGES = [
  ["--project", "unit", "--project", "db"],
  ["--project", "cli"],
  ["--project", "e2e"],
  ["--project", "faults"],
];

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
type Report = z.infer<typeof Report>;

process.exit(await main(process.argv.slice(2)));

async function main(given: readonly string[]): Promise<number> {
  await provideChromium();
  await provideRedis();
  await provideJava();
  const stages = given.length > 0 ? [given] : STAGES;
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-reports-"));
  const scratch = await openScratch();
  try {
    const reports: (Report | null)[] = [];
    for (const [index, stage] of stages.entries()) {
      reports.push(await runStage(stage, join(folder, `${index}.json`), scratch.folder));
    }
    return reportOutcome(reports, await scratch.close());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A test that wants a browser gets one where that can be had, and says loudly where it cannot. */
async function provideChromium(): Promise<void> {
  if (findChromium() !== null || !existsSync(join(ROOT, "test", "e2e"))) return;
  if (!(await installChromium()))
    console.warn("No Chromium here and none can be installed: its tests are left out.");
}

/** The same for the tests of the Redis lane. */
async function provideRedis(): Promise<void> {
  if (findRedis() !== null) return;
  if (!(await installRedis()))
    console.warn("No Redis here and none can be installed: its tests are left out.");
}

/** The same for the Nu checker, which is a Java program. */
async function provideJava(): Promise<void> {
  if (findJava() !== null || !existsSync(join(ROOT, "test", "api", "site"))) return;
  if (!(await installJava()))
    console.warn("No Java here and none can be installed: pages are not checked by the Nu checker.");
}

async function runStage(stage: readonly string[], file: string, scratch: string): Promise<Report | null> {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const args = [vitest, "run", "--passWithNoTests=false", ...reporters, ...stage];
  const env = { ...process.env, TMPDIR: scratch };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  const text = await readFile(file, "utf8").catch(() => null);
  const report = text === null ? null : Report.parse(JSON.parse(text));
  // A run that failed for another reason than a test (an error between tests) must not count as passed.
  return report === null || (code !== 0 && report.numFailedTests === 0 && report.success) ? null : report;
}

function reportOutcome(reports: readonly (Report | null)[], leftovers: readonly string[]): number {
  const known = reports.filter((report) => report !== null);
  const files = known.flatMap((report) => report.testResults);
  const skipped = files.flatMap(({ name, assertionResults }) => {
    const excused = isWithoutCorpora(name);
    return assertionResults
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ fullName }) => ({ fullName, excused }));
  });
  const brokenFiles = files.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const passed = known.reduce((sum, report) => sum + report.numPassedTests, 0);
  const broken = reports.length - known.length + brokenFiles;
  const counted = process.env.CI ? skipped.filter(({ excused }) => !excused).length : 0;
  const failed =
    known.reduce((sum, report) => sum + report.numFailedTests, 0) + broken + counted + leftovers.length;
  reportSlowest(files);
  for (const leftover of leftovers) console.log(`left behind, which counts as failed: ${leftover}`);
  for (const { fullName } of skipped) console.log(`left out: ${fullName}`);
  if (counted > 0) console.log(`${counted} tests were left out, which counts as failed here.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** The corpora lie beside the project where they lie at all; the tests that read them must not be needed without. */
function isWithoutCorpora(file: string): boolean {
  return !existsSync(join(ROOT, "..", "shared", "corpora")) && readFileSync(file, "utf8").includes("corpora");
}

function reportSlowest(files: Report["testResults"]): void {
  const timed = files.map(({ name, startTime, endTime }) => ({
    name: name.replace(`${ROOT}/`, ""),
    seconds: (endTime - startTime) / 1000,
  }));
  timed.sort((left, right) => right.seconds - left.seconds);
  console.log(`\nThe ${SLOWEST} slowest files:`);
  for (const { name, seconds } of timed.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
