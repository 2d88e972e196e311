import { expect, test } from "vitest";
import { startSweeps } from "../../workers/runner.ts";
import { captureLog } from "../support/log-lines.ts";
import { openService } from "../support/service.ts";

test("what fails in each round, as while the database is away, is told once and tried again in peace", async () => {
  const captured = captureLog();
  const service = await openService({ workers: false, log: captured.log });
  const { deps, threads } = service;
  await deps.pool.end();
  const sweeps = startSweeps({ deps, threads }, ["deliver"]);
  const failed = (level: string) =>
    captured.lines().filter((line) => line.msg === "work failed" && line.level === level);
  await expect.poll(() => failed("debug").length, { timeout: 30_000 }).toBeGreaterThan(3);
  await sweeps.stop();
  const names = failed("error").map(({ work }) => work);
  expect(names.length).toBeGreaterThan(2);
  expect(new Set(names).size).toBe(names.length);
});
