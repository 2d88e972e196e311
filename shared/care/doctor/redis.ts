import { Redis } from "ioredis";
import { readClusterUrl } from "../../platform/jobs/redis.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const WAIT_MS = 3_000;

/** The Redis that carries heavy jobs and counts limits, where one is configured: every named node; one that evicts loses jobs. */
export async function examineRedis(redisUrl: string | undefined): Promise<Finding[]> {
  if (redisUrl === undefined) return [ok("redis", "Not configured: PostgreSQL carries every job.")];
  const nodes = listNodes(redisUrl);
  return (
    await Promise.all(nodes.map((url, index) => askNode(url, nodes.length > 1 ? `.${index + 1}` : "")))
  ).flat();
}

/** The addresses of a cluster's named nodes, or the one of a single server. */
function listNodes(redisUrl: string): string[] {
  if (!redisUrl.startsWith("redis+cluster:")) return [redisUrl];
  const { nodes, username, password } = readClusterUrl(redisUrl);
  const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  return nodes.map(({ host, port }) => {
    const name = host.includes(":") ? `[${host}]` : host;
    return `redis://${password === "" ? "" : user}${name}:${port}`;
  });
}

async function askNode(url: string, ending: string): Promise<Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: WAIT_MS,
    commandTimeout: WAIT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    const facts = readFacts(await redis.info());
    return [
      checkAnswer(`redis${ending}`, facts),
      checkEviction(`redis.eviction${ending}`, facts),
      checkPersistence(`redis.persistence${ending}`, facts),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\/\/[^@\s]*@/, "//") : String(error);
    return [
      fail(`redis${ending}`, `It does not answer: ${reason}.`, "Check that it runs and REDIS_URL is right."),
    ];
  } finally {
    redis.disconnect();
  }
}

function readFacts(info: string): ReadonlyMap<string, string> {
  return new Map(
    [...info.matchAll(/^([a-z_0-9]+):(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

function checkAnswer(check: string, facts: ReadonlyMap<string, string>): Finding {
  const version = facts.get("redis_version") ?? "unknown";
  const detail = `Redis ${version}, ${facts.get("role") ?? "unknown role"}.`;
  if (Number.parseInt(version, 10) >= 6) return ok(check, detail);
  return fail(check, detail, "Move to Redis 6.2 or later.");
}

function checkEviction(check: string, facts: ReadonlyMap<string, string>): Finding {
  const policy = facts.get("maxmemory_policy") ?? "unknown";
  const detail = `maxmemory-policy is ${policy}.`;
  if (policy === "noeviction") return ok(check, detail);
  return fail(check, `${detail} Under pressure jobs are thrown away.`, "Set maxmemory-policy noeviction.");
}

function checkPersistence(check: string, facts: ReadonlyMap<string, string>): Finding {
  if (facts.get("aof_enabled") === "1") return ok(check, "Writes are logged (appendonly).");
  return warn(
    check,
    "Writes are not logged: jobs since its last snapshot are lost with it, until sweeps find them.",
    "Set appendonly yes.",
  );
}
