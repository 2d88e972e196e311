import { execFile } from "node:child_process";
import { lchown, mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Config, VARIABLES } from "../../shared/platform/config.ts";
import { folderOfFiles } from "../../shared/platform/files/files-url.ts";
import { type Account, findServiceAccount, quietEnvironment } from "../embedded/account.ts";
import { refuseToRun } from "../refusal.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..", "..");
/** One file of ours and one that npm installed: where both can be read, the modes of the tree are those of others too. */
const MUST_READ = [join(ROOT, "package.json"), fileURLToPath(import.meta.resolve("fastify"))];
/** Where Node keeps what it compiled for that user, who may not write beside the code: half of what a start takes. */
const COMPILED = "compiled";
const RUNS_AS_ROOT = "The API and the workers run as root:";

/** What decides whether another user can run the service; the data folder by its real path. */
export type ServicePlace = Pick<Config, "dataDir" | "filesUrl" | "removalsFile" | "port">;

/**
 * The user under which the API and the workers run when we are root, with folders that it can write to; null where they
 * run under our own account. Says why where root has no other choice, and refuses what would fail later.
 */
export async function prepareServiceAccount(
  place: ServicePlace,
  log: (message: string, level?: "info" | "warn") => void,
): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const account = await findServiceAccount();
  if (account === null) {
    log(
      `${RUNS_AS_ROOT} there is no user broadsheet. Make it with: useradd --system --user-group broadsheet`,
      "warn",
    );
    return null;
  }
  const closed = await findUnreadable(account);
  if (closed !== null) {
    log(
      `${RUNS_AS_ROOT} the user ${account.name} cannot read ${closed}. Put the code where others can read it.`,
      "warn",
    );
    return null;
  }
  await refusePrivilegedPort(account, place.port);
  for (const folder of ["files", "keys", "mail", "removals", COMPILED])
    await giveFolder(account, join(place.dataDir, folder));
  await refuseUnwritable(account, place);
  return account;
}

/** What Node, the client of buckets, that of PostgreSQL and the tracer read, and limits. */
const OF_OTHERS = /^(?:PATH|LANG|TZ|TMPDIR|PG[A-Z]+|(?:LC|NODE|UV|SSL_CERT|AWS|OTEL|LIMIT)_\w+)$/;

/** What a child finds in its environment: of root's, another user gets what the service reads and nothing else. */
export function environmentOf(
  account: Account | null,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  if (account === null) return env;
  const needed = Object.entries(env).filter(([name]) => VARIABLES.includes(name) || OF_OTHERS.test(name));
  return { ...Object.fromEntries(needed), NODE_COMPILE_CACHE: join(dataDir, COMPILED) };
}

/** Names the first of Node's program and our files that the account cannot use; asked as that user, as modes say half. */
async function findUnreadable(account: Account): Promise<string | null> {
  const script =
    '[ -x "$1" ] || { printf %s "$1"; exit; }; shift; for file; do [ -r "$file" ] || { printf %s "$file"; exit; }; done';
  const { stdout } = await runAs(account, script, [process.execPath, ...MUST_READ]);
  return stdout === "" ? null : stdout;
}

async function refusePrivilegedPort(account: Account, port: number): Promise<void> {
  const text = await readFile("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8").catch(() => "1024");
  if (port === 0 || port >= Number(text)) return;
  throw refuseToRun(
    `Port ${port} is for root alone, and the API runs as the user ${account.name} when you are root. ` +
      `Set PORT to ${Number(text)} or more and put a proxy before it, or set net.ipv4.ip_unprivileged_port_start.`,
  );
}

/** Makes a folder of the data folder, or takes over one of an earlier version, which ran as root. */
async function giveFolder(account: Account, folder: string): Promise<void> {
  const isFiles = folder.endsWith("files");
  await mkdir(folder, { recursive: true, mode: isFiles ? 0o750 : 0o700 });
  // A link leads to a place of the operator's, whose owner we do not change.
  if ((await realpath(folder)) !== folder) return;
  if (await belongsTo(account, folder)) return;
  await giveTree(account, folder);
}

/** Looks at a folder and what stands right in it: a folder that root makes within gets the owner of the store. */
async function belongsTo({ uid }: Account, folder: string): Promise<boolean> {
  if ((await stat(folder)).uid !== uid) return false;
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && found.uid !== uid) return false;
  }
  return true;
}

async function giveTree({ uid, gid }: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTree({ name: "", uid, gid }, path);
    else await lchown(path, uid, gid);
  }
  await lchown(folder, uid, gid);
}

/** A folder outside the data folder is the operator's: its owner stays, and it must let the account in. */
async function refuseUnwritable(
  account: Account,
  { filesUrl, dataDir, removalsFile }: ServicePlace,
): Promise<void> {
  const script =
    'for folder; do [ -w "$folder" ] && [ -x "$folder" ] || { printf %s "$folder"; exit; }; done';
  const wanted = [join(dataDir, "mail"), dirname(removalsFile), folderOfFiles(filesUrl)];
  const folders = wanted.filter((folder) => folder !== null);
  const { stdout: closed } = await runAs(account, script, folders);
  if (closed === "") return;
  throw refuseToRun(
    `The API and the workers run as the user ${account.name} when you are root, and that user cannot write to ` +
      `${closed}. Make that folder, give it to the user with chown -R ${account.name}: ${closed}, ` +
      `and open each folder above it with chmod o+x.`,
  );
}

async function runAs({ uid, gid }: Account, script: string, words: readonly string[]) {
  return await run("/bin/sh", ["-c", script, "sh", ...words], {
    uid,
    gid,
    cwd: "/",
    env: quietEnvironment(),
  });
}
