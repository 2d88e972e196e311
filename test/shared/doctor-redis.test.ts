import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { examineRedis } from "../../shared/doctor/redis.ts";

let folder = "";
let port = 0;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-test-"));
  port = await choosePort();
  const settings = { port: String(port), bind: "127.0.0.1", dir: folder, save: "", requirepass: "t0ps3cret" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn("redis-server", args, { stdio: "ignore" });
  stop = async () => {
    // Nothing of it is worth writing down, and it would wait for its log.
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  };
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const url = () => `redis://:t0ps3cret@127.0.0.1:${port}`;
const statuses = async (address: string) =>
  Object.fromEntries((await examineRedis(address)).map(({ check, status }) => [check, status]));

test("a Redis that evicts fails, one that keeps nothing on disk is warned of, a right one is well", async () => {
  expect(await examineRedis(undefined)).toMatchObject([{ check: "redis", status: "ok" }]);
  const redis = new Redis(url(), { retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  try {
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    expect(await statuses(url())).toEqual({
      redis: "ok",
      "redis.eviction": "fail",
      "redis.persistence": "warn",
    });
    await redis.config("SET", "maxmemory-policy", "noeviction");
    await redis.config("SET", "appendonly", "yes");
    expect(await statuses(url())).toEqual({ redis: "ok", "redis.eviction": "ok", "redis.persistence": "ok" });
  } finally {
    redis.disconnect();
  }
});

test("one that is away or refuses the password is told without it", async () => {
  for (const address of ["redis://:t0ps3cret@127.0.0.1:1", `redis://:wr0ng@127.0.0.1:${port}`]) {
    const findings = await examineRedis(address);
    expect(findings).toMatchObject([{ check: "redis", status: "fail" }]);
    expect(JSON.stringify(findings)).not.toMatch(/t0ps3cret|wr0ng/);
  }
  const cluster = await examineRedis("redis+cluster://127.0.0.1:1,127.0.0.1:2");
  expect(cluster.map(({ check, status }) => `${check} ${status}`)).toEqual(["redis.1 fail", "redis.2 fail"]);
});
