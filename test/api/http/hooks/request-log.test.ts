import fastify from "fastify";
import { expect, test } from "vitest";
import { addRequestLog, addRequestNames } from "../../../../api/http/hooks/requests.ts";
import type { Config } from "../../../../shared/platform/config.ts";
import { captureLog } from "../../../support/log-lines.ts";

/** The lines of a process that was asked for each address once. */
async function tell(logRequests: boolean, level: string) {
  const { log, lines } = captureLog(level);
  const app = fastify();
  addRequestNames(app);
  addRequestLog(app, { log, config: { logRequests } as Config });
  const answer = (url: string, status: number) =>
    app.get(url, async (_request, reply) => reply.status(status).send("x"));
  answer("/works/:secret", 200);
  answer("/none", 404);
  answer("/fails", 503);
  answer("/healthz", 200);
  answer("/readyz", 503);
  const urls = ["/works/t0ps3cret?q=t0ps3cret", "/none", "/fails", "/healthz", "/readyz"];
  for (const url of urls) await app.inject({ url, headers: { authorization: "Bearer t0ps3cret" } });
  await app.close();
  expect(JSON.stringify(lines())).not.toContain("t0ps3cret");
  return lines();
}

test("LOG_REQUESTS=false leaves out what was answered well, and never what failed; probes stand at debug", async () => {
  const name = (lines: Record<string, unknown>[]) =>
    lines.map(({ level, route, status }) => `${level} ${route} ${status}`);
  const failed = ["warn /fails 503", "warn /readyz 503"];
  expect(name(await tell(false, "info"))).toEqual(failed);
  expect(name(await tell(true, "warn"))).toEqual(failed);
  expect(name(await tell(true, "info"))).toEqual(["info /works/:secret 200", "info /none 404", ...failed]);
  expect(name(await tell(true, "debug"))).toContain("debug /healthz 200");
});

test("a line has the members that collectors know, in their order", async () => {
  const [line = {}] = await tell(true, "info");
  expect(Object.keys(line)).toEqual([
    ...["level", "time", "process", "pid", "request_id", "method", "route", "status", "took_ms", "caller"],
    "msg",
  ]);
  expect(line).toMatchObject({ method: "GET", caller: "public", msg: "request answered" });
  expect(line.took_ms).toEqual(expect.any(Number));
});
