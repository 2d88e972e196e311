import { Cluster, Command, Redis, type RedisOptions } from "ioredis";
import type { Logger } from "pino";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";

/** A connection to one Redis or to a cluster of them. */
export type RedisConnection = Redis | Cluster;

/**
 * How long a command may get no answer before its connection counts as half-open and is opened anew. The
 * `waiting` connections wait for jobs, up to ten seconds at a time.
 */
const SILENCE_MS = { waiting: 30_000, failing: 5_000 };
const RETRY_MS = { least: 100, most: 2_000 };

/**
 * Opens a connection that reconnects for ever. Where `waits` is set, commands wait for an unavailable Redis
 * (workers); the others fail at once, or after `timeoutMs` where it hangs, because a request waits for them.
 */
export function openRedis(
  url: string,
  options: { waits: boolean; timeoutMs?: number; log: Logger; purpose: string },
): RedisConnection {
  const { waits, timeoutMs, log, purpose } = options;
  const settings: RedisOptions = {
    maxRetriesPerRequest: waits ? null : 0,
    enableOfflineQueue: waits,
    connectTimeout: 5_000,
    socketTimeout: waits ? SILENCE_MS.waiting : SILENCE_MS.failing,
    connectionName: `broadsheet-${purpose}`,
    retryStrategy: (times) => Math.min(RETRY_MS.most, RETRY_MS.least * times),
    ...(timeoutMs === undefined ? {} : { commandTimeout: timeoutMs }),
  };
  const connection = url.startsWith("redis+cluster:") ? openCluster(url, settings) : new Redis(url, settings);
  let isAway = false;
  connection.on("error", (error: Error) => {
    if (!isAway) log.warn({ reason: error.message, purpose }, "Redis does not answer");
    isAway = true;
  });
  connection.on("ready", () => {
    if (isAway) log.info({ purpose }, "Redis answers again");
    isAway = false;
  });
  return connection;
}

/** Asks for a sign of life; throws where none comes within `ms`, whatever the connection gives its other commands. */
export async function ping(connection: RedisConnection, ms: number): Promise<void> {
  const command = new Command("ping");
  command.setTimeout(ms);
  await connection.sendCommand(command);
}

function openCluster(url: string, settings: RedisOptions): Cluster {
  const { nodes, username, password } = readClusterUrl(url);
  const { retryStrategy, enableOfflineQueue, ...each } = settings;
  return new Cluster(nodes, {
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue,
    redisOptions: { ...each, ...(username ? { username } : {}), ...(password ? { password } : {}) },
  });
}

/** Reads redis+cluster://user:password@a:7000,b:7001 into its nodes; a node without a port has 6379. */
export function readClusterUrl(url: string): {
  nodes: { host: string; port: number }[];
  username: string;
  password: string;
} {
  const rest = url.replace(/^redis\+cluster:\/\//, "").replace(/\/.*$/, "");
  const split = rest.lastIndexOf("@");
  const [username = "", ...words] = split < 0 ? [] : rest.slice(0, split).split(":");
  const nodes = rest
    .slice(split + 1)
    .split(",")
    .map((node) => {
      const [, host = "", port = "6379"] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(node) ?? [];
      return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
    });
  return { nodes, username: decodeURIComponent(username), password: decodeURIComponent(words.join(":")) };
}

/**
 * The policy of a full Redis; null where the server does not tell it. Anything but noeviction may drop jobs.
 */
export async function readEvictionPolicy(connection: RedisConnection): Promise<string | null> {
  const info = await connection.info("memory");
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null;
}

/** Waits until the connection is ready; false where that takes longer than `withinMs`. */
export async function waitUntilReady(connection: RedisConnection, withinMs: number): Promise<boolean> {
  if (connection.status === "ready") return true;
  const ready = new Promise<boolean>((resolve) => void connection.once("ready", () => resolve(true)));
  return await withTimeout(ready, withinMs).catch(() => false);
}
