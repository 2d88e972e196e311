import { expect, test } from "vitest";
import { connectAgent } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
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
