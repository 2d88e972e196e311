import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Account, findClosedFolder, findServiceAccount } from "../../cli/embedded/account.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { findRunningDatabase } from "../../cli/embedded/running.ts";
import { openDiskStore } from "../../shared/platform/files/disk.ts";
import { createTestDatabase } from "../support/cluster.ts";
import {
  findOrphans,
  identifyService,
  type ServiceProcess,
  type StartOptions,
  startProcess,
} from "../support/service-process.ts";

const SERVICE = join(import.meta.dirname, "fixtures", "service.ts");
const ROOT = join(import.meta.dirname, "..", "..");
const NOBODY: Account = { name: "nobody", uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
// The tree and Node must be readable by others, or the ordinary user cannot even begin.
const nobodyReads = isRoot && (await findClosedFolder(NOBODY, ROOT)) === null;
if (!isRoot) console.warn("SKIPPED: what root meets is only tested as root.");
else if (!nobodyReads)
  console.warn(`SKIPPED: the user nobody cannot enter ${ROOT}, so no ordinary user is tested.`);

let home = "";

beforeEach(async () => {
  // As mktemp -d makes it, and as many a home is: mode 0700.
  home = await mkdtemp(join(await realpath(tmpdir()), "broadsheet-home-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** Starts the service there, reads who it is from its database, and stops it. */
async function startAndStop(dataDir: string, options: Partial<StartOptions> & { env: NodeJS.ProcessEnv }) {
  const service = startProcess({ command: process.execPath, args: [SERVICE], ...options });
  const line = await service.said("service ready");
  const { all } = await identifyService(
    dataDir,
    service.pid,
    Object.values(line.pids as Record<string, number>),
  );
  const url = (await findRunningDatabase(dataDir)) ?? "";
  const facts = await withClient(url, async (client) => {
    const { rows } = await client.query(
      "SELECT current_setting('server_encoding') AS encoding, datlocale AS locale, datcollate AS collation, " +
        "lower('ÄÖÜ') AS lower FROM pg_database WHERE datname = current_database()",
    );
    return rows[0];
  });
  const children = Object.values(line.pids as Record<string, number>);
  const users = await Promise.all(
    children.map(async (pid) => (await stat(`/proc/${pid}`).catch(() => null))?.uid),
  );
  const environments = await Promise.all(
    children.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
  );
  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(await findOrphans(dataDir, all)).toEqual([]);
  return { facts, users, environments };
}

const FACTS = { encoding: "UTF8", locale: "C.UTF-8", collation: "C.UTF-8", lower: "äöü" };

describe.skipIf(!isRoot)("as root", { timeout: 240_000 }, () => {
  test("in a folder of mode 0700 the start says which folder is closed and what to do, and changes no mode", async () => {
    const service = startProcess({
      command: process.execPath,
      args: [SERVICE],
      env: { ...process.env, DATA_DIR: join(home, "data") },
    });
    expect((await service.ended).code).toBe(1);
    expect(service.stderr()).toBe(
      `PostgreSQL must run as the user postgres when you are root, and that user cannot enter ${home}. ` +
        "Either set DATA_DIR to a folder it can reach, for example DATA_DIR=/var/lib/broadsheet, " +
        `or open the folder with: chmod o+x ${home}\n`,
    );
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  test("the way out that the message names works", async () => {
    const dataDir = join(home, "data");
    await chmod(home, 0o701);
    const { facts } = await startAndStop(dataDir, { env: { ...process.env, DATA_DIR: dataDir } });
    expect(facts).toEqual(FACTS);
    const modes = await Promise.all(
      ["", "postgres", "postgres.passwords", "service.lock"].map((name) => stat(join(dataDir, name))),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(["711", "700", "600", "600"]);
    expect(modes.map(({ uid }) => uid === 0)).toEqual([true, false, true, true]);
  });

  test.skipIf(!nobodyReads)(
    "API and workers run as a user of their own, which gets the folders of an older version",
    async () => {
      await chmod(home, 0o701);
      const dataDir = join(home, "data");
      const file = join(dataDir, "files", "V8", "01M7X6WBAZDT3JDAMJ1NB8D4V8");
      await mkdir(join(file, ".."), { recursive: true });
      await writeFile(file, "a,b\n1,2\n", { mode: 0o600 });
      await mkdir(join(dataDir, "mail"), { mode: 0o700 });
      await chmod(dataDir, 0o711);
      const env = { ...process.env, DATA_DIR: dataDir, LIMIT_FILES: "7", DEPLOY_TOKEN: "of root alone" };
      const { users, environments } = await startAndStop(dataDir, { env });
      for (const text of environments) {
        expect(text).toContain(`DATA_DIR=${dataDir}`);
        expect(text).toContain("LIMIT_FILES=7");
        expect(text).not.toMatch(/of root alone|HOME=/);
      }
      const account = await findServiceAccount();
      expect(users).toEqual([account?.uid, account?.uid]);
      expect(users).not.toContain((await stat(join(dataDir, "postgres"))).uid);
      expect(users).not.toContain(0);
      // What a command of root writes belongs to the service too.
      const key = "01M7X6WBAZDT3JDAMJ1NB8D4T6";
      await openDiskStore(join(dataDir, "files")).put(key, Readable.from([Buffer.from("a\n")]));
      const written = join(dataDir, "files", "T6");
      for (const path of [file, join(file, ".."), join(dataDir, "mail"), written, join(written, key)])
        expect([path, (await stat(path)).uid]).toEqual([path, account?.uid]);
    },
  );

  test.skipIf(!nobodyReads)("a folder and a port that this user cannot use are refused", async () => {
    await chmod(home, 0o701);
    const elsewhere = join(home, "elsewhere");
    await mkdir(elsewhere, { mode: 0o750 });
    const other = await createTestDatabase();
    const started: ServiceProcess[] = [];
    const start = (more: NodeJS.ProcessEnv) => {
      const env = { ...process.env, DATA_DIR: join(home, "data"), DATABASE_URL: other.url, ...more };
      const service = startProcess({ command: process.execPath, args: [SERVICE], env });
      started.push(service);
      return service;
    };
    try {
      const closed = start({ FILES_URL: `file:${elsewhere}` });
      expect((await closed.ended).code).toBe(1);
      expect(closed.stderr()).toBe(
        "The API and the workers run as the user broadsheet when you are root, and that user cannot write to " +
          `${elsewhere}. Make that folder, give it to the user with chown -R broadsheet: ${elsewhere}, ` +
          "and open each folder above it with chmod o+x.\n",
      );
      expect((await stat(elsewhere)).uid).toBe(0);
      const low = start({ PORT: "79" });
      expect((await low.ended).code).toBe(1);
      expect(low.stderr()).toContain("Port 79 is for root alone, and the API runs as the user broadsheet");
    } finally {
      for (const { child } of started) child.kill();
    }
  });

  test("an empty environment, a strict umask and a folder of mode 0700 to start from do no harm", async () => {
    await chmod(home, 0o701);
    const dataDir = join(home, "deep", "data");
    const script = `umask 077; exec env -i PATH=/usr/bin:/bin DATA_DIR=${dataDir} "$0" "$1"`;
    const cwd = await mkdtemp(join(home, "cwd-"));
    const { facts } = await startAndStop(dataDir, {
      command: "/bin/sh",
      args: ["-c", script, process.execPath, SERVICE],
      env: {},
      cwd,
    });
    expect(facts).toEqual(FACTS);
  });
});

describe("as an ordinary user", { timeout: 240_000 }, () => {
  test.skipIf(!nobodyReads)(
    "a private folder of mode 0700 is good, and everything runs as that user",
    async () => {
      await chown(home, NOBODY.uid, NOBODY.gid);
      const dataDir = join(home, "data");
      const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
      const { facts, users } = await startAndStop(dataDir, {
        env: { PATH: path, DATA_DIR: dataDir, HOME: home },
        uid: NOBODY.uid,
        gid: NOBODY.gid,
      });
      expect(facts).toEqual(FACTS);
      const owners = await Promise.all(
        ["", "postgres", "service.lock"].map((name) => stat(join(dataDir, name))),
      );
      expect(owners.map(({ uid }) => uid)).toEqual([NOBODY.uid, NOBODY.uid, NOBODY.uid]);
      expect(users).toEqual([NOBODY.uid, NOBODY.uid]);
      expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe("700");
    },
  );

  test.skipIf(!nobodyReads)("a data folder of somebody else is refused in one sentence", async () => {
    await chmod(home, 0o755);
    const service = startProcess({
      command: process.execPath,
      args: [SERVICE],
      env: { PATH: "/usr/bin:/bin", DATA_DIR: home },
      uid: NOBODY.uid,
      gid: NOBODY.gid,
    });
    expect((await service.ended).code).toBe(1);
    expect(service.stderr()).toBe(
      `The data folder ${home} cannot be written to: give it to this user, or set DATA_DIR to another.\n`,
    );
  });
});
