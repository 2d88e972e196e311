import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findClosedFolder } from "../../cli/embedded/account.ts";
import { readAnnouncedUrl } from "../../cli/embedded/credentials.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { startEmbeddedPostgres } from "../../cli/embedded/postgres.ts";
import { findRunningDatabase, withDatabase } from "../../cli/embedded/running.ts";
import { socketOf } from "../support/cable.ts";
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
const NOBODY = { name: "nobody", uid: 65_534, gid: 65_534 };

/** Whether we can run Node as somebody else. */
async function nobodyRuns(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findClosedFolder(NOBODY, dirname(process.execPath))) === null;
}

/** What somebody else is answered who wants to listen there. */
function listenAsNobody(path: string): string {
  const script = `const tell = (word) => { console.log(word); process.exit(); };
    net.createServer().on("error", ({ code }) => tell(code)).listen(process.argv[1], () => tell("listens"));`;
  const { uid, gid } = NOBODY;
  return spawnSync(process.execPath, ["-e", script, path], {
    encoding: "utf8",
    uid,
    gid,
    cwd: "/",
  }).stdout.trim();
}

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

  test("opens no port, and gives its password to nobody who listens in its place after a crash", async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const told: Buffer[] = [];
    const stranger = createServer((socket) => {
      socket.on("data", (chunk) => told.push(chunk));
      // "Send your password in clear text."
      socket.once("data", () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])));
    });
    try {
      const pidFile = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
      process.kill(postgres.pid, "SIGKILL");
      await postgres.ended;
      await new Promise((resolve) => {
        // Another PostgreSQL of the machine may have it.
        stranger.once("listening", resolve).once("error", resolve);
        stranger.listen(Number(new URL(postgres.url).port), "127.0.0.1");
      });
      await expect(withClient(postgres.url, (client) => client.query("SELECT 1"))).rejects.toThrow();
      expect(told).toEqual([]);
      // The line of the first address on which it listens.
      expect(pidFile.split("\n")[5]).toBe("");
      const { path } = socketOf(postgres.url);
      const found = await stat(dirname(path));
      expect(found.uid).toBe((await stat(join(dataDir, "postgres"))).uid);
      expect(found.mode & 0o067).toBe(0);
      if (await nobodyRuns()) expect(listenAsNobody(path)).toBe("EACCES");
    } finally {
      stranger.close();
    }
    await writeFile(
      join(dataDir, "postgres.url"),
      "postgres://broadsheet:of-0.4.0@127.0.0.1:23456/broadsheet",
    );
    expect(await readAnnouncedUrl(dataDir)).toBeNull();
    await (await startEmbeddedPostgres({ dataDir, log })).stop();
  });

  test("has its socket among temporary files where the path of the data folder is too long for one", async () => {
    const long = join(dirname(dataDir), `broadsheet-test-${"long".repeat(20)}`);
    await rename(dataDir, long);
    const postgres = await startEmbeddedPostgres({ dataDir: long, log });
    const { path } = socketOf(postgres.url);
    expect(path).not.toContain(long);
    await withClient(postgres.url, (client) => client.query("SELECT 1"));
    await postgres.stop();
    await expect(stat(dirname(path))).rejects.toThrow("ENOENT");
    await rename(long, dataDir);
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
    await mkdir(join(dataDir, "postgres.socket"));
    await writeFile(join(dataDir, "postgres.socket", ".s.PGSQL.5432.lock"), await readFile(pidFile));
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
