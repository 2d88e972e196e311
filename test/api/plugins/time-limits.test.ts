import fastify from "fastify";
import { expect, test } from "vitest";
import { addTimeLimits, boundMaking, TOO_SLOW } from "../../../api/plugins/time-limits.ts";

test("what is made in time is given on, and what fails fails", async () => {
  expect(await boundMaking(Promise.resolve("made"))).toBe("made");
  await expect(boundMaking(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("what takes too long is refused with 503 and a time to come back, and may end later", async () => {
  const making = Promise.withResolvers<string>();
  await expect(boundMaking(making.promise, 1)).rejects.toBe(TOO_SLOW);
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
