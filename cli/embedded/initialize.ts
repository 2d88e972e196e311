import { execFile } from "node:child_process";
import { access, chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { refuseToRun } from "../refusal.ts";
import { type Account, quietEnvironment } from "./account.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { type Credentials, makeCredentials, readCredentials } from "./credentials.ts";

const UNFINISHED = "postgres-unfinished-";
const run = promisify(execFile);

/** The folder of the cluster inside a data folder. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** Whether a data folder has a cluster; true also where this user may not look into it. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return await access(join(clusterFolder(dataDir), "PG_VERSION")).then(
    () => true,
    ({ code }) => code !== "ENOENT" && code !== "ENOTDIR",
  );
}

/** Makes the cluster of a data folder once, or finds the one that is there; returns the passwords of its roles. */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: Account | null,
): Promise<Credentials> {
  await removeUnfinished(dataDir);
  const kept = await readCredentials(dataDir);
  const version = await readFile(join(clusterFolder(dataDir), "PG_VERSION"), "utf8").catch(() => null);
  if (version === null) {
    const credentials = kept ?? (await makeCredentials(dataDir));
    await makeCluster(dataDir, binaries, account, credentials);
    return credentials;
  }
  if (version.trim() !== binaries.majorVersion) {
    throw refuseToRun(
      `${clusterFolder(dataDir)} was made by PostgreSQL ${version.trim()} and this release brings ${binaries.majorVersion}: ` +
        "dump it with the old release and restore it into an empty DATA_DIR.",
    );
  }
  if (kept === null) {
    throw refuseToRun(`${join(dataDir, "postgres.passwords")} is missing: put it back from a backup.`);
  }
  return kept;
}

/** Removes the folder of an initdb that was cut short; the real folder never holds half a cluster. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const left = names.filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(left.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}

async function makeCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: Account | null,
  credentials: Credentials,
): Promise<void> {
  const staging = await mkdtemp(join(dataDir, UNFINISHED));
  const passwordFile = join(staging, "password");
  await writeFile(passwordFile, credentials.postgres, { mode: 0o600 });
  if (account !== null) {
    await chown(passwordFile, account.uid, account.gid);
    await chown(staging, account.uid, account.gid);
  }
  await runInitdb(binaries, account, join(staging, "cluster"), passwordFile);
  await rename(join(staging, "cluster"), clusterFolder(dataDir));
  await rm(staging, { recursive: true, force: true });
}

async function runInitdb(
  binaries: PostgresBinaries,
  account: Account | null,
  folder: string,
  passwordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Without it the cluster would take LANG, and be SQL_ASCII where there is none. The built-in provider sorts by
    // code point alike on every machine and lets a plain index serve a prefix search.
    "--locale=C.UTF-8",
    "--locale-provider=builtin",
  ];
  try {
    await run(binaries.initdb, args, { ...identityOf(account), env: quietEnvironment(), cwd: "/" });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw refuseToRun(
      `PostgreSQL could not make its data folder in ${folder}. It said: ${said.split("\n").at(-1)}`,
    );
  }
}

/** The user and group to run as, for spawn. */
export function identityOf(account: Account | null): { uid?: number; gid?: number } {
  return account === null ? {} : { uid: account.uid, gid: account.gid };
}
