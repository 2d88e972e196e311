import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { linkOnce, readIfThere, stageKeyFile } from "../../identity/credentials/key-files.ts";
import type { Config } from "../../platform/config.ts";
import { readSignerKey, type SignerKey, writeSignerKey } from "../../text/transparency-log/signed-note.ts";

const SEED_BYTES = 32;

/** The origin of a log of this site, which is the name of its keys too. */
export function originOf(siteUrl: string, number: number): string {
  return `${new URL(siteUrl).host}/log${number === 1 ? "" : `/${number}`}`;
}

/** Where the keys of the log are, unless LOG_KEY has them. */
export function keyPathOf({ dataDir }: Config): string {
  return join(dataDir, "keys", "log.key");
}

/** The keys that may sign, the newest first: those of LOG_KEY, else those of the file. */
export async function readSignerKeys(config: Config): Promise<SignerKey[]> {
  if (config.logKeys !== undefined) return config.logKeys.map(parseKey);
  const path = keyPathOf(config);
  const text = await readIfThere(path);
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const key = readSignerKey(line.trim());
    if (key !== null) return key;
    throw new Error(`${path} is damaged: put it back, or remove it and begin another log with log reopen.`);
  });
}

function parseKey(text: string): SignerKey {
  const key = readSignerKey(text);
  if (key === null) throw new Error("LOG_KEY holds what is no signer key");
  return key;
}

/** A new key of a log. */
export function makeSignerKey(name: string): SignerKey {
  return { name, seed: randomBytes(SEED_BYTES) };
}

/** Makes the file of the key where there is neither one nor LOG_KEY; of several processes the first one makes it. */
export async function makeKeyFile(config: Config): Promise<void> {
  if (config.logKeys !== undefined) return;
  const key = writeSignerKey(makeSignerKey(originOf(config.siteUrl, 1)));
  await stage(config, keyPathOf(config), `${key}\n`, linkOnce);
}

/** Puts a new key before those of the file. */
export async function addToKeyFile(config: Config, key: SignerKey): Promise<void> {
  const path = keyPathOf(config);
  const text = (await readIfThere(path)) ?? "";
  await stage(config, path, `${writeSignerKey(key)}\n${text}`, rename);
}

/** How far this service has signed, as its own disk knows it: a restored database may have forgotten. */
export interface SignedSize {
  number: number;
  size: number;
}

/** Reads how far this service has signed; null where it never did. */
export async function readSignedSize(config: Config): Promise<SignedSize | null> {
  const path = sizePathOf(config);
  const text = await readIfThere(path);
  if (text === null) return null;
  const [number = Number.NaN, size = Number.NaN] = text.trim().split(" ").map(Number);
  if (Number.isSafeInteger(number) && Number.isSafeInteger(size)) return { number, size };
  throw new Error(`${path} is damaged: it holds the number of a log and how far this service signed it.`);
}

/** Saves how far this service has signed. */
export async function saveSignedSize(config: Config, { number, size }: SignedSize): Promise<void> {
  await stage(config, sizePathOf(config), `${number} ${size}\n`, rename);
}

function sizePathOf({ dataDir }: Config): string {
  return join(dataDir, "keys", "log.size");
}

async function stage(config: Config, path: string, text: string, put: typeof linkOnce): Promise<void> {
  const fault = `${path} cannot be written: let this user write there.`;
  await stageKeyFile(config, { path, text, fault }, put);
}
