import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { startEmbeddedPostgres } from "../../cli/embedded/postgres.ts";
import { findRunningDatabase, withDatabase } from "../../cli/embedded/running.ts";
import { type PreparedDataFolder, prepareDataFolder } from "../support/data-folder.ts";
import { findOrphans } from "../support/service-process.ts";

let folder: PreparedDataFolder;
let dataDir = "";

beforeAll(async () => {
  folder = await prepareDataFolder();
  dataDir = folder.path;
});
afterAll(() => folder.remove());

afterEach(async () => {
  expect(await findOrphans(dataDir, [])).toEqual([]);
});

const log = () => undefined;

describe("embedded PostgreSQL", { timeout: 240_000 }, () => {
  test("begins anew after an initdb that was cut short", async () => {
    await rm(join(dataDir, "postgres"), { recursive: true });
    await mkdir(join(dataDir, "postgres-unfinished-abc", "cluster"), { recursive: true });
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    await postgres.stop();
    expect((await readdir(dataDir)).filter((name) => name.startsWith("postgres-"))).toEqual([]);
  });

  test("lets nobody in without the password and has the extensions", async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    try {
      for (const url of [postgres.url, postgres.adminUrl]) {
        const open = new URL(url);
        open.password = "guess";
        await expect(withClient(open.href, (client) => client.query("SELECT 1"))).rejects.toThrow("password");
      }
      const { rows } = await withClient(postgres.url, (client) =>
        client.query("SELECT extname FROM pg_extension ORDER BY extname"),
      );
      expect(rows.map((row) => row.extname)).toEqual(["pg_trgm", "pgcrypto", "plpgsql", "unaccent"]);
    } finally {
      await postgres.stop();
    }
  });

  test("starts although postmaster.pid names a process that is another one now", async () => {
    const first = await startEmbeddedPostgres({ dataDir, log });
    const pidFile = join(dataDir, "postgres", "postmaster.pid");
    const text = await readFile(pidFile, "utf8");
    await first.stop();
    // Of PostgreSQL's own user: only such a stranger keeps PostgreSQL from starting.
    const { uid, gid } = await stat(join(dataDir, "postgres"));
    const stranger = spawn("sleep", ["60"], { stdio: "ignore", uid, gid });
    await writeFile(pidFile, text.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
    await chown(pidFile, uid, gid);
    try {
      const second = await startEmbeddedPostgres({ dataDir, log });
      await second.stop();
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill("SIGKILL");
      await once(stranger, "exit");
    }
  });

  test("ends one that was left over and takes its place", async () => {
    const first = await startEmbeddedPostgres({ dataDir, log });
    const told: string[] = [];
    const second = await startEmbeddedPostgres({ dataDir, log: (message) => told.push(message) });
    await first.ended;
    await second.stop();
    expect(told[0]).toBe(`PostgreSQL of an earlier start still runs as process ${first.pid}: ending it`);
  });

  test("refuses a cluster of another version and says what to do", async () => {
    const file = join(dataDir, "postgres", "PG_VERSION");
    const version = await readFile(file, "utf8");
    await writeFile(file, "15\n");
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      "was made by PostgreSQL 15 and this release brings 18: dump it with the old release",
    );
    await writeFile(file, version);
  });
});

describe("a command without a running service", { timeout: 240_000 }, () => {
  test("has PostgreSQL for its own time, one command after the other", async () => {
    const config = { dataDir, databaseUrl: undefined };
    const ask = () =>
      withDatabase(config, (url) =>
        withClient(url, async (client) => {
          await client.query("CREATE TABLE IF NOT EXISTS asked (at integer)");
          await client.query("INSERT INTO asked VALUES (1)");
          return (await client.query("SELECT 1 FROM asked")).rowCount;
        }),
      );
    expect((await Promise.all([ask(), ask()])).toSorted()).toEqual([1, 2]);
    expect(await findRunningDatabase(dataDir)).toBeNull();
  });
});
