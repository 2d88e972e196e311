import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, installChromium } from "./support/chromium.ts";
import { findJava, installJava } from "./support/java.ts";
import { openScratch } from "./support/leftovers.ts";
import { reportOutcome } from "./support/outcome.ts";
import { findRedis, installRedis } from "./support/redis.ts";
import { type EndedStage, ROOT, runStage, type Stage } from "./support/stage.ts";

// npm test: stages that run at once, one group after the other, then where the time went and one plain last line.
// npm run test:deep: what npm test tries in part or not at all, whole. Further arguments go to vitest and mean one run,
// such as: npm test -- test/sql
const DATABASE: Stage = { name: "db", args: ["--project", "db"] };
const COMMANDS: Stage = {
  name: "cli, faults and unit",
  args: ["--project", "cli", "--project", "faults", "--project", "unit"],
};
const SERVICES: Stage = { name: "e2e", args: ["--project", "e2e"] };
const CLOCKS: Stage = { name: "clocks", args: ["--project", "clocks"] };
// Processes that are started, killed and waited for leave the cores to the other tests for most of their time; pure code
// comes after them, so that the three end at about the same time.
const GROUPS: readonly (readonly Stage[])[] = [[DATABASE, COMMANDS, SERVICES, CLOCKS]];

process.exit(await main(process.argv.slice(2)));

async function main(given: readonly string[]): Promise<number> {
  const isDeep = given[0] === "--deep";
  const args = isDeep ? given.slice(1) : given;
  await provideChromium();
  await provideRedis();
  if (isDeep) await provideJava();
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-reports-"));
  const scratch = await openScratch();
  const env = {
    ...process.env,
    TMPDIR: scratch.folder,
    // Some hundred processes are started: with this each takes 1.2 s of the processor to load, without it 2.0 s.
    NODE_COMPILE_CACHE: join(scratch.folder, "compile-cache"),
    ...(isDeep ? { TEST_DEEP: "1" } : {}),
  };
  const ended: EndedStage[] = [];
  try {
    for (const group of chooseGroups(isDeep, args)) {
      const running = group.map((stage, at) => {
        const file = join(folder, `${ended.length + at}.json`);
        return runStage(stage, { file, env, isQuiet: at > 0 });
      });
      ended.push(...(await Promise.all(running)));
    }
    const unread = isDeep && args.length === 0 ? listUnread(ended) : [];
    return reportOutcome(ended, [...(await scratch.close()), ...unread]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function chooseGroups(isDeep: boolean, args: readonly string[]): readonly (readonly Stage[])[] {
  if (args.length > 0) return [[{ name: "as given", args }]];
  if (!isDeep) return GROUPS;
  const files = listDeepFiles();
  const deepen = (projects: readonly string[]): Stage => ({
    name: `deep: ${projects.join(" and ")}`,
    args: [...projects.flatMap((project) => ["--project", project]), ...files],
  });
  // One after the other: nothing presses here. Of the files each project runs its own.
  return [[deepen(["unit", "db", "cli"])], [deepen(["e2e"])], [deepen(["faults", "clocks"])]];
}

/** Tests of their own for the deep run, and those that try a part of their cases in npm test. */
function listDeepFiles(): string[] {
  return globSync("test/**/*.test.ts", { cwd: ROOT })
    .filter(
      (file) =>
        file.endsWith(".deep.test.ts") || readFileSync(join(ROOT, file), "utf8").includes("support/depth.ts"),
    )
    .toSorted();
}

/** Deep files that no project ran. */
function listUnread(ended: readonly EndedStage[]): string[] {
  const read = new Set(ended.flatMap(({ report }) => report?.testResults.map(({ name }) => name) ?? []));
  return listDeepFiles()
    .filter((file) => !read.has(join(ROOT, file)))
    .map((file) => `run by no project: ${file}`);
}

/** A test that wants a browser gets one where that can be had, and says loudly where it cannot. */
async function provideChromium(): Promise<void> {
  if (findChromium() !== null || !existsSync(join(ROOT, "test", "e2e"))) return;
  if (!(await installChromium()))
    console.warn("No Chromium here and none can be installed: its tests are left out.");
}

/** The same for the tests of jobs that Redis carries. */
async function provideRedis(): Promise<void> {
  if (findRedis() !== null) return;
  if (!(await installRedis()))
    console.warn("No Redis here and none can be installed: its tests are left out.");
}

/** The same for the Nu checker, which is a Java program. */
async function provideJava(): Promise<void> {
  if (findJava() !== null) return;
  if (!(await installJava()))
    console.warn("No Java here and none can be installed: pages are not checked by the Nu checker.");
}
