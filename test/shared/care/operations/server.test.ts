import { request as httpRequest } from "node:http";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOperatorsServer } from "../../../../shared/care/operations/server.ts";
import { startHeartbeat } from "../../../../shared/platform/process/live-processes.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAgent, request } from "../../../support/agent.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const LONG = { timeout: 40_000, interval: 50 };
const SECRET = "a-secret-nobody-may-read-1234567890abcdefgh";
const captured = captureLog();

const service = await openService({ log: captured.log, config: { uploadWaitMs: 20_000 } });
const operators = await openOperatorsServer(service.deps, { host: "127.0.0.1", port: 0, process: "API" });
const agent = await connectAgent(service);

afterAll(async () => {
  await operators.close();
});

interface Answer {
  status: number;
  text: string;
  location: string | undefined;
}

/** A request on a socket, so that Host and Origin are what the test says. */
function ask(path: string, method = "GET", headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = httpRequest({ host: "127.0.0.1", port: operators.port, path, method, headers }, (reply) => {
    let text = "";
    reply.setEncoding("utf8");
    reply.on("data", (chunk) => {
      text += chunk;
    });
    reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text, location: reply.headers.location }));
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}

/** The samples of a scrape: `name{labels}` and value. */
async function scrape(): Promise<Map<string, number>> {
  const { status, text } = await ask("/metrics");
  expect(status).toBe(200);
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ""), Number(/ ([^ ]+)$/.exec(line)?.[1])]));
}

test("the public port has none of it", async () => {
  for (const url of ["/metrics", "/queues/build-feed/retry"]) {
    expect((await request(service, { method: "GET", url })).status).toBe(404);
  }
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

describe("the board", () => {
  beforeAll(async () => {
    const boss = new PgBoss({ connectionString: service.databaseUrl, migrate: false, createSchema: false });
    await boss.start();
    // No worker is in the way: a queue's jobs are taken and failed here.
    await boss.send(
      "draw-blocks",
      { of: "creation", revision_id: SECRET },
      { retryLimit: 0, startAfter: 3600 },
    );
    await runSql(service, "UPDATE pgboss.job SET state = 'active' WHERE data ->> 'revision_id' = $1", [
      SECRET,
    ]);
    const [job] = await runSql(service, "SELECT id FROM pgboss.job WHERE data ->> 'revision_id' = $1", [
      SECRET,
    ]);
    await boss.fail("draw-blocks", job.id, new Error("the <pen> broke\nat line 7"));
    await boss.stop({ graceful: false });
  });

  test("shows queues and failed jobs with their reason, and runs nothing", async () => {
    const { status, text } = await ask("/");
    expect(status).toBe(200);
    expect(text).toContain("the &lt;pen&gt; broke");
    expect(text).not.toContain("at line 7");
    expect(text).toContain(SECRET);
    expect(text).not.toContain("<script");
    expect(text.match(/<form/g)).toHaveLength(1);
  });

  test("shows the live processes, and says which workers are missing and how to start them", async () => {
    const workers = ["inspect", "draw", "purge", "feed", "deliver"] as const;
    const signs = await startHeartbeat(service.deps, { kind: "workers", workers });
    const { text } = await ask("/");
    expect(text).toContain("<td>inspect, draw, purge, feed, deliver</td>");
    expect(text).toContain(`<td class="figure">${process.pid}</td>`);
    expect(text).toContain("No process does the work of publish.");
    expect(text).toContain("npm run workers -- publish<");
    await signs.stop();
  });

  test.for([
    [{ host: "evil.example.org" }],
    [{ origin: "https://evil.example.org" }],
    [{ origin: "null" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site", origin: "http://127.0.0.1" }],
  ] as [Record<string, string>][])("a form with %j does nothing", async ([headers]) => {
    const reply = await ask("/queues/draw-blocks/retry", "POST", headers);
    expect(reply.status).toBe(403);
    expect((await scrape()).get('broadsheet_queue_jobs{queue="draw-blocks",state="failed"}')).toBe(1);
  });

  test("a stranger's name for this address shows nothing; there is no other queue", async () => {
    expect((await ask("/", "GET", { host: "evil.example.org" })).status).toBe(421);
    expect((await ask("/queues/nothing/retry", "POST")).status).toBe(404);
    expect((await ask("/queues/draw-blocks/retry")).status).toBe(404);
  });

  test("puts failed jobs back to work from its own form, and the audit tells", async () => {
    const origin = `http://127.0.0.1:${operators.port}`;
    const headers = { origin, host: `127.0.0.1:${operators.port}`, "sec-fetch-site": "same-origin" };
    const reply = await ask("/queues/draw-blocks/retry", "POST", headers);
    expect([reply.status, reply.location]).toEqual([303, "/?retried=1"]);
    expect((await ask("/?retried=1")).text).toContain("1 jobs were put back to work.");
    const acts = await runSql(
      service,
      "SELECT actor_kind, detail FROM audit_log WHERE action = 'queue.retry'",
    );
    expect(acts).toEqual([{ actor_kind: "command", detail: { retried: 1 } }]);
  });
});
