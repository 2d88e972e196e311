import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type EndedStage, type Report, ROOT } from "./stage.ts";

const SLOWEST = 10;
/** Of each failure at the end: enough to see what was expected and where, in a log whose beginning may be cut. */
const MOST_LINES = 25;
type File = Report["testResults"][number];

/** Prints the times, the skipped tests, what else went wrong and the plain last line; gives the exit code. */
export function reportOutcome(stages: readonly EndedStage[], others: readonly string[]): number {
  const known = stages.flatMap(({ report }) => report ?? []);
  const files = known.flatMap((report) => report.testResults);
  const skipped = files.flatMap(listSkipped);
  const brokenFiles = files.filter(isBroken).length;
  const passed = known.reduce((sum, report) => sum + report.numPassedTests, 0);
  const broken = stages.length - known.length + brokenFiles;
  const counted = process.env.CI ? skipped.filter(({ isExcused }) => !isExcused).length : 0;
  const failed =
    known.reduce((sum, report) => sum + report.numFailedTests, 0) + broken + counted + others.length;
  reportTimes(stages, files);
  for (const { name, report } of stages)
    if (report === null) console.log(`stage ${name} ended without a sound report, which counts as failed`);
  for (const other of others) console.log(`counts as failed: ${other}`);
  for (const { fullName } of skipped) console.log(`left out: ${fullName}`);
  if (counted > 0) console.log(`${counted} tests were left out, which counts as failed here.`);
  for (const failure of files.flatMap(listFailures)) console.log(`\n${failure}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** Whether a file failed outside of its tests: as it was loaded, or in what comes before or after them. */
function isBroken({ status, assertionResults }: File): boolean {
  return status === "failed" && !assertionResults.some((result) => result.status === "failed");
}

/** What failed in a file, each with its first lines: its tests, or the file itself when none of them ran. */
function listFailures(failed: File): string[] {
  const { name, message, assertionResults } = failed;
  const file = name.replace(`${ROOT}/`, "");
  const lines = (text: string) => text.split("\n").filter((line) => !line.includes("node_modules"));
  const shorten = (text: string) => lines(text).slice(0, MOST_LINES).join("\n");
  if (isBroken(failed)) return [`failed: ${file}\n${shorten(message)}`];
  return assertionResults
    .filter((result) => result.status === "failed")
    .map(
      ({ fullName, failureMessages }) =>
        `failed: ${file} > ${fullName}\n${shorten((failureMessages ?? []).join("\n"))}`,
    );
}

function listSkipped({ name, assertionResults }: File): { fullName: string; isExcused: boolean }[] {
  const isExcused = isWithoutCorpora(name);
  return assertionResults
    .filter(({ status }) => status !== "passed" && status !== "failed")
    .map(({ fullName }) => ({ fullName, isExcused }));
}

/** Whether a test file reads corpora that are missing: they lie beside the project and are optional. */
function isWithoutCorpora(file: string): boolean {
  return !existsSync(join(ROOT, "..", "shared", "corpora")) && readFileSync(file, "utf8").includes("corpora");
}

function reportTimes(stages: readonly EndedStage[], files: readonly File[]): void {
  const timed = files.map(({ name, startTime, endTime }) => ({
    name: name.replace(`${ROOT}/`, ""),
    seconds: (endTime - startTime) / 1000,
  }));
  const folders = new Map<string, number>();
  for (const { name, seconds } of timed) {
    const folder = name.split("/").slice(0, -1).slice(0, 3).join("/");
    folders.set(folder, (folders.get(folder) ?? 0) + seconds);
  }
  reportTable("Stages", stages);
  reportTable(`The ${SLOWEST} slowest files`, sort(timed).slice(0, SLOWEST));
  reportTable("Folders", sort(Array.from(folders, ([name, seconds]) => ({ name, seconds }))));
}

interface Timed {
  name: string;
  seconds: number;
}

function sort(timed: readonly Timed[]): Timed[] {
  return timed.toSorted((left, right) => right.seconds - left.seconds);
}

function reportTable(title: string, rows: readonly Timed[]): void {
  console.log(`\n${title}:`);
  for (const { name, seconds } of rows) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
