import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { giveToFolderOwner } from "../../shared/platform/files/folder-owner.ts";
import { refuseToRun } from "../refusal.ts";

const FILE = "postgres.passwords";
const URL_FILE = "postgres.url";
/** Part of the name of a socket; nothing listens on such a port. */
export const SOCKET_PORT = "5432";

/** The passwords of the cluster's two roles: its administrator and the service. */
export interface Credentials {
  postgres: string;
  broadsheet: string;
}

/** Reads the passwords stored beside the cluster; null when there are none yet. */
export async function readCredentials(dataDir: string): Promise<Credentials | null> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const { postgres, broadsheet } = JSON.parse(text);
    if (typeof postgres === "string" && typeof broadsheet === "string") return { postgres, broadsheet };
  } catch {
    // The error below says this in our words.
  }
  throw refuseToRun(`${join(dataDir, FILE)} is damaged: put it back from a backup.`);
}

/** Makes passwords and stores them, readable by this user only, before any cluster uses them. */
export async function makeCredentials(dataDir: string): Promise<Credentials> {
  const credentials = { postgres: makePassword(), broadsheet: makePassword() };
  await writeWhole(join(dataDir, FILE), JSON.stringify(credentials));
  return credentials;
}

/** The address of one database of the cluster for one of its roles, through the socket in a folder. */
export function addressOf(
  credentials: Credentials,
  role: keyof Credentials,
  socketFolder: string,
  database: string,
): string {
  const host = encodeURIComponent(socketFolder);
  return `postgres://${role}:${credentials[role]}@${host}:${SOCKET_PORT}/${database}`;
}

/** Lets other commands of this user find the running database. */
export async function announceUrl(dataDir: string, url: string): Promise<void> {
  await writeWhole(join(dataDir, URL_FILE), url);
}

/** Removes the announced address. */
export async function withdrawUrl(dataDir: string): Promise<void> {
  await rm(join(dataDir, URL_FILE), { force: true });
}

/** Reads the announced address, or null; the database may have stopped since. */
export async function readAnnouncedUrl(dataDir: string): Promise<string | null> {
  const url = await readFile(join(dataDir, URL_FILE), "utf8").catch(() => null);
  // One of version 0.4.0 names a port, on which anybody may listen after a crash.
  return url?.includes("@%2F") ? url : null;
}

function makePassword(): string {
  return randomBytes(24).toString("base64url");
}

/** Writes a file that this user alone can read, and that is never seen half written. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    await giveToFolderOwner(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
