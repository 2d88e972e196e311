import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SWEEPS } from "../shared/care/sweeps.ts";
import { WORKERS } from "../shared/platform/jobs/catalogue.ts";

// What stands once: each of these fails when a second one appears.
const ROOT = join(import.meta.dirname, "..");
const files = globSync("{sql,shared,api,workers,cli}/**/*.ts", { cwd: ROOT }).sort();

/** The files whose code, comments left out, has the pattern. */
function listFilesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(readCode(file)));
}

function readCode(file: string): string {
  return readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

test("lock_version is raised in one place", () => {
  expect(listFilesWith(/lock_version\s*=\s*(?:\w+\.)?lock_version\s*\+/)).toEqual(["sql/works/versioned.ts"]);
});

test("one list has every sweep, under names of its own, and the clock and the command line read it", () => {
  expect(listFilesWith(/^ {2}everyMs: number;/m)).toEqual(["shared/care/sweeps.ts"]);
  expect(listFilesWith(/\bSWEEPS\b/).filter((file) => !file.startsWith("shared/text/"))).toEqual([
    "shared/care/sweeps.ts",
    "workers/runner.ts",
  ]);
  expect(readCode("cli/commands/sweep.ts")).toMatch(/\bsweepAll\b/);
  // Lost work has one for each worker that has such work.
  expect(new Set(SWEEPS.map(({ name, worker }) => `${name} ${worker}`)).size).toBe(SWEEPS.length);
  const list = readCode("shared/care/sweeps.ts");
  const written = files.flatMap((file) => [
    ...readCode(file).matchAll(/export async function (sweep\w+)\(deps: Deps\)/g),
  ]);
  const names = written.map(([, name = ""]) => name).filter((name) => name !== "sweepAll");
  expect(names.filter((name) => list.match(new RegExp(`\\b${name}\\b`, "g"))?.length !== 2)).toEqual([]);
});

test("one engine carries every job, and each job names its worker", () => {
  const catalogue = readCode("shared/platform/jobs/catalogue.ts");
  expect(readCode("shared/platform/jobs/open.ts").match(/\bawait open\w+\(/g)).toHaveLength(2);
  expect(catalogue.match(/\bjob\("(\w+)"/g)?.length).toBeGreaterThan(0);
  for (const [, worker = ""] of catalogue.matchAll(/\bjob\(\s*"(\w+)"/g)) expect(WORKERS).toContain(worker);
});

test("what every part of the service works with is never written to after it is made", () => {
  expect(listFilesWith(/\bdeps\.\w+\s*=[^=>]/)).toEqual([]);
});

test("memory that threads share, which no collector counts, is one piece that is used again, and single numbers", () => {
  expect(listFilesWith(/new SharedArrayBuffer\(/)).toEqual([
    // How many bytes of a file were read, and when a task began.
    "shared/datasets/uploads/inspect-upload.ts",
    "shared/platform/threads/pool.ts",
    "shared/platform/threads/shared-cache.ts",
  ]);
});

test("one withTimeout: nothing else races a promise against a timer", () => {
  expect(listFilesWith(/\bPromise\.race\(/)).toEqual([
    // Children, the database and the signal to stop: whichever ends first.
    "cli/embedded/running.ts",
    "cli/supervisor/supervisor.ts",
    "cli/watchdog/keep-postgres.ts",
    // A job against the signal by which the engine cancels it.
    "shared/platform/jobs/bullmq.ts",
    "sql/connection/with-timeout.ts",
  ]);
  expect(listFilesWith(/\bclass TimeoutError\b/)).toEqual(["sql/connection/with-timeout.ts"]);
});

test("one Refusal: no second class, and nothing knows it by its name", () => {
  expect(listFilesWith(/\bclass \w*(?:Refusal|Refused)\b|\bextends Refusal\b|["']Refusal["']/)).toEqual([
    "shared/ground/errors.ts",
    // Members of a dialect that a file shows cannot be meant, by their names, for the pure code that reads by it.
    "shared/tables/dialects/dialect.ts",
    // What inspection finds wrong with a file: the pure code knows no codes, and inspect.ts makes a verdict of it.
    "shared/tables/inspection/verdict.ts",
    // A question that turns out, while its rows are read, to have no exact answer: the pure code knows no answers to requests.
    "shared/tables/questions/plan.ts",
  ]);
});

/** What waits for a thread, a store, another host or a lock. */
const WAITS =
  /\bnew Promise\b|\bwithResolvers\b|\bpromisify\(|\bwatch\.next\(|\bopen(?:Disk|S3)Store\(|[^.\w]fetch\(|from "(?:node:(?:fs|dns|timers)\/promises|node:worker_threads|piscina|ioredis|bullmq|rate-limiter-flexible)"/;

/** Where no request of a reader or an agent waits, or the wait is entered by another file. */
const WITHOUT_REQUEST: Readonly<Record<string, string>> = {
  "api/http/after-answer.ts": "the answer is sent",
  "api/http/places.ts": "a request waits for its place itself",
  "api/http/send-file.ts": "the answer is on its way",
  "api/main.ts": "a process starts or stops",
  "shared/care/archive/zip.ts": "a worker makes the archive",
  "shared/care/backup/": "a command",
  "shared/care/doctor/": "a command",
  "shared/identity/credentials/key-files.ts": "a process starts",
  "shared/platform/files/": "files/open.ts enters the stores",
  "shared/platform/jobs/redis.ts": "rate-limits.ts and bullmq.ts enter it",
  "shared/platform/mail/smtp.ts": "a mail is sent behind its answer",
  "shared/platform/outbound/network.ts": "send-request.ts and find-proof.ts enter it",
  "shared/platform/process/": "a process starts or stops, or health is asked for, which holds no place",
  "shared/text/snippets/write-snippets.ts": "the code of readers",
  "shared/trust/transparency-log/fetch-log.ts": "a command",
  "shared/trust/transparency-log/log-keys.ts": "a command",
  "shared/trust/witness/cosigned-sizes.ts": "the log of another site waits, which holds no place",
  "sql/connection/":
    "the database: a place holds its connection, and whoever watches enters the wait for a notice",
};

test("a request waits for threads, stores, other hosts and locks in one way, which gives its place back", () => {
  const waiting = listFilesWith(WAITS).filter((file) => !/^(?:cli|workers)\//.test(file));
  const entered = new Set(listFilesWith(/\bwaitWithoutPlace\(/));
  const others = waiting.filter((file) => !entered.has(file));
  const known = Object.keys(WITHOUT_REQUEST);
  expect(others.filter((file) => !known.some((place) => file.startsWith(place)))).toEqual([]);
  expect(known.filter((place) => !others.some((file) => file.startsWith(place)))).toEqual([]);
  // Threads, stores, hosts and locks each have one door.
  const doors = ["threads/pool.ts", "files/open.ts", "outbound/send-request.ts"];
  const locks = ["fair-semaphore", "single-flight", "budget"];
  const all = [...doors, ...locks.map((name) => `concurrency/${name}.ts`)];
  expect(all.filter((file) => !entered.has(`shared/platform/${file}`))).toEqual([]);
  expect(listFilesWith(/\.run\(sent\b|\bnew Piscina\b/)).toEqual(["shared/platform/threads/pool.ts"]);
  expect(listFilesWith(/AsyncLocalStorage<Place\b/)).toEqual(["shared/platform/concurrency/places.ts"]);
});
