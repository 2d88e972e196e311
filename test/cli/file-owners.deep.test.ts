import { chown, mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findClosedFolder, findServiceAccount } from "../../cli/embedded/account.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { API_COMMAND, WORKERS_COMMAND } from "../../cli/supervisor/service.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { openPublisher } from "../support/publisher.ts";
import { type ServiceProcess, startProcess, until } from "../support/service-process.ts";
import { withCommandLine } from "../support/stored-files.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ROOTS = { name: "root", uid: 0, gid: 0 };
const account = (process.getuid?.() === 0 ? await findServiceAccount() : null) ?? ROOTS;
const canRun = account !== ROOTS && (await findClosedFolder(account, ROOT)) === null;
if (!canRun) console.warn(`SKIPPED: needs root, and a user broadsheet who can enter ${ROOT}.`);

const started: ServiceProcess[] = [];
const home = await mkdtemp(join(await realpath(tmpdir()), "broadsheet-owners-"));

afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGKILL");
    await ended;
  }
  await rm(home, { recursive: true, force: true });
});

test.skipIf(!canRun)(
  "commands and workers of root leave nothing that the service cannot read, and its log goes on",
  async () => {
    const database = await createTestDatabase();
    const dataDir = join(home, "data");
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, account.uid, account.gid);
    await chown(home, account.uid, account.gid);
    const port = await choosePort();
    const url = `http://localhost:${port}`;
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      ...{
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        PORT: String(port),
        SITE_URL: url,
        STOP_NOTICE_MS: "0",
      },
    };
    const command = async (...words: string[]) => {
      const { code, stderr } = await runEntry("main.ts", words, env);
      expect([words, code, stderr]).toEqual([words, 0, ""]);
    };
    const start = async (args: readonly string[], ready: string, as: object = {}) => {
      const running = startProcess({ command: process.execPath, args, env, ...as });
      started.push(running);
      await running.said(ready, 60_000);
      return running;
    };
    // Before the service wrote anything itself.
    await command("mail", "test", "--to", "nora@example.org");
    await command("log", "key", "add");
    await start(API_COMMAND, "api listening", account);
    const rootWorkers = await start(WORKERS_COMMAND, "workers ready");
    const publisher = await withCommandLine(database.url, dataDir, (deps) =>
      openPublisher(deps, url, "tidewatch"),
    );
    const entries = async () =>
      await withClient(database.url, async (client) =>
        Number((await client.query("SELECT count(*) AS size FROM log_entries")).rows[0].size),
      );
    const publish = async () => {
      const before = await entries();
      await publisher.publishStory("November surge", "The gauge rose.");
      await until(async () => (await entries()) > before, 5_000);
    };
    await publisher.publishTable("heights.csv", "a,b\n1,2\n");
    await publish();
    for (const words of [
      ["doctor"],
      ["sweep"],
      ["files", "verify"],
      ["log", "reopen"],
      ["mail", "test", "--to", "mara@example.org"],
    ])
      await runEntry("main.ts", words, env);
    rootWorkers.child.kill("SIGTERM");
    await rootWorkers.ended;
    const workers = await start(WORKERS_COMMAND, "workers ready", account);
    await publish();
    // A file that is put at its place meanwhile stands beside it for a moment.
    const isLasting = (path: string) => !path.includes(".staged-");
    const left = (await readdir(dataDir, { recursive: true })).filter(isLasting).toSorted();
    expect(left).toEqual(expect.arrayContaining(["keys/log.key", "keys/log.size", "mail"]));
    for (const path of left)
      expect([path, (await stat(join(dataDir, path))).uid]).toEqual([path, account.uid]);
    expect(workers.lines.filter(({ level }) => level === "error")).toEqual([]);
  },
);
