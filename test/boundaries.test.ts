import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  findCircles,
  findImports,
  findWrongArrows,
  type Imports,
  listStartPackages,
  readImports,
} from "./support/imports.ts";
import { listRows } from "./support/markdown-rows.ts";

// The README's table lists the rooms from the ground up: a room imports from itself and from those above it in the table.
// The last three start each other as processes, and import nothing of each other.
const ROOT = resolve(import.meta.dirname, "..");
const DOORS: ReadonlySet<string> = new Set(["api", "workers", "cli"]);
/** Inside the interface, from the ground up. */
const API = ["api/http", "api/openapi", "api/pages", "api/routes", "api/mcp", "api/app.ts", "api/main.ts"];

const rooms = listRooms(readFileSync(join(ROOT, "README.md"), "utf8"));
const imports = readImports(ROOT);
const files = [...imports.keys()];

function listRooms(readme: string): string[] {
  const [, part = ""] = readme.split("\n## Rooms\n");
  return listRows(part.split("\n## ")[0] ?? "").flatMap(([name = ""]) => (name === "Room" ? [] : [name]));
}

/** The place of a file in a list of folders and files; -1 where it is in none of them. */
function placeIn(list: readonly string[], file: string): number {
  return list.findIndex((place) => file === place || file.startsWith(`${place}/`));
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [placeIn(rooms, file), placeIn(rooms, target)];
  if (from < 0 || to < 0 || to > from) return false;
  if (to < from) return !DOORS.has(rooms[to] ?? "");
  return rooms[from] !== "api" || placeIn(API, file) >= placeIn(API, target);
}

test("the README names fifteen rooms, and every file of code is in one of them", () => {
  expect(rooms).toHaveLength(15);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => placeIn(rooms, file) < 0)).toEqual([]);
  expect(files.filter((file) => file.startsWith("api/") && placeIn(API, file) < 0)).toEqual([]);
});

test("a room imports from itself and from those above it", () => {
  expect(findWrongArrows(imports, mayImport)).toEqual([]);
});

test("no files import each other in a circle, not even for a type", () => {
  expect(findCircles(imports)).toEqual([]);
});

/** The imports of the tree with one more file in it, or more text in one that is there. */
function plant(file: string, text: string): Imports {
  const planted = [...(imports.get(file) ?? []), ...findImports(file, text)];
  return new Map([...imports, [file, planted] as const]);
}

test.each([
  ["shared/ground/planted.ts", 'import type { Deps } from "../platform/deps.ts";', "shared/platform/deps.ts"],
  ["shared/reading/planted.ts", 'import "../works/slugs.ts";', "shared/works/slugs.ts"],
  ["workers/planted.ts", 'export { buildApp } from "../api/app.ts";', "api/app.ts"],
  ["cli/planted.ts", 'export { runWorkers } from "../workers/runner.ts";', "workers/runner.ts"],
  ["api/http/planted.ts", 'import "../pages/planted.ts";', "api/pages/planted.ts"],
  ["shared/planted.ts", 'import "./ground/errors.ts";', "shared/ground/errors.ts"],
])("a planted arrow of %s is found", (file, text, target) => {
  expect(findWrongArrows(plant(file, `\n${text}\n`), mayImport)).toEqual([`${file} → ${target}`]);
});

test("a planted circle of types is found", () => {
  const circle = plant(
    "sql/connection/pool.ts",
    '\nexport type { AgentRow } from "../identity/agents.ts";\n',
  );
  expect(findCircles(circle).flat()).toContain("sql/connection/pool.ts");
});

/** Libraries that few processes use, each with the milliseconds of the processor that loading it takes; a command takes 300. */
const LOADED_LATER = {
  "@aws-sdk/client-s3": 65,
  "@simplewebauthn/server": 137,
  bullmq: 98,
  ioredis: 58,
  nodemailer: 67,
};

test.each(["api/main.ts", "workers/main.ts", "cli/main.ts", "cli/start.ts"])(
  "%s loads at its start no large library that few processes use",
  (entry) => {
    const packages = listStartPackages(ROOT, entry);
    expect(packages).toContain("zod");
    expect(Object.keys(LOADED_LATER).filter((name) => packages.has(name))).toEqual([]);
  },
);

/** What lets code see or change anything but its own values. */
const IMPURE =
  /from "(?:node:(?:fs|net|http|https|child_process|worker_threads|timers|process|perf_hooks)[^"]*|pg|slonik|pino|piscina)"|\bDate\.now\(|\bnew Date\(\)|\b(?:performance|Atomics|process)\.\w|\bMath\.random\b|\bset(?:Timeout|Interval|Immediate)\(|\bconsole\.(?:log|info|warn|error)\(/;

test("the pure rooms touch neither disk, database, network, clock, chance, threads nor environment", () => {
  const pure = files.filter((file) => /^shared\/(?:ground|tables|text)\//.test(file));
  expect(pure.filter((file) => IMPURE.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

test("no statement of ours asks the database's clock", () => {
  const clock = /\b(?:now\(\)|CURRENT_TIMESTAMP|statement_timestamp\(\)|transaction_timestamp\(\))/i;
  const broken = globSync("sql/**/*.{ts,sql}", { cwd: ROOT }).filter((file) =>
    clock.test(readFileSync(join(ROOT, file), "utf8").replace(/\/\/.*|--.*|\/\*[\s\S]*?\*\//g, "")),
  );
  expect(broken).toEqual([]);
});

test("sql.unsafe stands only where a transaction is lent to the job engine", () => {
  const users = files.filter((file) => /sql\.unsafe/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(users).toEqual(["shared/platform/jobs/pg-boss.ts"]);
});
