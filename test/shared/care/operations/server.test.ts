import { afterAll, describe, expect, test } from "vitest";
import { openOperatorsServer } from "../../../../shared/care/operations/server.ts";
import { startHeartbeat } from "../../../../shared/platform/process/live-processes.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAgent, request } from "../../../support/agent.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { openService } from "../../../support/service.ts";

const LONG = { timeout: 40_000, interval: 50 };
const SECRET = "a-secret-nobody-may-read-1234567890abcdefgh";
const captured = captureLog();

const service = await openService({ log: captured.log, config: { uploadWaitMs: 20_000 } });
const operators = await openOperatorsServer(service.deps, { host: "127.0.0.1", port: 0, process: "API" });
const agent = await connectAgent(service);

afterAll(async () => {
  await operators.close();
});

async function ask(path: string) {
  const answer = await fetch(`http://127.0.0.1:${operators.port}${path}`);
  return { status: answer.status, text: await answer.text() };
}

/** The samples of a scrape: `name{labels}` and value. */
async function scrape(): Promise<Map<string, number>> {
  const { status, text } = await ask("/metrics");
  expect(status).toBe(200);
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ""), Number(/ ([^ ]+)$/.exec(line)?.[1])]));
}

test("the public port has none of it", async () => {
  expect((await request(service, { method: "GET", url: "/metrics" })).status).toBe(404);
  expect((await ask("/healthz")).status).toBe(200);
});

describe("metrics", () => {
  test("requests are counted and timed by route, and what callers write is no label", async () => {
    for (const url of ["/healthz", `/${SECRET}`, `/sign-in/${SECRET}`, `/@${SECRET}/x?token=${SECRET}`]) {
      await request(service, { method: "GET", url });
    }
    await request(service, { method: "PROPFIND" as "GET", url: "/healthz" });
    const samples = await scrape();
    expect(samples.get('broadsheet_http_requests_total{method="GET",route="/healthz",status="200"}')).toBe(1);
    expect(
      samples.get('broadsheet_http_requests_total{method="GET",route="/sign-in/:secret",status="404"}'),
    ).toBe(1);
    expect(samples.get('broadsheet_http_request_seconds_count{method="GET",route="/healthz"}')).toBe(1);
    expect([...samples.keys()].join("\n")).not.toContain("a-secret");
    expect([...samples.keys()].some((key) => key.includes("PROPFIND"))).toBe(false);
  });

  test("refusals are counted by code", async () => {
    const before = (await scrape()).get('broadsheet_refusals_total{code="unauthenticated"}') ?? 0;
    await request(service, { method: "GET", url: "/api/v1/agent" });
    expect((await scrape()).get('broadsheet_refusals_total{code="unauthenticated"}')).toBe(before + 1);
  });

  test("uploads, jobs and drawings are counted, and a job's log names the request that rang for it", async () => {
    const reply = await agent.upload("figures.csv", "year,rain\n2024,1\n2025,2\n");
    expect(reply.json.data.readiness).toBe("ready");
    const refused = await agent.upload("bad.csv", "a,b\n1\n");
    expect(refused.status).toBe(422);
    const values = [
      { year: "2024", mm: 1 },
      { year: "2025", mm: 2 },
    ];
    const x = { field: "year", type: "ordinal" };
    const encoding = { x, y: { field: "mm", type: "quantitative" } };
    const chart = `\`\`\`chart\n${JSON.stringify({ mark: "bar", data: { values }, encoding })}\n\`\`\``;
    const body = { type: "story", payload: { title: "Rain", body_markdown: `Rain fell.\n\n${chart}` } };
    const saved = await agent.send("POST", "/creations", body);
    expect([saved.status, saved.json.errors]).toEqual([201, undefined]);
    await expect
      .poll(async () => (await scrape()).get('broadsheet_drawings_total{kind="chart",outcome="drawn"}'), LONG)
      .toBe(1);
    await expect
      .poll(
        async () =>
          (await scrape()).get('broadsheet_work_seconds_count{work="inspect-asset",outcome="done"}'),
        LONG,
      )
      .toBe(2);
    const samples = await scrape();
    expect(samples.get('broadsheet_uploads_total{outcome="received"}')).toBe(2);
    expect(samples.get('broadsheet_uploads_total{outcome="ready"}')).toBe(1);
    expect(samples.get('broadsheet_uploads_total{outcome="refused"}')).toBe(1);
    expect(samples.get("broadsheet_upload_bytes_total")).toBe(30);
    const told = captured.lines().filter((line) => line.work === "inspect-asset");
    expect(told[0]?.request_id).toBe(reply.headers["x-request-id"]);
    expect(told[0]?.payload).toEqual({ asset_id: reply.json.data.id, attempt: 1 });
  });

  test("a late schedule shows while it waits and is measured when it is decided", async () => {
    expect((await scrape()).get("broadsheet_schedule_overdue_seconds")).toBe(0);
    const { data } = (
      await agent.send("POST", "/creations", {
        type: "story",
        payload: { title: "Later", body_markdown: "It comes later." },
      })
    ).json;
    const atMs = service.clock.nowMs + 3_600_000;
    const wanted = { revision_id: data.latest_revision.id, publish_at: new Date(atMs).toISOString() };
    const options = { ifMatch: data.lock_version };
    expect((await agent.send("POST", `/creations/${data.id}/schedule`, wanted, options)).status).toBe(200);
    service.clock.nowMs = atMs + 90_000;
    expect((await scrape()).get("broadsheet_schedule_overdue_seconds")).toBe(90);
    expect(await sweepDueSchedules(service.deps)).toBe(1);
    const samples = await scrape();
    expect(samples.get("broadsheet_schedule_overdue_seconds")).toBe(0);
    expect(samples.get("broadsheet_schedule_lateness_seconds_sum")).toBe(90);
  });

  test("live processes are counted by their workers", async () => {
    const name = (worker: string) => `broadsheet_worker_processes{worker="${worker}"}`;
    expect((await scrape()).get(name("draw"))).toBe(0);
    const signs = await startHeartbeat(service.deps, { kind: "workers", workers: ["draw"] });
    const samples = await scrape();
    expect([samples.get(name("draw")), samples.get(name("feed"))]).toEqual([1, 0]);
    await signs.stop();
  });

  test("queues, pool and event loop are looked up at each scrape", async () => {
    const samples = await scrape();
    expect(samples.get("broadsheet_database_up")).toBe(1);
    for (const queue of ["inspect-asset", "draw-blocks", "build-feed"]) {
      expect(samples.get(`broadsheet_queue_oldest_seconds{queue="${queue}"}`)).toBeTypeOf("number");
      for (const state of ["waiting", "active", "delayed", "failed"]) {
        expect(samples.get(`broadsheet_queue_jobs{queue="${queue}",state="${state}"}`)).toBeTypeOf("number");
      }
    }
    for (const state of ["in_use", "idle", "waited_for"]) {
      expect(samples.get(`broadsheet_pool_connections{state="${state}"}`)).toBeTypeOf("number");
    }
    expect(samples.get("nodejs_eventloop_lag_p99_seconds")).toBeTypeOf("number");
  });
});
