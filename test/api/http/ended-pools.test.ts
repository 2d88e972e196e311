import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { toRefusal } from "../../../api/http/hooks/errors.ts";
import { FileStoreUnavailable } from "../../../shared/platform/files/store.ts";
import { connectAgent } from "../../support/agent.ts";
import { captureLog } from "../../support/log-lines.ts";
import { openService } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";
import { openProcess } from "./page-cache/scene.ts";

// A client that leaves as a process stops does not hold it up, so its request may meet pools that have ended.
test("a request that a stopping process still works on is answered 503, and is no failure", async () => {
  const service = await openService({ workers: false });
  const { app, endPools } = await openProcess(service, 0);
  const { token } = await connectAgent(service);
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.inject({ url: "/api/v1/agent", headers })).statusCode).toBe(200);
  await endPools();
  for (const url of ["/", "/api/v1/topics", "/api/v1/agent", "/api/v1/search/creations?query=a"]) {
    const answer = await app.inject({ url, headers });
    expect([url, answer.statusCode, answer.headers["retry-after"]]).toEqual([url, 503, "2"]);
  }
});

test("a request that was let in before a process stops is answered, also where its end comes later", async () => {
  const { app } = await openService({ workers: false });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const accepted = once(app.server, "connection");
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /api/v1/topics HTTP/1.1\r\nHost: localhost\r\n");
  const [far]: Socket[] = await accepted;
  await until(() => (far?.bytesRead ?? 0) > 0, 10_000);
  const closing = app.close();
  socket.write("\r\n");
  const answer = await socket.setEncoding("utf8").toArray();
  expect(answer.join("").split("\r\n", 1)).toEqual(["HTTP/1.1 200 OK"]);
  await closing;
});

/** What a request answers whose handler throws this error, and the lines that it leaves. */
function answerTo(error: Error) {
  const captured = captureLog();
  const request = { log: captured.log, id: "1", raw: { complete: true } } as unknown as FastifyRequest;
  return { refusal: toRefusal(Object.assign(error, { code: "", ...error }), request), log: captured };
}

// Names are not found while a container starts again, and there is no way to a machine that does.
// The socket of one that starts again is missing.
test.each([
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ECONNREFUSED",
  "57P03",
  "ENOENT connect",
])("a database that fails with %s is a failure that passes", (told) => {
  const [code, syscall] = told.split(" ");
  const { refusal, log } = answerTo(Object.assign(new Error("away"), { code, syscall }));
  expect([refusal.status, refusal.retryAfterSeconds, log.lines()]).toEqual([503, 2, []]);
});

test("a full disk is answered 503, and the log says why", () => {
  const cause = Object.assign(new Error("no space left on device, write"), { code: "ENOSPC" });
  const { refusal, log } = answerTo(new FileStoreUnavailable("the disk is full", { cause }));
  expect(refusal.status).toBe(503);
  expect(log.lines()).toMatchObject([{ level: "error", reason: "the disk is full", code: "ENOSPC" }]);
});
