import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { openRequestTimes } from "../../../../shared/platform/telemetry/latency-histogram.ts";

test("a scrape tells what a histogram of prom-client would tell", async () => {
  const registry = new Registry();
  const times = openRequestTimes(registry);
  const peers = new Registry();
  const peer = new Histogram({
    name: "broadsheet_http_request_seconds",
    help: "How long an answer took.",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [peers],
  });
  // Sums of these are exact, in whatever order.
  for (const [method, route, status, seconds] of [
    ["GET", "/a/:b", 200, 1 / 128],
    ["GET", "/a/:b", 304, 1 / 64],
    ["GET", "/a/:b", 200, 32],
    ["POST", "/a/:b", 201, 0.25],
    ["GET", "none", 404, 0],
  ] as const) {
    times.add(method, route, status, seconds);
    peer.observe({ method, route }, seconds);
  }
  const told = await registry.getSingleMetricAsString("broadsheet_http_request_seconds");
  expect(told).toBe(await peers.getSingleMetricAsString("broadsheet_http_request_seconds"));
  const counts = [
    "# TYPE broadsheet_http_requests_total counter",
    'broadsheet_http_requests_total{method="GET",route="/a/:b",status="200"} 2',
    'broadsheet_http_requests_total{method="GET",route="/a/:b",status="304"} 1',
    'broadsheet_http_requests_total{method="POST",route="/a/:b",status="201"} 1',
    'broadsheet_http_requests_total{method="GET",route="none",status="404"} 1',
  ].join("\n");
  // A second scrape tells the same counts.
  for (const scrape of ["first", "second"])
    expect([scrape, await registry.metrics()]).toEqual([scrape, expect.stringContaining(counts)]);
});
