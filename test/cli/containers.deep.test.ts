import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../cli/embedded/postgres.ts";
import type { Finding } from "../../shared/care/doctor/finding.ts";
import { findRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { runHere } from "../support/run-here.ts";
import { findOrphans, startProcess, until } from "../support/service-process.ts";

// What docker-compose.scale.yml starts beside the service, without Docker: a PostgreSQL on which its very init script ran, and
// Redis with its very command line.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 360_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");
const PASSWORD = 'it\'s \\a $HOME "pass"';
const REDIS_PASSWORD = "0123456789abcdef";
/** Sends standard input to a real server, where the machine has no psql that would. */
const STAND_IN = `#!/usr/bin/env node
const { Client } = require(${JSON.stringify(join(ROOT, "node_modules", "pg"))});
const { PGHOST: host, PGPORT: port, PGPASSWORD: password } = process.env;
const client = new Client({ host, port, password, user: "postgres", database: "broadsheet" });
client.connect()
  .then(() => client.query(require("node:fs").readFileSync(0, "utf8")))
  .finally(() => client.end());
`;

let folder = "";
let postgres: EmbeddedPostgres;
let redis: TestRedis | null = null;
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  folder = await makeTemporaryDataFolder("broadsheet-test-");
  await mkdir(join(folder, "database"), { mode: 0o711 });
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: () => undefined });
  await leaveAsImageDoes();
  if (findRedis() !== null) redis = await startRedis(await readRedisCommand());
  env = {
    DATABASE_URL: `postgres://broadsheet:${encodeURIComponent(PASSWORD)}@127.0.0.1:${postgres.port}/broadsheet`,
    DATA_DIR: join(folder, "data"),
    PORT: String(await choosePort()),
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
  };
});
afterAll(async () => {
  await redis?.stop();
  await postgres.stop();
  expect(await findOrphans(folder, [])).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** Before it runs init scripts, the image has made the database, for its superuser; there is no other role. */
async function leaveAsImageDoes(): Promise<void> {
  await withClient(postgres.adminUrl, async (client) => {
    await client.query("DROP DATABASE broadsheet");
    await client.query("DROP ROLE broadsheet");
    await client.query("CREATE DATABASE broadsheet");
  });
}

async function readServices() {
  return parseYaml(await readFile(join(ROOT, "docker-compose.scale.yml"), "utf8"), { merge: true }).services;
}

async function readRedisCommand(): Promise<string[]> {
  const [program, ...words] = (await readServices()).redis.command as string[];
  expect(program).toBe("redis-server");
  return words.map((word) => (word.startsWith("${REDIS_PASSWORD:?") ? REDIS_PASSWORD : word));
}

async function runInitScript() {
  const { postgres: service } = await readServices();
  const [, script = ""] =
    /^\.\/(\S+):\/docker-entrypoint-initdb\.d\/\S+\.sh:ro$/m.exec(service.volumes.join("\n")) ?? [];
  const path = join(ROOT, script);
  // The image runs an executable script and reads any other into its own shell.
  expect((await stat(path)).mode & 0o111).toBe(0o111);
  const tools = join(folder, "tools");
  await mkdir(tools);
  if (spawnSync("psql", ["--version"]).status !== 0) {
    await writeFile(join(tools, "psql"), STAND_IN);
    await chmod(join(tools, "psql"), 0o755);
  }
  const { POSTGRES_USER, POSTGRES_DB } = service.environment;
  const { hostname, port, password } = new URL(postgres.adminUrl);
  return spawnSync(path, {
    encoding: "utf8",
    env: {
      ...{ PATH: `${tools}${delimiter}${process.env.PATH}`, HOME: folder },
      ...{ PGHOST: hostname, PGPORT: port, PGPASSWORD: password },
      ...{ POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD: PASSWORD },
    },
  });
}

/** npm start with the addresses that the containers have: it runs the migrations, the API and the workers. */
async function startService() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const service = startProcess({
    command: process.execPath,
    args: [join(ROOT, "cli", "start.ts")],
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  });
  const isReady = () => service.lines.some(({ text }) => text.includes("Broadsheet is ready at"));
  await until(() => isReady() || service.child.exitCode !== null, 60_000);
  expect([isReady(), isReady() ? "" : service.stderr()]).toEqual([true, ""]);
  return service;
}

test("the init script makes a plain role, under which migrations, service and doctor work", async () => {
  const { status, stderr } = await runInitScript();
  expect([status, stderr]).toEqual([0, ""]);
  const service = await startService();
  const roles = await withClient(env.DATABASE_URL ?? "", async (client) => {
    const { rows } = await client.query(
      `SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        pg_get_userbyid(datdba) AS owner
      FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    return rows;
  });
  expect(Object.values(roles[0])).toEqual(["broadsheet", false, false, false, false, false, "broadsheet"]);
  await expect(withClient(postgres.adminUrl, (client) => client.query("SELECT 1"))).rejects.toThrow(
    "password authentication failed",
  );

  const { code, stdout } = await runHere(["doctor"], env);
  const findings: Finding[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(code).toBe(0);
  expect(findings.find(({ check }) => check === "database.role")?.detail).toContain("broadsheet owns");
  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
