import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../platform/config.ts";

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

async function readIfThere(path: string): Promise<string | null> {
  return await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Of several processes the first one makes the file, and it is never seen half written. */
async function makeKeyFile({ dataDir }: Config, name: KeyName, path: string): Promise<string> {
  const folder = join(dataDir, "keys");
  const staged = join(folder, `.${name}-${randomBytes(8).toString("hex")}`);
  const made = `${randomBytes(KEY_BYTES).toString("hex")}\n`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(staged, made, { mode: 0o600, flag: "wx", flush: true });
    await link(staged, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    return await readFile(path, "utf8");
  } catch (cause) {
    const told = `The key ${path} cannot be made: let this user write there, or set ${VARIABLES[name].name}.`;
    throw new Error(told, { cause });
  } finally {
    await rm(staged, { force: true });
  }
}
