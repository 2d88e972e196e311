import { isIPv6 } from "node:net";
import type { FastifyReply } from "fastify";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from "rate-limiter-flexible";
import { Refusal } from "../../../shared/ground/errors.ts";
import type { Limits } from "../../../shared/ground/limits.ts";
import { waitWithoutPlace } from "../../../shared/platform/concurrency/places.ts";
import type { RedisConnection } from "../../../shared/platform/jobs/redis.ts";

const WINDOW_SECONDS = 60;
const HOURLY: ReadonlySet<Bucket> = new Set(["revocations", "registrations"]);

export type Bucket =
  | "reads"
  | "writes"
  | "checks"
  | "enrolments"
  | "public_json"
  | "feeds"
  | "rows"
  | "queries"
  | "comparisons"
  | "uploads"
  | "log"
  | "witness"
  | "revocations"
  | "registrations";

/** Counts requests by agent or address and refuses those over the limit. */
export type RateLimits = ReturnType<typeof openRateLimits>;

/** A request waits for its count: a hanging Redis is given up. */
const COUNT_MS = 100;
const WRONG_CODES_PER_HOUR = 10;

/** Limits that Redis counts for all processes; without it, or while it is away, each counts its own share. */
export function openRateLimits(limits: Limits, redis: RedisConnection | null) {
  const createCounter = (name: string, quota: number, seconds: number) => {
    const own = new RateLimiterMemory({ points: quota, duration: seconds, keyPrefix: name });
    if (redis === null) return own;
    const settings = { points: quota, duration: seconds, keyPrefix: `limit-${name}` };
    const limiter = new RateLimiterRedis({ storeClient: redis, ...settings, rejectIfRedisNotReady: true });
    return new RLWrapperTimeouts({ limiter, timeoutMs: COUNT_MS, insuranceLimiter: own });
  };
  const points = listPoints(limits);
  const counters = new Map(
    Object.entries(points).map(([bucket, quota]) => [
      bucket,
      createCounter(bucket, quota, windowOf(bucket as Bucket)),
    ]),
  );
  const wrongCodes = createCounter("wrong-codes", WRONG_CODES_PER_HOUR, 3600);
  const reports = createCounter("reports", limits.reportsPerHour, 3600);
  const signUps = createCounter("sign-ups", limits.signUpsPerHour, 3600);
  return {
    /** Counts a link to open an account that an address asked for; false over the address's limit an hour. */
    async takeSignUp(address: string): Promise<boolean> {
      return (await consume(signUps, groupAddress(address))).allowed;
    },
    /** Counts a reader's report; throws `rate_limited` over an address's limit an hour. */
    async takeReport(address: string): Promise<void> {
      const { state, allowed } = await consume(reports, groupAddress(address));
      if (!allowed) {
        throw tooMany("Many reports came from this address.", secondsLeft(state));
      }
    },
    /** Counts one request and sets the RateLimit headers; throws `rate_limited` over the limit. */
    async take(bucket: Bucket, who: string, reply: FastifyReply): Promise<void> {
      const quota = points[bucket];
      const counter = counters.get(bucket);
      if (counter === undefined) throw new Error("there is no such bucket");
      const { state, allowed } = await consume(counter, who);
      const seconds = secondsLeft(state);
      reply.header("ratelimit-policy", `"${bucket}";q=${quota};w=${windowOf(bucket)}`);
      reply.header("ratelimit", `"${bucket}";r=${Math.max(0, state.remainingPoints)};t=${seconds}`);
      if (!allowed) {
        const span = HOURLY.has(bucket) ? "an hour" : "a minute";
        throw tooMany(`The limit is ${quota} requests ${span}.`, seconds);
      }
    },
    /** Counts a wrong enrolment code against an address. */
    async countWrongCode(address: string): Promise<void> {
      await consume(wrongCodes, groupAddress(address));
    },
    /** Throws `rate_limited` for an address with too many wrong codes in the last hour. */
    async checkWrongCodes(address: string): Promise<void> {
      const state = await wrongCodes.get(groupAddress(address));
      if (state !== null && state.consumedPoints >= WRONG_CODES_PER_HOUR) {
        throw tooMany("Too many wrong enrolment codes came from this address.", secondsLeft(state));
      }
    },
  };
}

async function consume(limiter: RateLimiterMemory | RLWrapperTimeouts, key: string) {
  try {
    const isOwn = limiter instanceof RateLimiterMemory;
    const counted = isOwn ? limiter.consume(key) : waitWithoutPlace(() => limiter.consume(key));
    return { state: await counted, allowed: true };
  } catch (state) {
    if (state instanceof RateLimiterRes) return { state, allowed: false };
    throw state;
  }
}

function windowOf(bucket: Bucket): number {
  return HOURLY.has(bucket) ? 3600 : WINDOW_SECONDS;
}

function listPoints(limits: Limits): Record<Bucket, number> {
  return {
    reads: limits.readsPerMinute,
    writes: limits.writesPerMinute,
    checks: limits.checksPerMinute,
    enrolments: limits.enrolmentsPerMinute,
    public_json: limits.publicJsonPerMinute,
    feeds: limits.feedsPerMinute,
    rows: limits.rowsPerMinute,
    queries: limits.queriesPerMinute,
    comparisons: limits.comparisonsPerMinute,
    log: limits.logPerMinute,
    witness: limits.witnessPerMinute,
    // By address; each upload counts towards its agent's writes as well.
    uploads: limits.publicJsonPerMinute,
    revocations: limits.revocationsPerHour,
    registrations: limits.registrationsPerHour,
  };
}

function secondsLeft({ msBeforeNext }: { msBeforeNext: number }): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function tooMany(message: string, retryAfterSeconds: number): Refusal {
  return new Refusal("rate_limited", message, {
    retryAfterSeconds,
    hint: "Wait for the seconds that Retry-After names, and back off exponentially.",
  });
}

/** One household or server holds a whole /64 of IPv6: its addresses count as one. */
export function groupAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}
