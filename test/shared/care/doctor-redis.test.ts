import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examineRedis } from "../../../shared/care/doctor/redis.ts";
import { findRedis, startRedis, type TestRedis } from "../../support/redis.ts";

let redis: TestRedis;

describe.skipIf(findRedis() === null)("doctor with Redis", () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });

  const statuses = async (address: string) =>
    Object.fromEntries((await examineRedis(address)).map(({ check, status }) => [check, status]));

  test("a Redis that evicts fails, one that keeps nothing on disk is warned of, a right one is well", async () => {
    expect(await examineRedis(undefined)).toMatchObject([{ check: "redis", status: "ok" }]);
    await redis.set("maxmemory-policy", "allkeys-lru");
    const losing = { redis: "ok", "redis.eviction": "fail", "redis.persistence": "warn" };
    expect(await statuses(redis.url)).toEqual(losing);
    await redis.set("maxmemory-policy", "noeviction");
    await redis.set("appendonly", "yes");
    expect(await statuses(redis.url)).toEqual({
      redis: "ok",
      "redis.eviction": "ok",
      "redis.persistence": "ok",
    });
  });

  test("one that is away or refuses the password is told without it", async () => {
    await redis.set("requirepass", "t0ps3cret");
    for (const address of ["redis://:t0ps3cret@127.0.0.1:1", `redis://:wr0ng@127.0.0.1:${redis.port}`]) {
      const findings = await examineRedis(address);
      expect(findings).toMatchObject([{ check: "redis", status: "fail" }]);
      expect(JSON.stringify(findings)).not.toMatch(/t0ps3cret|wr0ng/);
    }
    const cluster = await examineRedis("redis+cluster://127.0.0.1:1,127.0.0.1:2");
    expect(cluster.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "redis.1 fail",
      "redis.2 fail",
    ]);
  });
});
