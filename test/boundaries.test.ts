import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  findCircles,
  findImports,
  findWrongArrows,
  type Imports,
  joinRooms,
  listStartPackages,
  readImports,
} from "./support/imports.ts";

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

// Inside shared a room imports only what stands in a line above its own. Files that lie loose are rooms of one file.
const FLOORS: readonly (readonly string[])[] = [
  ["addresses", "checksum", "errors", "ids", "limits", "node-http", "raw-json", "times", "version"],
  ["pagination"],
  ["core", "files", "jobs", "outbound"],
  ["environment"],
  ["config", "current-banner", "disclosure", "typefaces", "concurrency", "telemetry", "domains"],
  ["payload", "threads", "mail"],
  ["deps"],
  [
    "delete-in-batches",
    "freshness",
    "limits-in-force",
    "outbox",
    "reads",
    "relations",
    "render-context",
    "replica-reads",
    "retractions",
  ],
  ["audit", "credentials", "process"],
  ["writes", "sign-in", "drawings", "feeds", "log", "operations"],
  ["agents", "assets", "events"],
  ["oauth", "webhooks", "search", "owners", "query", "parquet", "data-changes", "dictionary"],
  ["profiles", "creations", "readers", "archive"],
  ["administration", "checks", "diffs", "erasure", "metadata", "previews", "twins"],
  ["moderation", "backup"],
  ["event-outbox"],
  ["sweeps", "doctor"],
];
const FLOOR_OF = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));

function topOf(path: string): string {
  if (path.startsWith("shared/core/")) return "shared/core";
  return path.split("/")[0] ?? "";
}

/** The room of a file in shared; elsewhere its folder. */
function roomOf(path: string): string {
  const [top = "", room = ""] = path.split("/");
  return top === "shared" ? room.replace(/\.ts$/, "") : path.slice(0, path.lastIndexOf("/"));
}

function mayImport(file: string, target: string): boolean {
  if (!(MAY_IMPORT[topOf(file)] ?? []).includes(topOf(target))) return false;
  if (!file.startsWith("shared/") || !target.startsWith("shared/")) return true;
  const [from, to] = [roomOf(file), roomOf(target)];
  return from === to || (FLOOR_OF.get(from) ?? -1) > (FLOOR_OF.get(to) ?? Number.POSITIVE_INFINITY);
}

const imports = readImports(ROOT);
const files = [...imports.keys()];

test("imports go one way only, between folders and between the rooms of shared", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(findWrongArrows(imports, mayImport)).toEqual([]);
});

test("every room of shared has its floor, and every floor its rooms", () => {
  const rooms = new Set(files.filter((file) => file.startsWith("shared/")).map(roomOf));
  expect([...rooms].filter((room) => !FLOOR_OF.has(room))).toEqual([]);
  expect([...FLOOR_OF.keys()].filter((room) => !rooms.has(room))).toEqual([]);
});

test("no files import each other in a circle, not even for a type", () => {
  expect(findCircles(imports)).toEqual([]);
});

test("no rooms of shared import each other in a circle", () => {
  const shared = new Map([...imports].filter(([file]) => file.startsWith("shared/")));
  expect(findCircles(joinRooms(shared, roomOf))).toEqual([]);
});

test("no rooms of the pure core import each other in a circle, and the theme imports no other", () => {
  const core = new Map([...imports].filter(([file]) => file.startsWith("shared/core/")));
  const rooms = joinRooms(core, (file) => file.split("/")[2] ?? "");
  expect(findCircles(rooms)).toEqual([]);
  expect(rooms.get("theme")).toEqual([]);
});

/** The imports of the tree with one more file in it, or more text in one that is there. */
function plant(file: string, text: string): Imports {
  const planted = [...(imports.get(file) ?? []), ...findImports(file, text)];
  return new Map([...imports, [file, planted] as const]);
}

test("a planted arrow to a room on the same floor or above is found, and one between folders", () => {
  const upwards = plant("shared/errors.ts", '\nimport type { Deps } from "./deps.ts";\n');
  expect(findWrongArrows(upwards, mayImport)).toEqual(["shared/errors.ts → shared/deps.ts"]);
  const beside = plant("shared/creations/planted.ts", 'import "../readers/home.ts";\n');
  expect(findWrongArrows(beside, mayImport)).toEqual([
    "shared/creations/planted.ts → shared/readers/home.ts",
  ]);
  const across = plant("workers/planted.ts", 'export { buildApp } from "../api/app.ts";\n');
  expect(findWrongArrows(across, mayImport)).toEqual(["workers/planted.ts → api/app.ts"]);
});

test("a planted circle of types is found, inside a room and between rooms", () => {
  const inside = plant("sql/connection/pool.ts", '\nexport type { TimeoutError } from "../agents.ts";\n');
  expect(findCircles(inside).flat()).toContain("sql/connection/pool.ts");
  const two: Imports = new Map([
    ["shared/a/one.ts", ["shared/b/one.ts"]],
    ["shared/b/one.ts", []],
    ["shared/b/two.ts", ["shared/a/two.ts"]],
    ["shared/a/two.ts", []],
  ]);
  expect(findCircles(two)).toEqual([]);
  expect(findCircles(joinRooms(two, roomOf))).toEqual([["a", "b"]]);
});

// Together they took 0.4 s of the 1.0 s of the processor that a command line needs to start.
const LOADED_LATER = ["bullmq", "feedsmith", "ioredis", "nodemailer", "satori", "@aws-sdk/client-s3"];
/** What `shared/node-http.ts` has in its place. */
const NEVER_IMPORTED = ["node:http"];

test.each(["api/main.ts", "workers/main.ts", "cli/main.ts", "cli/starter/preparation.ts"])(
  "%s loads at its start no large library that few processes use",
  (entry) => {
    const packages = listStartPackages(ROOT, entry);
    expect(packages).toContain("zod");
    expect([...LOADED_LATER, ...NEVER_IMPORTED].filter((name) => packages.has(name))).toEqual([]);
  },
);

test("what stays of npm start loads no library but that of PostgreSQL", () => {
  const packages = [...listStartPackages(ROOT, "cli/start.ts")];
  expect(packages).toContain("node:net");
  expect(packages.filter((name) => !name.startsWith("node:"))).toEqual(["pg"]);
});

test("the pure core touches neither disk, database, network, clock nor environment", () => {
  const IMPURE =
    /from "(?:node:(?:fs|net|http|https|child_process|worker_threads|timers)[^"]*|pg|slonik|pino|piscina)"|\bDate\.now\(|\bnew Date\(\)|process\.env|\bconsole\.(?:log|info|warn|error)\(/;
  const broken = files
    .filter((file) => topOf(file) === "shared/core")
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
