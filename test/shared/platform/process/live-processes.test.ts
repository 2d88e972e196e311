import { hostname } from "node:os";
import { beforeEach, expect, test } from "vitest";
import { checkProcesses } from "../../../../shared/care/doctor/work.ts";
import { VERSION } from "../../../../shared/ground/version.ts";
import { listLiveProcesses, startHeartbeat } from "../../../../shared/platform/process/live-processes.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const NEVER = 3_600_000;

const service = await openService({ workers: false });

beforeEach(async () => void (await runSql(service, "DELETE FROM service_processes")));

test("a process is listed from its first sign on, and forgotten when it stops", async () => {
  const workers = await startHeartbeat(
    service.deps,
    { kind: "workers", workers: ["inspect", "draw"] },
    NEVER,
  );
  const api = await startHeartbeat(service.deps, { kind: "api", workers: [] }, NEVER);
  const { processes, missing } = await listLiveProcesses(service.deps);
  const about = { host: hostname(), pid: process.pid, version: VERSION, started_at: service.clock.nowMs };
  expect(processes).toEqual([
    { id: expect.any(String), kind: "api", workers: [], ...about, seen_at: service.clock.nowMs },
    {
      id: expect.any(String),
      kind: "workers",
      workers: ["inspect", "draw"],
      ...about,
      seen_at: service.clock.nowMs,
    },
  ]);
  expect(missing).toEqual(["publish", "purge", "feed", "deliver"]);
  await workers.stop();
  await api.stop();
  expect((await listLiveProcesses(service.deps)).processes).toEqual([]);
});

test("a process that gives no sign for 45 seconds lives no more, and is forgotten after an hour by any other", async () => {
  const silent = await startHeartbeat(service.deps, { kind: "workers", workers: ["feed"] }, NEVER);
  service.clock.nowMs += 45_000;
  expect((await listLiveProcesses(service.deps)).missing).not.toContain("feed");
  service.clock.nowMs += 1;
  expect((await listLiveProcesses(service.deps)).missing).toContain("feed");
  service.clock.nowMs += 3_600_000;
  const other = await startHeartbeat(service.deps, { kind: "api", workers: [] }, NEVER);
  expect(await runSql(service, "SELECT kind FROM service_processes")).toEqual([{ kind: "api" }]);
  await Promise.all([silent.stop(), other.stop()]);
});

test("signs are given again and again, and a database that fails meanwhile ends nothing", async () => {
  const signs = await startHeartbeat(service.deps, { kind: "api", workers: [] }, 20);
  await runSql(service, "ALTER TABLE service_processes RENAME TO elsewhere");
  service.clock.nowMs += 60_000;
  await runSql(service, "ALTER TABLE elsewhere RENAME TO service_processes");
  await until(async () => (await listLiveProcesses(service.deps)).processes.length === 1, 10_000);
  await signs.stop();
  expect(await runSql(service, "SELECT 1 FROM service_processes")).toEqual([]);
});

test("the doctor warns of a worker that no live process does, and says how to start one", async () => {
  expect(await checkProcesses(service.deps)).toMatchObject([{ status: "ok", detail: "None runs now." }]);
  const api = await startHeartbeat(service.deps, { kind: "api", workers: [] }, NEVER);
  const some = await startHeartbeat(
    service.deps,
    { kind: "workers", workers: ["inspect", "draw", "feed"] },
    NEVER,
  );
  expect(await checkProcesses(service.deps)).toMatchObject([
    {
      status: "warn",
      detail: "2 live. None does the work of publish, purge, deliver.",
      mend: "Start one: npm run workers -- publish purge deliver",
    },
  ]);
  const rest = await startHeartbeat(
    service.deps,
    { kind: "workers", workers: ["publish", "purge", "deliver"] },
    NEVER,
  );
  expect(await checkProcesses(service.deps)).toMatchObject([{ status: "ok", detail: "3 live." }]);
  await Promise.all([api, some, rest].map((signs) => signs.stop()));
});
