import { type DatabaseHealth, readDatabaseHealth } from "../../../sql/care/database-health.ts";
import { compareMigrations, GO_TO_0_4_0 } from "../../../sql/connection/migrate.ts";
import { type Db, openPool } from "../../../sql/connection/pool.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLDEST_VERSION = 150_000;
const FEW_CONNECTIONS = 50;
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 60_000;

/**
 * Examines the server behind DATABASE_URL: version, role, settings, space, clock difference to this machine,
 * and whether the schema is this code's; works without a schema. Throws where the server does not answer.
 */
export async function examineDatabase(databaseUrl: string): Promise<Finding[]> {
  const pool = await openPool(databaseUrl, { maxConnections: 1 });
  try {
    return [...(await checkServer(pool)), ...(await checkMigrations(pool))];
  } finally {
    await pool.end();
  }
}

async function checkServer(db: Db): Promise<Finding[]> {
  const askedMs = Date.now();
  const health = await readDatabaseHealth(db);
  // The middle of the round trip is the best guess for when the server read its clock.
  const apartMs = health.clock - (askedMs + Date.now()) / 2;
  return [
    checkVersion(health),
    checkRole(health),
    ...checkSettings(health),
    checkConnections(health),
    checkClock(apartMs),
  ];
}

function checkVersion({ version, version_number, bytes }: DatabaseHealth): Finding {
  if (version_number >= OLDEST_VERSION) {
    return ok("database.version", `PostgreSQL ${version}, ${Math.round(bytes / 1_048_576)} MiB of data.`);
  }
  return fail("database.version", `PostgreSQL ${version} is too old.`, "Move to PostgreSQL 15 or later.");
}

function checkRole({ role, is_superuser, may_create, is_standby, read_only }: DatabaseHealth): Finding {
  const check = "database.role";
  if (is_standby || read_only === "on") {
    return fail(check, "The database takes no writes.", "Let DATABASE_URL name the primary server.");
  }
  if (!may_create) {
    return fail(check, `${role} may not create tables.`, `GRANT CREATE ON SCHEMA public TO "${role}".`);
  }
  if (is_superuser) {
    return warn(
      check,
      `${role} is a superuser.`,
      "Give the service a role of its own that owns its database.",
    );
  }
  return ok(check, `${role} owns what it needs and no more.`);
}

function checkSettings({ encoding, fsync, full_page_writes }: DatabaseHealth): Finding[] {
  const check = "database.settings";
  const findings: Finding[] = [];
  if (encoding !== "UTF8") {
    findings.push(
      fail(check, `The encoding is ${encoding}.`, "Make the database anew with ENCODING 'UTF8'."),
    );
  }
  for (const [name, value] of Object.entries({ fsync, full_page_writes })) {
    if (value === "on") continue;
    findings.push(fail(check, `${name} is off: a power cut may destroy the database.`, `Set ${name} = on.`));
  }
  return findings.length > 0 ? findings : [ok(check, "UTF8; what is committed is on the disk.")];
}

function checkConnections({ max_connections, used_connections }: DatabaseHealth): Finding {
  const detail = `${used_connections} of ${max_connections} connections are in use.`;
  const isTight = max_connections < FEW_CONNECTIONS || used_connections > max_connections * 0.8;
  if (!isTight) return ok("database.connections", detail);
  return warn("database.connections", detail, "Raise max_connections: a process takes up to sixteen.");
}

function checkClock(apartMs: number): Finding {
  const detail = `The database's clock is ${(apartMs / 1000).toFixed(1)} s ahead of this machine's.`;
  const mend = "Let both machines follow a time server (NTP).";
  if (Math.abs(apartMs) > CLOCK_FAIL_MS) return fail("clock", detail, mend);
  return Math.abs(apartMs) > CLOCK_WARN_MS ? warn("clock", detail, mend) : ok("clock", detail);
}

/** The finding on which the other checks of doctor depend. */
export const MIGRATIONS = "database.migrations";

async function checkMigrations(db: Db): Promise<Finding[]> {
  const { isTooOld, missing, waiting, edited, newer, tooNew } = await compareMigrations(db);
  const check = MIGRATIONS;
  if (isTooOld) return [fail(check, "The database is older than version 0.4.0.", GO_TO_0_4_0)];
  const judge = (names: readonly string[], found: typeof fail, what: string, mend: string) =>
    names.length === 0 ? [] : [found(check, `${what}: ${names.join(", ")}.`, mend)];
  const goOn = "Go on with the upgrade, or stay: this version works with them.";
  const later = "Run npm run migrate when no process of the version before runs.";
  const findings = [
    ...judge(missing, fail, "Not run yet", "Run npm run migrate."),
    ...judge(edited, fail, "Edited since they ran", "Put those files back."),
    ...judge(tooNew, fail, "Of a newer code", "Run the newer code."),
    ...judge(newer, warn, "Of a newer code", goOn),
    ...judge(waiting, warn, "Waiting", later),
  ];
  return findings.length > 0 ? findings : [ok(check, "All of them have run.")];
}
