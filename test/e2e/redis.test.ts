import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { sweepAll } from "../../shared/care/sweeps.ts";
import { MINUTE_MS } from "../../shared/ground/times.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, openDeps } from "../../shared/platform/deps.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { openCable } from "../support/cable.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openFrontPage } from "../support/publisher.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { findRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { type ServiceProcess, startProcess, until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";
const CHART = JSON.stringify({
  mark: "bar",
  data: { values: [{ gauge: "Husum", height: 4 }] },
  encoding: { x: { field: "gauge", type: "nominal" }, y: { field: "height", type: "quantitative" } },
});

describe.skipIf(findRedis() === null)("the service with Redis", () => {
  let redis: TestRedis;
  let service: RealService;
  let api: ApiProcess;
  let workers: ServiceProcess;
  let token = "";

  beforeAll(async () => {
    redis = await startRedis();
    service = await openRealService({
      cluster: inject("cluster"),
      env: { UPLOAD_WAIT_MS: "20000", LIMIT_FEEDS_PER_MINUTE: "6", REDIS_URL: redis.url },
    });
    [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    ({ token } = await enrolAgent(service.deps, api.url, "redis-lane"));
  });
  afterAll(async () => {
    expect(service.failures()).toEqual([]);
    expect(await service.close()).toEqual([]);
    await redis.stop();
  });

  const upload = (url: string, wait = true) =>
    send(url, {
      method: "POST",
      path: "/api/v1/assets",
      token,
      key: randomUUID(),
      body: formOf("gauges.csv", CSV),
      ...(wait ? {} : { headers: { prefer: "respond-async" } }),
    });
  const readinessOf = async (id: string): Promise<string> =>
    (await send(api.url, { path: `/api/v1/assets/${id}`, token })).json.data.readiness;

  /** What the sweeps of workers do, a minute from now, so that nobody has to wait for it. */
  async function sweepLater(): Promise<void> {
    const { databaseUrl, dataDir } = service;
    const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", REDIS_URL: redis.url });
    const now = () => Date.now() + 2 * MINUTE_MS;
    const deps = await openDeps(config, {
      ...{ databaseUrl, works: false, maxConnections: 2, log: openLog("silent", "test"), now },
    });
    try {
      await deps.jobs.status();
      await sweepAll(deps);
    } finally {
      await closeDeps(deps);
    }
  }

  test("an upload is inspected, a chart is drawn and a feed is written by its workers", async () => {
    const uploaded = await upload(api.url);
    expect(`${uploaded.status} ${uploaded.json.data.readiness}`).toBe("201 ready");
    const { publishStory } = await openFrontPage(api.url, token);
    await publishStory("Gauges of today", `Read:\n\n\`\`\`chart\n${CHART}\n\`\`\`\n`);
    const count = async (text: string) => Number((await runSql(service, text))[0]?.count);
    await until(async () => (await count("SELECT count(*) FROM drawings")) > 0, 10_000);
    await until(
      async () => (await count("SELECT count(*) FROM pending_work WHERE kind = 'draw-blocks'")) === 0,
      10_000,
    );
    await until(async () => (await count("SELECT count(*) FROM feeds")) > 0, 10_000);
    const jobs = "SELECT count(*) FROM pgboss.job";
    expect(await count(jobs), "PostgreSQL carried a heavy job").toBe(0);
  });

  test("minute limits are counted over all processes together", async () => {
    const other = await service.startApi();
    await until(async () => (await send(other.url, { path: "/readyz" })).status === 200, 10_000);
    const readAll = async () => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 8; turn++) {
        const { url } = turn % 2 === 0 ? api : other;
        statuses.push((await send(url, { path: "/feed.xml" })).status);
      }
      return statuses.join();
    };
    // A process to which Redis answers too late, as on a busy machine, counts alone for two seconds: four each.
    await until(async () => {
      await redis.flush();
      return (await readAll()) === "200,200,200,200,200,200,429,429";
    }, 25_000);
  });

  test("flushed, Redis loses time and no work", async () => {
    process.kill(workers.pid, "SIGSTOP");
    const taken = await upload(api.url, false);
    await redis.flush();
    process.kill(workers.pid, "SIGCONT");
    expect(await readinessOf(taken.json.data.id)).toBe("processing");
    await sweepLater();
    await until(async () => (await readinessOf(taken.json.data.id)) === "ready", 20_000);
  });

  test("dead, Redis holds up no request, and what was taken meanwhile is done when it is back", async () => {
    await redis.kill();
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const taken = await upload(api.url, false);
      expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 processing");
      ids.push(taken.json.data.id);
    }
    expect((await send(api.url, { path: "/" })).status).toBe(200);
    expect((await send(api.url, { path: "/readyz" })).status).toBe(503);
    await redis.restart();
    await until(async () => (await send(api.url, { path: "/readyz" })).status === 200, 20_000);
    await sweepLater();
    for (const id of ids) await until(async () => (await readinessOf(id)) === "ready", 20_000);
  });

  test("hanging, Redis holds up no request", async () => {
    process.kill(redis.pid(), "SIGSTOP");
    let id = "";
    try {
      // Nothing answers before the server goes on, so an answer proves that nobody waited for it.
      const taken = await upload(api.url, false);
      id = taken.json.data.id;
      const others = await Promise.all(
        ["/", "/feed.xml", "/api/v1/topics"].map((path) => send(api.url, { path })),
      );
      expect([taken.status, ...others.map((reply) => reply.status)]).toEqual([201, 200, 200, 200]);
    } finally {
      process.kill(redis.pid(), "SIGCONT");
    }
    await sweepLater();
    await until(async () => (await readinessOf(id)) === "ready", 20_000);
  });

  test("full, Redis refuses jobs, and the work is found when there is room", async () => {
    await redis.set("maxmemory", "1mb");
    const taken = await upload(api.url, false);
    expect(taken.status).toBe(201);
    await redis.set("maxmemory", "0");
    await sweepLater();
    await until(async () => (await readinessOf(taken.json.data.id)) === "ready", 20_000);
  });

  test("an API starts and answers while Redis is away, and is in service again once a slow one is there", async () => {
    const cable = await openCable({ port: Number(new URL(redis.url).port) });
    try {
      const url = new URL(redis.url);
      url.port = String(cable.port);
      cable.cut();
      const distant = await service.startApi({ env: { REDIS_URL: url.href } });
      expect((await send(distant.url, { path: "/feed.xml" })).status).toBe(200);
      expect((await upload(distant.url, false)).status).toBe(201);
      expect((await send(distant.url, { path: "/readyz" })).status).toBe(503);
      // A connection that is made anew is slow from its first command on. A count waits for a tenth of a second at
      // most, and takes longer here: each process counts by itself.
      cable.heal();
      cable.slow(150);
      // One look in three may fall into a pause of a busy machine; a count of a tenth of a second would never pass.
      const isReady = async () => (await send(distant.url, { path: "/readyz" })).status === 200;
      for (let turn = 0; turn < 3; turn++) await until(isReady, 20_000);
      expect((await send(distant.url, { path: "/feed.xml" })).status).toBe(200);
    } finally {
      await cable.close();
    }
  });

  test("workers do not start on a Redis that may drop jobs", async () => {
    await redis.set("maxmemory-policy", "allkeys-lru");
    try {
      const script = join(import.meta.dirname, "..", "..", "workers", "main.ts");
      const env = { ...process.env, DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl };
      const refused = startProcess({
        ...{ command: process.execPath, args: [script], env: { ...env, REDIS_URL: redis.url } },
      });
      expect(await refused.ended).toEqual({ code: 1, signal: null });
      expect(refused.stderr()).toContain("set it to noeviction");
    } finally {
      await redis.set("maxmemory-policy", "noeviction");
    }
  });
});
