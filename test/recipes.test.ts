import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { DEEP } from "./support/depth.ts";
import { applyBlock, type RecipeBlock, readRecipes } from "./support/recipes.ts";

// Plays the recipes of docs/recipes: all of them, in their order, on a copy of the tree.
const ROOT = join(import.meta.dirname, "..");
const NOT_COPIED = new Set(["node_modules", ".git", "data", ".demo", "coverage"]);
const WITHIN_MS = 400_000;

/** What a newcomer's change is checked by: the file, and which of its tests. */
const TESTS = [
  ["test/boundaries.test.ts", "fifteen rooms|imports from itself|import each other"],
  ["test/one-of-each.test.ts", "lock_version is raised|one list has every sweep"],
  ["test/patterns.test.ts", "count-words"],
  ["test/api/openapi/document.test.ts", "the document as it is served|a validator"],
  ["test/api/openapi/told.test.ts", "every (?:member|parameter|operation)"],
  ["test/api/openapi/examples.test.ts", "show every request|Pin\\."],
  ["test/shared/identity/audit/act-words.test.ts", "has words"],
  ["test/api/routes/agent/subtitle.test.ts", "subtitle|without one|has none"],
  ["test/api/routes/agent/pins.test.ts", "\\bpins?\\b|a note changes"],
  ["test/sql/migrations.test.ts", "the one that is written down"],
  ["test/shared/identity/owners/account-tables.test.ts", "every table of an owner|the end of an account"],
  ["test/shared/care/operations/examples.test.ts", "every metric"],
  ["test/workers/every-job.test.ts", "the job count-pin-words"],
  ["test/cli/command-lines.test.ts", "of every command and of every option"],
  ["test/api/mcp/tools.test.ts", "the contract's order|9,000 tokens"],
  ["test/api/mcp/tools-page.test.ts", "lists every tool"],
  ["test/api/mcp/parity.test.ts", "every tool is walked|(?:create|pin)_creation with"],
  ["test/api/docs/docs.test.ts", "list of the folder|a page pins"],
  ["test/api/docs/examples.test.ts", "fresh service pins"],
] as const;

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

let blocks: RecipeBlock[];
let copy: string;

beforeAll(async () => {
  blocks = readRecipes(ROOT);
  copy = await mkdtemp(join(tmpdir(), "broadsheet-recipes-"));
  for (const name of readdirSync(ROOT).filter((entry) => !NOT_COPIED.has(entry))) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const block of blocks) await applyBlock(copy, block);
});
afterAll(async () => {
  await rm(copy, { recursive: true, force: true });
});

/** Runs a program of node_modules in the copy; its exit code and what it wrote. */
async function run(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  const env = { ...Object.fromEntries(own), NODE_ENV: undefined };
  return await new Promise((resolve) => {
    const options = { cwd: copy, env, timeout: WITHIN_MS, maxBuffer: 64e6 };
    execFile(process.execPath, [join("node_modules", program), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}

test("there is a recipe for each kind of change", () => {
  const made = blocks.filter(({ isNew }) => isNew).map(({ path }) => path);
  expect(made).toEqual([
    "sql/migrations/0999_pins.sql",
    "sql/works/pins.ts",
    "shared/requests/pin.ts",
    "shared/works/pins/pins.ts",
    "api/routes/agent/pins.ts",
    "api/openapi/schemas/pin.ts",
    "test/api/routes/agent/pins.test.ts",
    "shared/works/pins/count-words.ts",
    "api/docs/pins.md",
    "test/api/routes/agent/subtitle.test.ts",
    "cli/commands/pin.ts",
  ]);
  const changed = [
    "sql/care/expired-rows.ts",
    "shared/platform/telemetry/metrics.ts",
    "api/mcp/tools/drafts-and-uploads.ts",
  ];
  expect(blocks.map(({ path }) => path)).toEqual(expect.arrayContaining(changed));
});

test.for(DEEP ? ["types"] : [])(
  "%s hold when every recipe was followed",
  { timeout: WITHIN_MS },
  async () => {
    expect(await run("typescript/bin/tsc", ["--noEmit", "--singleThreaded"])).toEqual({
      code: 0,
      output: "",
    });
  },
);

test("the code of the recipes has the style of the tree", { timeout: WITHIN_MS }, async () => {
  const files = new Set(blocks.map(({ path }) => path).filter((path) => /\.(?:ts|json)$/.test(path)));
  const { code, output } = await run("@biomejs/biome/bin/biome", ["check", "--vcs-enabled=false", ...files]);
  expect(code, output).toBe(0);
});

test.for(DEEP ? ["the noun's test and the tests of every list"] : [])(
  "%s pass",
  { timeout: WITHIN_MS },
  async () => {
    const report = join(copy, "report.json");
    const names = TESTS.map(([, pattern]) => pattern).join("|");
    // As the recipe of a migration says, -u renews the schema that is written down.
    const options = ["-u", "--reporter=json", `--outputFile=${report}`, "-t", names];
    const projects = ["unit", "db", "cli", "e2e"].flatMap((project) => ["--project", project]);
    const files = TESTS.map(([file]) => file);
    const { output } = await run("vitest/vitest.mjs", ["run", ...projects, ...options, ...files]);
    const text = await readFile(report, "utf8").catch(() => Promise.reject(new Error(output)));
    const { testResults } = Report.parse(JSON.parse(text));
    const failures = testResults.flatMap(({ name, message, assertionResults }) => [
      ...(message === "" ? [] : [`${name}: ${message}`]),
      ...assertionResults.flatMap((one) => one.failureMessages.map((reason) => `${one.fullName}: ${reason}`)),
    ]);
    expect(failures).toEqual([]);
    const passed = testResults.filter(({ assertionResults }) =>
      assertionResults.some(({ status }) => status === "passed"),
    );
    expect(passed.map(({ name }) => name.slice(name.indexOf("test/"))).toSorted()).toEqual(files.toSorted());
    expect(await readFile(join(copy, "test/sql/schema.snapshot.txt"), "utf8")).toContain(
      "pins.words integer",
    );
  },
);
