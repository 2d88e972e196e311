import fastify from "fastify";
import { expect, test } from "vitest";
import { addTimeLimits, boundRendering, TOO_SLOW } from "../../../../api/http/hooks/time-limits.ts";
import { openServer } from "../../../../api/http/server.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { captureLog } from "../../../support/log-lines.ts";

test("what is made in time is given on, and what fails fails", async () => {
  expect(await boundRendering(Promise.resolve("made"))).toBe("made");
  await expect(boundRendering(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("what takes too long is refused with 503 and a time to come back, and may end later", async () => {
  const making = Promise.withResolvers<string>();
  await expect(boundRendering(making.promise, 1)).rejects.toBe(TOO_SLOW);
  expect(TOO_SLOW).toMatchObject({ status: 503, retryAfterSeconds: 2 });
  making.reject(new Error("nobody hears of this"));
});

test("every route has a time limit of its own or the usual one, but for those that bound themselves", async () => {
  const app = fastify();
  const limits = new Map<string, number | undefined>();
  addTimeLimits(app);
  app.addHook("onRoute", ({ url, handlerTimeout }) => {
    limits.set(url, handlerTimeout);
  });
  const answer = async () => "";
  app.get("/usual", answer);
  app.get("/longer", { handlerTimeout: 60_000 }, answer);
  app.get("/itself", { config: { boundsItself: true } }, answer);
  await app.close();
  expect(Object.fromEntries(limits)).toEqual({ "/usual": 30_000, "/longer": 60_000, "/itself": undefined });
});

test("an answer that comes after its time is logged without the query of its request", async () => {
  const { log, lines, text } = captureLog();
  const app = openServer({ log, newId: () => "01M7X6WBAZDT3JDAMJ1NB8D4T6", config: {} } as Deps);
  const late = Promise.withResolvers<string>();
  addTimeLimits(app);
  app.get("/late", { handlerTimeout: 1 }, () => late.promise);
  const reply = await app.inject({ url: "/late?q=t0ps3cret", method: "GET" });
  expect(reply.statusCode).toBe(503);
  late.resolve("too late");
  await expect.poll(lines).toHaveLength(1);
  expect(text()).not.toContain("t0ps3cret");
  expect(text()).toContain("/late?[cut]");
  await app.close();
});
