import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { canConnect } from "../../cli/embedded/database.ts";
import { readHolder } from "../../cli/embedded/lock.ts";
import { findRunningDatabase } from "../../cli/embedded/running.ts";
import { identifyProcess, waitUntilGone } from "../../shared/platform/process/processes.ts";
import { createTestDatabase } from "../support/cluster.ts";
import {
  findOrphans,
  identifyService,
  readPostmasterPid,
  startProcess,
  until,
} from "../support/service-process.ts";
import { prepareServices, SERVICE } from "./stand-in-services.ts";

const services = prepareServices();
const { start, started } = services;
let dataDir = "";
let port = 0;
beforeEach(() => {
  ({ dataDir, port } = services.place);
});

async function startReady() {
  const service = start();
  const line = await service.said("service ready");
  const pids = line.pids as { API: number; workers: number };
  return { service, pids, ...(await identifyService(dataDir, service.pid, Object.values(pids))) };
}

async function ask(path = "/"): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  return { status: response.status, body: await response.text() };
}

const readWatchdog = () => readHolder(dataDir, "watchdog");

async function answersAgain(): Promise<void> {
  await until(
    () =>
      ask().then(
        (answer) => answer.status === 200,
        () => false,
      ),
    20_000,
  );
}

describe("a running service", { timeout: 240_000 }, () => {
  test("answers as a role that is no superuser, refuses a second start, and starts dead workers again", async () => {
    const { service, pids } = await startReady();
    expect(JSON.parse((await ask()).body)).toMatchObject({ role: "broadsheet", notes: 0 });
    expect(await findRunningDatabase(dataDir)).toMatch(/^postgres:\/\/broadsheet:/);

    const second = start({ PORT: "0" });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toContain(`The data folder ${dataDir} is in use by process ${service.pid}.`);
    expect((await ask()).status).toBe(200);

    process.kill(pids.workers, "SIGKILL");
    expect((await ask()).status).toBe(200);
    await until(() => service.lines.filter((line) => line.msg === "workers ready").length === 2, 20_000);
  });

  test("stops in order within ten seconds and answers what is in flight", async () => {
    const { service, all } = await startReady();
    const slow = ask("/slow");
    await ask();
    const begun = performance.now();
    service.child.kill("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect((await slow).status).toBe(200);
    const ends = service.lines.filter((line) => line.msg === "ended").map((line) => line.name);
    expect(ends).toEqual(["API", "workers"]);
    expect(await findOrphans(dataDir, all)).toEqual([]);
    expect(await findRunningDatabase(dataDir)).toBeNull();
  });

  test("leaves nothing behind when its parent is killed, and starts again on the same port at once", async () => {
    const { service, all } = await startReady();
    service.child.kill("SIGKILL");
    expect(await service.ended).toEqual({ code: null, signal: "SIGKILL" });
    const next = start({ ENDS_WITH: "7" });
    expect((await next.ended).code).toBe(7);
    expect(await findOrphans(dataDir, all)).toEqual([]);
  });

  test("gets PostgreSQL back on the same address, and a new watchdog, which ends also what does not listen", async () => {
    const { service, pids, watchdog, postmaster, all } = await startReady();
    const url = await findRunningDatabase(dataDir);
    process.kill(postmaster, "SIGKILL");
    await until(
      async () => (await readPostmasterPid(dataDir).catch(() => postmaster)) !== postmaster,
      20_000,
    );
    await answersAgain();
    expect(await findRunningDatabase(dataDir)).toBe(url);
    const next = await readPostmasterPid(dataDir);

    process.kill(watchdog, "SIGKILL");
    await until(async () => ![watchdog, undefined].includes((await readWatchdog())?.pid), 20_000);
    expect((await ask()).status).toBe(200);
    expect(await readPostmasterPid(dataDir)).toBe(next);
    expect(await findRunningDatabase(dataDir)).toBe(url);
    const found = [await readWatchdog(), await identifyProcess(next)].filter((one) => one !== null);

    process.kill(pids.workers, "SIGSTOP");
    service.child.kill("SIGKILL");
    await service.ended;
    expect(await findOrphans(dataDir, [...all, ...found])).toEqual([]);
  });

  test("starts again when parent and watchdog are killed at once, and ends what they leave behind", async () => {
    const { service, watchdog, postmaster, all } = await startReady();
    process.kill(watchdog, "SIGKILL");
    service.child.kill("SIGKILL");
    const others = all.filter(({ pid }) => pid !== postmaster);
    await Promise.all(others.map((one) => waitUntilGone(one, 20_000)));
    const next = start({ ENDS_WITH: "0" });
    expect((await next.ended).code).toBe(0);
    expect(await findOrphans(dataDir, all)).toEqual([]);
  });

  test("leaves at once when told twice, and its watchdog ends what does not listen", async () => {
    const { service, pids, all } = await startReady();
    process.kill(pids.API, "SIGSTOP");
    service.child.kill("SIGTERM");
    const again = setInterval(() => service.child.kill("SIGTERM"), 1200);
    expect(await service.ended).toEqual({ code: 1, signal: null });
    clearInterval(again);
    expect(await findOrphans(dataDir, all)).toEqual([]);
  });

  test("needs no log line of its children to be ready, and leaves a database of somebody else alone", async () => {
    const other = await createTestDatabase();
    const bound = 2_500;
    const env = { DATABASE_URL: other.url, STAND_IN_LOGS: "nothing", READY_WITHIN_MS: String(bound) };
    const service = start(env);
    const line = await service.said("service ready");
    const begun = performance.now();
    const children = await Promise.all(
      Object.values(line.pids as Record<string, number>).map(identifyProcess),
    );
    while (performance.now() - begun < bound) {
      expect((await ask()).status).toBe(200);
      await delay(100);
    }
    expect(service.child.exitCode).toBeNull();
    service.child.kill("SIGKILL");
    await service.ended;
    const own = children.filter((one) => one !== null);
    expect(await findOrphans(dataDir, own)).toEqual([]);
    expect(await canConnect(other.url)).toBe(true);
  });
});

describe("a service under npm", { timeout: 240_000 }, () => {
  async function startUnderNpm() {
    const home = await mkdtemp(join(tmpdir(), "broadsheet-npm-"));
    await writeFile(
      join(home, "package.json"),
      JSON.stringify({ private: true, scripts: { start: `'${process.execPath}' '${SERVICE}'` } }),
    );
    const npm = startProcess({
      command: "npm",
      args: ["start", "--silent"],
      cwd: home,
      // A group of its own, as a terminal makes one for a command in the foreground.
      detached: true,
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
    });
    started.push(npm);
    const pids = (await npm.said("service ready")).pids as Record<string, number>;
    const service = (await readHolder(dataDir, "service"))?.pid ?? 0;
    await rm(home, { recursive: true });
    return { npm, ...(await identifyService(dataDir, service, Object.values(pids))) };
  }

  test("stops in order on Ctrl-C, which reaches every process of the terminal's group", async () => {
    const { npm, all } = await startUnderNpm();
    process.kill(-npm.pid, "SIGINT");
    await npm.ended;
    expect(await findOrphans(dataDir, all)).toEqual([]);
    const ends = npm.lines.filter((line) => line.msg === "ended").map((line) => line.name);
    expect(ends).toEqual(["API", "workers"]);
  });

  test.for(["SIGKILL", "SIGTERM"] as const)("stops when npm alone gets %s", async (signal) => {
    const { npm, all } = await startUnderNpm();
    npm.child.kill(signal);
    await npm.ended;
    expect(all).toHaveLength(5);
    expect(await findOrphans(dataDir, all)).toEqual([]);
  });
});
