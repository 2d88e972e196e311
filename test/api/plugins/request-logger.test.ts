import { expect, test } from "vitest";
import { openRequestLines } from "../../../api/plugins/request-log.ts";
import { openRequestLogger } from "../../../api/plugins/request-logger.ts";
import type { Config } from "../../../shared/config.ts";
import { openRandomFractions } from "../../../shared/ids.ts";
import { captureLog } from "../../support/log-lines.ts";

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

test("LOG_REQUESTS=false leaves out what was answered well, and never what failed; probes stand at debug", () => {
  const tell = (logRequests: boolean, level: string) => {
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
  expect(tell(false, "info")).toEqual(failed);
  expect(tell(true, "warn")).toEqual(failed);
  expect(tell(true, "info")).toEqual(["info / 200", "info / 404", ...failed]);
  expect(tell(true, "debug")).toContain("debug /readyz 200");
});
