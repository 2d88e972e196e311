import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readHolder, tryLock } from "../../cli/embedded/lock.ts";
import { type ServiceProcess, startProcess, until } from "../support/service-process.ts";

const HOLDER = join(import.meta.dirname, "fixtures", "lock-holder.ts");
let folder = "";
let started: ServiceProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-lock-"));
  started = [];
});

afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGKILL");
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

function startHolder(): ServiceProcess {
  const holder = startProcess({ command: process.execPath, args: [HOLDER, folder], env: process.env });
  started.push(holder);
  return holder;
}

test("of six processes that try at once exactly one gets the lock", { timeout: 120_000 }, async () => {
  const holders = Array.from({ length: 6 }, startHolder);
  const answered = () => holders.every(({ lines }) => lines.length > 0);
  await until(answered, 20_000);
  const takers = holders.filter(({ lines }) => lines[0]?.msg === "taken");
  expect(takers).toHaveLength(1);
  expect((await readHolder(folder))?.pid).toBe(takers[0]?.pid);
});

test("the lock of a killed process is free at once and names nobody", { timeout: 120_000 }, async () => {
  const holder = startHolder();
  await holder.said("taken");
  expect(await tryLock(folder, "service")).toBeNull();
  holder.child.kill("SIGKILL");
  await holder.ended;
  expect(await readHolder(folder)).toBeNull();
  const lock = await tryLock(folder, "command");
  expect(lock).not.toBeNull();
  expect(await readHolder(folder)).toMatchObject({ pid: process.pid, purpose: "command" });
  lock?.release();
});

test("a released lock is free", async () => {
  const first = await tryLock(folder, "command");
  expect(await tryLock(folder, "command")).toBeNull();
  first?.release();
  const second = await tryLock(folder, "command");
  expect(second).not.toBeNull();
  second?.release();
});
