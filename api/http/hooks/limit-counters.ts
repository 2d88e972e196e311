import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { RedisConnection } from "../../../shared/platform/jobs/redis.ts";

/** After Redis has failed, this process counts alone for this long before it asks Redis again. */
const REST_MS = 2_000;

/** Counts points by key in a window of seconds. */
export interface Counter {
  /** Takes one point; `allowed` is false when none was left. */
  take(key: string): Promise<{ state: RateLimiterRes; allowed: boolean }>;
  read(key: string): Promise<RateLimiterRes | null>;
}

/**
 * Makes counters that all processes share through Redis, or of this process alone where there is none. While Redis is
 * away each process counts by itself, so that a limit is then one of each process; no request waits or fails for it.
 */
export function createCounters(
  redis: RedisConnection | null,
): (name: string, points: number, seconds: number) => Counter {
  let restUntilMs = 0;
  return (name, points, seconds) => {
    const own = new RateLimiterMemory({ points, duration: seconds, keyPrefix: name });
    if (redis === null) return { take: (key) => take(own, key), read: (key) => own.get(key) };
    const together = new RateLimiterRedis({
      storeClient: redis,
      points,
      duration: seconds,
      keyPrefix: `limit-${name}`,
    });
    const ask = async <Result>(from: (limiter: RateLimiterAbstract) => Promise<Result>): Promise<Result> => {
      if (redis.status !== "ready" || performance.now() < restUntilMs) return await from(own);
      try {
        return await from(together);
      } catch {
        restUntilMs = performance.now() + REST_MS;
        return await from(own);
      }
    };
    return {
      take: (key) => ask((limiter) => take(limiter, key)),
      read: (key) => ask((limiter) => limiter.get(key)),
    };
  };
}

async function take(limiter: RateLimiterAbstract, key: string) {
  try {
    return { state: await limiter.consume(key), allowed: true };
  } catch (state) {
    if (state instanceof RateLimiterRes) return { state, allowed: false };
    throw state;
  }
}
