import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { identifyProcess, isRunning, waitUntilGone } from "../../shared/platform/process/processes.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { headOf, openRaw, statusOf } from "../support/raw-socket.ts";
import { startProcess } from "../support/service-process.ts";

const ROOT = resolve(import.meta.dirname, "..", "..");
const WORKERS = join(ROOT, "workers", "main.ts");
const API = join(ROOT, "api", "main.ts");
const GONE_WITHIN_MS = 20_000;

const home = await mkdtemp(join(tmpdir(), "broadsheet-npm-"));
const database = await createTestDatabase();
const run = `'${process.execPath}' '${WORKERS}' feed`;
// The shell of this script ends at once, as that of a daemon's start does.
const scripts = {
  workers: run,
  daemon: `nohup ${run} & sleep 5`,
  api: `'${process.execPath}' '${API}'`,
};
await writeFile(join(home, "package.json"), JSON.stringify({ private: true, scripts }));

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

function startNpm(script: string, more: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: join(home, "data"), ...more };
  return startProcess({ command: "npm", args: ["run", "--silent", script], cwd: home, detached: true, env });
}

/** Starts a script of npm and kills npm once the worker is ready; gives the worker. */
async function killNpmOf(script: string) {
  const npm = startNpm(script);
  const worker = await identifyProcess(Number((await npm.said("workers ready")).pid));
  npm.child.kill("SIGKILL");
  await npm.ended;
  if (worker === null) throw new Error("the worker ended before npm");
  return worker;
}

test("a worker ends with the npm run that was killed", { timeout: 240_000 }, async () => {
  expect(await waitUntilGone(await killNpmOf("workers"), GONE_WITHIN_MS)).toBe(true);
});

test("a worker that a script of another name put into the background lives on", {
  timeout: 240_000,
}, async () => {
  const worker = await killNpmOf("daemon");
  // Four times as long as a watched one looks at its npm.
  expect(await waitUntilGone(worker, 2_000)).toBe(false);
  expect(await isRunning(worker)).toBe(true);
  process.kill(worker.pid, "SIGKILL");
  expect(await waitUntilGone(worker, GONE_WITHIN_MS)).toBe(true);
});

test("a stop of the whole group, npm with it, lets a request end", {
  timeout: 240_000,
}, async () => {
  const npm = startNpm("api", { PORT: "0", STOP_NOTICE_MS: "500" });
  const { port, pid } = await npm.said("api listening");
  const server = await identifyProcess(Number(pid));
  const slow = openRaw(Number(port));
  const body = "token=unknown";
  const type = "application/x-www-form-urlencoded";
  slow.write(headOf("POST /oauth/revoke", { "content-type": type, "content-length": body.length }));
  slow.write(body.slice(0, 5));
  process.kill(-npm.pid, "SIGTERM");
  await npm.ended;
  if (server === null) throw new Error("the server ended before its request");
  // Four times as long as it looks at its npm, whose end is no second wish.
  expect(await waitUntilGone(server, 2_000)).toBe(false);
  slow.write(body.slice(5));
  expect(statusOf(await slow.closed)).toBeGreaterThan(0);
  expect(await waitUntilGone(server, GONE_WITHIN_MS)).toBe(true);
});
