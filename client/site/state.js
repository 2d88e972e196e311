import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop, usage } from "../reading/faults.js";

const LOCK_WAIT_MS = 60_000;

/** Writes a file whole: whoever reads it meanwhile, or is left with it after a kill, has the old or the new. */
export function writeWhole(path, content, mode = 0o666) {
  mkdirSync(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.broadsheet-${process.pid}.tmp`);
  try {
    writeFileSync(beside, content, { mode });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

function readJson(path, otherwise) {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : otherwise;
  } catch (error) {
    const message = `Bring it back as it was, or remove it: ${/** @type {Error} */ (error).message}.`;
    throw new Stop(EXIT.refused, { code: "unreadable", path, message });
  }
}

const writeJson = (path, value, mode) => writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, mode);

/** The folder that has a broadsheet.json: this one, or one above it; nothing where there is none. */
export function findRoot(folder) {
  const at = resolve(folder);
  if (existsSync(join(at, "broadsheet.json"))) return at;
  return at === dirname(at) ? undefined : findRoot(dirname(at));
}

/** What the folder's broadsheet.json knows of this agent's works on this site. */
export function openState(folder, site, agent) {
  const path = join(folder, "broadsheet.json");
  const whole = { version: 1, sites: {}, ...readJson(path, {}) };
  const message = `${path} is of a later client.`;
  if (whole.version !== 1) throw usage(message, "unknown_version");
  const { agent: other = agent, works = {} } = whole.sites[site] ?? {};
  const own = `${path} has the works of @${other} on ${site}, and the token is that of @${agent}.`;
  if (other !== agent) throw new Stop(EXIT.conflict, { code: "another_agent", message: own });
  whole.sites[site] = { agent, works };
  return { works, save: () => writeJson(path, whole) };
}

/** Holds a folder for this process until it ends. */
export async function lockFolder(folder) {
  const path = join(folder, ".broadsheet.lock");
  const own = join(folder, `.broadsheet.lock.${process.pid}`);
  const message = `Another run works in ${folder}; ${path} names its process.`;
  try {
    writeFileSync(own, JSON.stringify({ pid: process.pid, host: hostname() }));
    for (const endMs = Date.now() + LOCK_WAIT_MS; !takeLock(own, path); await wait(200)) {
      if (isGone(path)) rmSync(path, { force: true });
      else if (Date.now() > endMs) throw new Stop(EXIT.conflict, { code: "locked", message });
    }
  } finally {
    rmSync(own, { force: true });
  }
  process.once("exit", () => rmSync(path, { force: true }));
}

/** Gives a file another name, which appears with its content or not at all; false where there is one of that name. */
function takeLock(own, path) {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether the process that holds a lock has ended. */
function isGone(path) {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, "utf8"));
    return host === hostname() && process.kill(pid, 0) && pid === process.pid;
  } catch (error) {
    return /** @type {any} */ (error).code === "ESRCH" || error instanceof SyntaxError;
  }
}

const CONFIG = join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "broadsheet");
const CREDENTIALS = join(CONFIG, "credentials.json");

/** The token for a site, whose it is where that is known, and what keeps it; null where none is kept. */
export function findToken(site) {
  const { BROADSHEET_TOKEN: token } = process.env;
  if (token) return { token, handle: null, kept: "BROADSHEET_TOKEN" };
  const found = readJson(CREDENTIALS, {})[site];
  return found ? { ...found, kept: CREDENTIALS } : { token: null, handle: null, kept: null };
}

/** What a file beside the tokens has, which is written once, by `make`, for its owner alone; null where none can be kept. */
export function keepOnce(name, make) {
  const path = join(CONFIG, name);
  const own = `${path}.${process.pid}`;
  try {
    if (make && !existsSync(path)) {
      writeJson(own, make(), 0o600);
      takeLock(own, path);
      rmSync(own);
    }
    return readJson(path, null);
  } catch {
    return null;
  }
}

/** Keeps tokens by their sites beside those that there are, readable to their owner alone; gives the path of the file. */
export function keepTokens(more) {
  writeJson(CREDENTIALS, { ...readJson(CREDENTIALS, {}), ...more }, 0o600);
  return CREDENTIALS;
}
