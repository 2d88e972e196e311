import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBodyRoom, takeLargeBodies } from "../../../api/http/large-bodies.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { until } from "../../support/service-process.ts";

const MOST_PROVING = 128;
const BODY = JSON.stringify({ text: "x".repeat(20_000) });

let app: FastifyInstance;
let root = "";
let asked = 0;
let proven = Promise.withResolvers<string>();

beforeEach(async () => {
  asked = 0;
  proven = Promise.withResolvers();
  proven.promise.catch(() => undefined);
  app = fastify({ forceCloseConnections: true });
  const prove = async () => {
    asked++;
    return await proven.promise;
  };
  app.post(
    "/",
    takeLargeBodies(openBodyRoom(), 2_097_152, prove),
    async ({ body }) => (body as { text: string }).text,
  );
  app.setErrorHandler((error, _request, reply) => {
    const { status, retryAfterSeconds } =
      error instanceof Refusal ? error : { status: 500, retryAfterSeconds: 0 };
    return reply.status(status).header("retry-after", String(retryAfterSeconds)).send("refused");
  });
  root = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => app.close());

const post = () =>
  fetch(root, { method: "POST", body: BODY, headers: { "content-type": "application/json" } });

test("a burst of bodies waits until their senders are found, and those beyond it may come back soon", async () => {
  const burst = Array.from({ length: MOST_PROVING }, post);
  await until(() => asked === MOST_PROVING, 20_000);
  for (let each = 0; each < 3; each++) {
    const beyond = await post();
    expect([beyond.status, beyond.headers.get("retry-after")]).toEqual([503, "2"]);
  }
  expect(asked).toBe(MOST_PROVING);

  proven.resolve("an agent");
  for (const answer of await Promise.all(burst)) expect(await answer.text()).toBe("x".repeat(20_000));
  expect((await post()).status).toBe(200);
});

test("a sender whose body is refused reads the answer, whether or not the body is read to its end", async () => {
  proven.reject(new Refusal("http_error", "Nobody knows you.", { status: 401 }));
  const answers = await Promise.all(Array.from({ length: 60 }, post));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
});
