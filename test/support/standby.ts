import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { findPostgresAccount } from "../../cli/embedded/account.ts";
import { providePostgresBinaries } from "../../cli/embedded/binaries.ts";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { canConnect, withClient } from "../../cli/embedded/database.ts";
import { clusterFolder, identityOf, quietEnvironment } from "../../cli/embedded/initialize.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../cli/embedded/postgres.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";

const run = promisify(execFile);
const READY_MS = 20_000;
// The standby must allow as many connections as its primary. Nothing here outlives the test.
const SETTINGS = { max_connections: "60", fsync: "off", full_page_writes: "off", shared_buffers: "32MB" };

/** A primary with the schema in it, and a standby that streams its log. */
export interface StreamingPair {
  /** The databases of the service, for its own role. */
  primaryUrl: string;
  standbyUrl: string;
  standbyPort: number;
  /** Waits until the standby has replayed everything that the primary has written so far. */
  catchUp(): Promise<void>;
  /** Lets new writes reach the standby without being visible there. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both in a folder that goes away with them: the standby begins as a copy of the primary at rest. */
export async function startStreamingPair(): Promise<StreamingPair> {
  const folder = await makeTemporaryDataFolder("broadsheet-test-");
  const start = () => startEmbeddedPostgres({ dataDir: folder, log: () => undefined, settings: SETTINGS });
  const first = await start();
  await migrate(first.url);
  await first.stop();
  const standbyFolder = join(folder, "standby");
  // PostgreSQL's user owns both, whoever runs the test.
  await run("cp", ["-a", clusterFolder(folder), standbyFolder]);
  await run("touch", [join(standbyFolder, "standby.signal")], identityOf(await findPostgresAccount()));
  const primary = await start();
  const standby = openStandby(primary, folder, await choosePort());
  await standby.start();
  return {
    ...describePair(primary, standby),
    async stop() {
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Standby {
  url: string;
  adminUrl: string;
  port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

function describePair(primary: EmbeddedPostgres, standby: Standby): Omit<StreamingPair, "stop"> {
  const ask = (url: string, text: string, values: unknown[] = []) =>
    withClient(url, async (client) => (await client.query<{ is: unknown }>(text, values)).rows[0]?.is);
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    standbyPort: standby.port,
    async catchUp() {
      const written = await ask(primary.adminUrl, `SELECT pg_current_wal_flush_lsn()::text AS "is"`);
      const replayed = `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "is"`;
      await becomes("level", async () => (await ask(standby.adminUrl, replayed, [written])) === true);
    },
    async pauseReplay() {
      await ask(standby.adminUrl, `SELECT pg_wal_replay_pause() AS "is"`);
      const state = `SELECT pg_get_wal_replay_pause_state() AS "is"`;
      await becomes("paused", async () => (await ask(standby.adminUrl, state)) === "paused");
    },
    async resumeReplay() {
      await ask(standby.adminUrl, `SELECT pg_wal_replay_resume() AS "is"`);
    },
    stopStandby: standby.stop,
    startStandby: standby.start,
  };
}

function openStandby(primary: EmbeddedPostgres, folder: string, port: number): Standby {
  const away = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const adminUrl = away(primary.adminUrl);
  const { username, password } = new URL(primary.adminUrl);
  const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${password}`;
  const settings = {
    ...SETTINGS,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    primary_conninfo: source,
  };
  let end: () => Promise<void> = async () => undefined;
  return {
    url: away(primary.url),
    adminUrl,
    port,
    async start() {
      const words = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]);
      end = await launch(folder, words);
      await becomes("open for reading", () => canConnect(adminUrl));
    },
    stop: () => end(),
  };
}

/** Runs the standby behind a shell that ends it when our pipe closes: with us, however that comes. */
async function launch(folder: string, words: string[]): Promise<() => Promise<void>> {
  const account = await findPostgresAccount();
  const { postgres } = await providePostgresBinaries(account);
  const script = 'exec 3<&0; "$@" </dev/null 3<&- & read -r _ <&3; kill -INT $!; wait $!';
  const log = await open(join(folder, "standby.log"), "a");
  const child = spawn("/bin/sh", ["-c", script, "sh", postgres, "-D", join(folder, "standby"), ...words], {
    ...identityOf(account),
    cwd: "/",
    env: quietEnvironment(),
    stdio: ["pipe", log.fd, log.fd],
  });
  await log.close();
  const ended = once(child, "exit");
  return async () => {
    child.stdin?.end();
    await ended;
  };
}

async function becomes(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`the standby did not become ${what}`);
    await delay(20);
  }
}
