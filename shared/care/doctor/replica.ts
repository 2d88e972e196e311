import { type ReplicaHealth, readLogPosition, readReplicaHealth } from "../../../sql/care/database-health.ts";
import { type Db, openPool } from "../../../sql/connection/pool.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const CHECK = "database.replica";
const LAG_WARN_SECONDS = 60;
const AWAY = "Check that it runs and DATABASE_READ_URL is right; the primary carries all reads meanwhile.";

/** The replica that carries bodies for readers, where one is configured. */
export async function checkReplica({ config, pool }: Deps): Promise<Finding[]> {
  return [await examineReplica(pool, config.databaseReadUrl)];
}

/** Whether a replica answers, is a standby of this primary, and how far it is behind. */
export async function examineReplica(primary: Db, replicaUrl: string | undefined): Promise<Finding> {
  if (replicaUrl === undefined) return ok(CHECK, "Not configured: the primary carries everything.");
  const { system, written } = await readLogPosition(primary);
  try {
    const replica = await openPool(replicaUrl, { maxConnections: 1 });
    try {
      return judge(await readReplicaHealth(replica, written), system);
    } finally {
      await replica.end();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return warn(CHECK, `It does not answer: ${reason}.`, AWAY);
  }
}

function judge(health: ReplicaHealth, primarySystem: string): Finding {
  if (health.system !== primarySystem) {
    return fail(
      CHECK,
      "It is a copy of another database.",
      "Let DATABASE_READ_URL name a standby of DATABASE_URL's server.",
    );
  }
  if (!health.is_standby) {
    return warn(
      CHECK,
      "It is no standby: it takes writes.",
      "Let DATABASE_READ_URL name a standby, or unset it.",
    );
  }
  const seconds =
    health.replayed_at === null ? null : Math.max(0, Math.round((health.clock - health.replayed_at) / 1000));
  const isLevel = health.behind_bytes === 0;
  const since =
    seconds === null ? "nothing replayed since its start" : `last replayed what was written ${seconds} s ago`;
  const detail = isLevel
    ? "A standby, level with the primary."
    : `A standby, ${Math.ceil((health.behind_bytes ?? 0) / 1024)} KiB of log behind; ${since}.`;
  if (isLevel || (seconds ?? 0) <= LAG_WARN_SECONDS) return ok(CHECK, detail);
  return warn(CHECK, detail, "Check its log and its connection to the primary.");
}
