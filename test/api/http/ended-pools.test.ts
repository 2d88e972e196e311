import { expect, test } from "vitest";
import { connectAgent, request } from "../../support/agent.ts";
import { captureLog } from "../../support/log-lines.ts";
import { openService } from "../../support/service.ts";

// A client that leaves as a process stops does not hold it up, so its request may meet pools that have ended.
test("a request that a stopping process still works on is answered 503, and is no failure", async () => {
  const { log, lines } = captureLog();
  const service = await openService({ workers: false, log });
  try {
    const { token } = await connectAgent(service);
    const headers = { authorization: `Bearer ${token}` };
    expect((await request(service, { method: "GET", url: "/api/v1/agent", headers })).status).toBe(200);
    await Promise.all([service.deps.pageVersions.close(), service.deps.batches?.close()]);
    await service.deps.pool.end();
    for (const url of ["/", "/api/v1/topics", "/api/v1/agent", "/api/v1/search/creations?query=a"]) {
      const { status, json } = await request(service, { method: "GET", url, headers });
      expect([url, status]).toEqual([url, 503]);
      if (url !== "/") expect(json.code).toBe("http_error");
    }
    expect(lines().filter(({ level }) => level === "error")).toEqual([]);
  } finally {
    await service.close().catch(() => undefined);
  }
});
