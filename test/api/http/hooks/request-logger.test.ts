import { expect, test } from "vitest";
import { openRequestLines } from "../../../../api/http/hooks/request-log.ts";
import { openRequestLogger } from "../../../../api/http/hooks/request-logger.ts";
import { openRandomFractions } from "../../../../shared/ground/ids.ts";
import type { Config } from "../../../../shared/platform/config.ts";
import { openLineBatch } from "../../../../shared/platform/telemetry/line-batch.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import { captureLog } from "../../../support/log-lines.ts";

test("every line of a request's log names the request, at every level, and its children do", () => {
  const { log, lines } = captureLog();
  const request = openRequestLogger(log, { request_id: "01M7X6WBAZDT3JDAMJ1NB8D4T6" });
  expect(lines()).toEqual([]);
  request.info({ route: "/:slug", token: "t0ps3cret" }, "request answered in %d ms", 3);
  request.warn("alone");
  request.error({ err: new Error("torn") });
  request.fatal("ended");
  request.child({ part: "body" }).warn("inner");
  const told = lines();
  expect(told.map((line) => line.request_id)).toEqual(Array(5).fill("01M7X6WBAZDT3JDAMJ1NB8D4T6"));
  expect(told.map((line) => line.level)).toEqual(["info", "warn", "error", "fatal", "warn"]);
  expect(told[0]).toMatchObject({ route: "/:slug", token: "[Redacted]", msg: "request answered in 3 ms" });
  expect(told[4]).toMatchObject({ part: "body", msg: "inner" });
});

test("random numbers drawn together are all of 256 steps, and no two draws repeat each other", () => {
  const next = openRandomFractions();
  const draw = (count: number) => Array.from({ length: count }, next);
  const [first, second] = [draw(4_096), draw(4_096)];
  for (const value of [...first, ...second]) expect(Number.isInteger(value * 256)).toBe(true);
  expect(Math.min(...first)).toBe(0);
  expect(Math.max(...first)).toBe(255 / 256);
  expect(new Set(first).size).toBeGreaterThan(200);
  expect(second).not.toEqual(first);
});

test("LOG_REQUESTS=false leaves out what was answered well, and never what failed; probes stand at debug", async () => {
  const tell = async (logRequests: boolean, level: string) => {
    const { log, lines } = captureLog(level);
    const write = openRequestLines({ log, config: { logRequests } as Config });
    for (const [route, status] of [
      ["/", 200],
      ["/", 404],
      ["/", 503],
      ["/readyz", 200],
      ["/readyz", 503],
    ] as const)
      write({
        request_id: "01M7X6WBAZDT3JDAMJ1NB8D4T6",
        method: "GET",
        route,
        status,
        took_ms: 1,
        caller: "public",
      });
    return lines().map((line) => `${line.level} ${line.route} ${line.status}`);
  };
  const failed = ["warn / 503", "warn /readyz 503"];
  expect(await tell(false, "info")).toEqual(failed);
  expect(await tell(true, "warn")).toEqual(failed);
  expect(await tell(true, "info")).toEqual(["info / 200", "info / 404", ...failed]);
  expect(await tell(true, "debug")).toContain("debug /readyz 200");
});

test("a line put together by hand is the log's own, and those of 20 milliseconds are one write", async () => {
  const written: string[] = [];
  const log = openLog("info", "api", { write: (text) => written.push(text) });
  const write = openRequestLines({ log, config: { logRequests: true } as Config });
  const line = {
    request_id: "01M7X6WBAZDT3JDAMJ1NB8D4T6",
    method: "GET",
    route: '/@:handle/"odd"',
    status: 200,
    took_ms: 3,
    caller: "public",
  } as const;
  write(line);
  write({ ...line, status: 304 });
  expect(written).toEqual([]);
  await expect.poll(() => written.length).toBe(1);
  log.info(line, "request answered");
  expect(written.length).toBe(2);
  const [ours = "", other = ""] = written[0]?.split("\n") ?? [];
  const withoutTime = (text: string) => text.replace(/"time":"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z"/, "");
  expect(withoutTime(`${ours}\n`)).toBe(withoutTime(written[1] ?? ""));
  expect(ours).not.toBe(withoutTime(ours));
  expect(JSON.parse(other).status).toBe(304);
});

test("lines that are batched stand before a failure that follows them", () => {
  const { log, lines } = captureLog();
  const write = openRequestLines({ log, config: { logRequests: true } as Config });
  const line = { request_id: "a", method: "GET", route: "/", took_ms: 1, caller: "public" } as const;
  write({ ...line, status: 200 });
  write({ ...line, status: 503 });
  expect(lines().map(({ status }) => status)).toEqual([200, 503]);
});

test("a batch writes every line once and in order, however long and in whatever letters", () => {
  const written: string[] = [];
  const batch = openLineBatch(openLog("info", "api", { write: (text) => written.push(text) }));
  const lines = Array.from({ length: 2_000 }, (_, at) => `${at} ${"Ørsted €".repeat((at * 7) % 40)}\n`);
  lines.splice(1_000, 0, `${"€".repeat(40_000)}\n`);
  for (const line of lines) batch.add(line);
  batch.flush();
  expect(written.join("")).toBe(lines.join(""));
  expect(written.length).toBeLessThan(30);
  batch.flush();
  expect(written.join("").length).toBe(lines.join("").length);
});
