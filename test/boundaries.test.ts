import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

// One way: api → shared → sql and workers → shared → sql; a command line is a door beside the API.
const ROOT = resolve(import.meta.dirname, "..");
const MAY_IMPORT: Record<string, readonly string[]> = {
  sql: ["sql"],
  "shared/core": ["shared/core"],
  shared: ["shared", "shared/core", "sql"],
  api: ["api", "shared", "shared/core"],
  workers: ["workers", "shared", "shared/core"],
  cli: ["cli", "shared", "shared/core"],
};

function roomOf(path: string): string {
  if (path.startsWith("shared/core/")) return "shared/core";
  return path.split("/")[0] ?? "";
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/g;
const files = globSync("{sql,shared,api,workers,cli}/**/*.ts", { cwd: ROOT });

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const paths = [...text.matchAll(IMPORT)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? match[2] ?? "")),
  );
  return paths.filter((path) => path.endsWith(".ts"));
}

test("imports go one way only", () => {
  const broken = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !(MAY_IMPORT[roomOf(file)] ?? []).includes(roomOf(target)))
      .map((target) => `${file} → ${target}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});

test("the pure core touches neither disk, database, network, clock nor environment", () => {
  const IMPURE =
    /from "(?:node:(?:fs|net|http|https|child_process|worker_threads|timers)[^"]*|pg|slonik|pino|piscina)"|\bDate\.now\(|\bnew Date\(\)|process\.env|\bconsole\.(?:log|info|warn|error)\(/;
  const broken = files
    .filter((file) => roomOf(file) === "shared/core")
    .filter((file) => IMPURE.test(readFileSync(join(ROOT, file), "utf8")));
  expect(broken).toEqual([]);
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
  expect(users).toEqual(["shared/jobs/pg-boss.ts"]);
});
