import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../../ground/errors.ts";
import { linkOnce, readIfThere, stageKeyFile } from "../../identity/credentials/key-files.ts";
import type { Config } from "../../platform/config.ts";
import { readSignerKey, type SignerKey, writeSignerKey } from "../../text/transparency-log/signed-note.ts";

const SEED_BYTES = 32;

/** The origin of a log of this site, which is the name of its keys too. */
export function originOf(siteUrl: string, number: number): string {
  return `${new URL(siteUrl).host}/log${number === 1 ? "" : `/${number}`}`;
}

/** The name under which this site cosigns other logs. */
export function witnessNameOf(siteUrl: string): string {
  return `${new URL(siteUrl).host}/witness`;
}

/** Whose keys sign: those of the site's own log, or those with which it cosigns other logs. */
type KeyUse = "log" | "witness";

const GIVEN = {
  log: ({ logKeys }: Config) => logKeys,
  witness: ({ witnessKeys }: Config) => witnessKeys,
} as const;
const WITHOUT = {
  log: "begin another log with log reopen",
  witness: "begin each log of others anew with witness log reopen",
} as const;

/** Where the keys are, unless LOG_KEY or WITNESS_KEY has them. */
export function keyPathOf({ dataDir }: Config, use: KeyUse = "log"): string {
  return join(dataDir, "keys", `${use}.key`);
}

/** The keys that cosign, the newest first; throws where one of them signs the site's own log. */
export async function readWitnessKeys(config: Config): Promise<SignerKey[]> {
  const [keys, own] = [await readSignerKeys(config, "witness"), await readSignerKeys(config)];
  if (!keys.some(({ seed }) => own.some((key) => key.seed.equals(seed)))) return keys;
  throw new ConfigError(
    `WITNESS_KEY or ${keyPathOf(config, "witness")} has a key of the site's own log: take another one.`,
  );
}

/** The keys that may sign, the newest first: those of the variable, else those of the file. */
export async function readSignerKeys(config: Config, use: KeyUse = "log"): Promise<SignerKey[]> {
  const given = GIVEN[use](config);
  if (given !== undefined) return given.map(parseKey);
  const path = keyPathOf(config, use);
  const text = await readIfThere(path);
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const key = readSignerKey(line.trim());
    if (key !== null) return key;
    throw new Error(`${path} is damaged: put it back, or remove it and ${WITHOUT[use]}.`);
  });
}

function parseKey(text: string): SignerKey {
  const key = readSignerKey(text);
  if (key === null) throw new Error("LOG_KEY or WITNESS_KEY holds what is no signer key");
  return key;
}

/** A new key of a log or of a witness. */
export function makeSignerKey(name: string): SignerKey {
  return { name, seed: randomBytes(SEED_BYTES) };
}

/** Makes the file of the key where there is neither one nor its variable; of several processes the first one makes it. */
export async function makeKeyFile(config: Config, use: KeyUse = "log"): Promise<void> {
  if (GIVEN[use](config) !== undefined) return;
  const path = keyPathOf(config, use);
  if ((await readIfThere(path)) !== null) return;
  const name = use === "log" ? originOf(config.siteUrl, 1) : witnessNameOf(config.siteUrl);
  await stage(config, path, `${writeSignerKey(makeSignerKey(name))}\n`, linkOnce);
}

/** Puts a new key before those of the file. */
export async function addToKeyFile(config: Config, key: SignerKey, use: KeyUse = "log"): Promise<void> {
  const path = keyPathOf(config, use);
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
