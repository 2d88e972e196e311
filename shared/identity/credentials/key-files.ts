import { hkdfSync, randomBytes } from "node:crypto";
import { link, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findServiceKey, insertServiceKey } from "../../../sql/platform/service-settings.ts";
import type { Config } from "../../platform/config.ts";
import type { Deps } from "../../platform/deps.ts";
import { giveToFolderOwner, makeFolder } from "../../platform/files/folder-owner.ts";
import { makeLinkSecret } from "./tokens.ts";

const KEY_BYTES = 32;

/** A key of the service that neither its database nor a backup has. */
export type KeyName = "preview" | "webhook";

const VARIABLES = {
  preview: { name: "PREVIEW_KEY", of: ({ previewKey }: Config) => previewKey },
  webhook: { name: "WEBHOOK_KEY", of: ({ webhookKey }: Config) => webhookKey },
} as const;
const NAMES: readonly KeyName[] = ["preview", "webhook"];

/**
 * A key of the service: that of its variable, else that of its file under DATA_DIR/keys, which the first caller makes.
 * It is read at each call, so that all processes of a machine have the same one at any time.
 */
export async function readKey(config: Config, name: KeyName): Promise<Buffer> {
  const given = VARIABLES[name].of(config);
  if (given !== undefined) return Buffer.from(given, "hex");
  const path = join(config.dataDir, "keys", name);
  const text = (await readIfThere(path)) ?? (await makeKeyFile(config, name, path));
  const key = Buffer.from(text.trim(), "hex");
  if (key.length === KEY_BYTES) return key;
  throw new Error(`${path} is damaged: put it back, or remove it, which ends what was made with it.`);
}

/** Makes the files of all keys that have none and no variable. */
export async function makeKeys(config: Config): Promise<void> {
  for (const name of NAMES) await readKey(config, name);
}

/** The text of a file; null where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  return await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Of several processes the first one makes the file. */
async function makeKeyFile(config: Config, name: KeyName, path: string): Promise<string> {
  const fault = `The key ${path} cannot be made: let this user write there, or set ${VARIABLES[name].name}.`;
  await stageKeyFile(config, { path, text: `${randomBytes(KEY_BYTES).toString("hex")}\n`, fault }, linkOnce);
  return await readFile(path, "utf8");
}

/** Puts a staged file at its place, unless another process did so before. */
export async function linkOnce(staged: string, path: string): Promise<void> {
  await link(staged, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** Writes a file of DATA_DIR/keys beside its place and puts it there at once, so that it is never seen half written. */
export async function stageKeyFile(
  { dataDir }: Config,
  { path, text, fault }: { path: string; text: string; fault: string },
  put: (staged: string, path: string) => Promise<void>,
): Promise<void> {
  const folder = join(dataDir, "keys");
  const staged = join(folder, `.staged-${randomBytes(8).toString("hex")}`);
  try {
    await makeFolder(folder, 0o700);
    await writeFile(staged, text, { mode: 0o600, flag: "wx", flush: true });
    await giveToFolderOwner(staged);
    await put(staged, path);
    // A name that is not on the disk is lost with the current.
    const opened = await open(folder);
    await opened.sync().finally(() => opened.close());
  } catch (cause) {
    throw new Error(fault, { cause });
  } finally {
    await rm(staged, { force: true });
  }
}

const SECRET_BYTES = 32;

/**
 * A secret of 43 base64url characters that the service can make again at any time: it follows from the key of this name
 * and the id, and neither one tells the other. The first caller makes the key.
 */
export async function deriveSecret(deps: Deps, name: string, id: string): Promise<string> {
  const key = (await findServiceKey(deps.pool, name)) ?? (await makeServiceKey(deps, name));
  const derived = hkdfSync("sha256", Buffer.from(key, "base64url"), "", `${name}:${id}`, SECRET_BYTES);
  return Buffer.from(derived).toString("base64url");
}

async function makeServiceKey(deps: Deps, name: string): Promise<string> {
  await insertServiceKey(deps.pool, { name, secret: makeLinkSecret(), nowMs: deps.now() });
  // Another process may have made it first.
  const key = await findServiceKey(deps.pool, name);
  if (key === null) throw new Error(`the key ${name} that was just made is missing`);
  return key;
}
