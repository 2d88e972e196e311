import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { refuseToRun } from "../refusal.ts";

const run = promisify(execFile);
const POSTGRES_NAME = "postgres";
/** Not PostgreSQL's: the API must not be able to write into the folder of the database. */
const SERVICE_NAME = "broadsheet";

/** An account that runs a part of the service when we are root; PostgreSQL refuses to run as root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Finds or makes the account for PostgreSQL; null when we are not root and PostgreSQL runs under our own
 * account.
 */
export async function findPostgresAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  return (await lookUp(POSTGRES_NAME)) ?? (await makeAccount(POSTGRES_NAME));
}

/** Finds or makes the account of the API and the workers; null where that cannot be done. */
export async function findServiceAccount(): Promise<Account | null> {
  return (await lookUp(SERVICE_NAME)) ?? (await makeAccount(SERVICE_NAME).catch(() => null));
}

/** Refuses, naming the folder and the ways out, when the account cannot pass through a folder above or at path. */
export async function refuseUnreachable(account: Account | null, path: string): Promise<void> {
  if (account === null) return;
  const closed = await findClosedFolder(account, path);
  if (closed === null) return;
  throw refuseToRun(
    `PostgreSQL must run as the user ${account.name} when you are root, and that user cannot enter ${closed}. ` +
      `Either set DATA_DIR to a folder it can reach, for example DATA_DIR=/var/lib/broadsheet, ` +
      `or open the folder with: chmod o+x ${closed}`,
  );
}

/** Names the highest folder at or above path that the account cannot enter, or null when it reaches path. */
export async function findClosedFolder(account: Account, path: string): Promise<string | null> {
  const folders = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) folders.unshift(dirname(at));
  // Asked as that user, so that access lists and mount options count too. One line in, one folder out.
  const script = 'for folder; do [ -x "$folder" ] || { printf %s "$folder"; exit 0; }; done';
  const { stdout } = await run("/bin/sh", ["-c", script, "sh", ...folders], {
    uid: account.uid,
    gid: account.gid,
    cwd: "/",
    env: quietEnvironment(),
  });
  return stdout === "" ? null : stdout;
}

/**
 * The environment of PostgreSQL and of what another user runs, without the caller's: PGDATA, PGOPTIONS or LANG would change
 * its behaviour.
 */
export function quietEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

async function lookUp(name: string): Promise<Account | null> {
  try {
    const uid = Number((await run("id", ["-u", name], options())).stdout);
    const gid = Number((await run("id", ["-g", name], options())).stdout);
    return { name, uid, gid };
  } catch {
    return null;
  }
}

async function makeAccount(name: string): Promise<Account> {
  const attempts: [string, string[]][] = [
    ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", name]],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", name]],
  ];
  for (const [command, args] of attempts) {
    await run(command, args, options()).catch(() => undefined);
    const account = await lookUp(name);
    if (account !== null) return account;
  }
  throw refuseToRun(
    `PostgreSQL refuses to run as root, and the user ${name} does not exist and could not be made. ` +
      `Make it with: useradd --system ${name}. Or start as an ordinary user, or set DATABASE_URL.`,
  );
}

function options(): { env: NodeJS.ProcessEnv } {
  // A bare PATH (env -i) often leaves out the folders of the administrator's commands.
  return { env: { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/usr/bin:/sbin:/bin` } };
}
