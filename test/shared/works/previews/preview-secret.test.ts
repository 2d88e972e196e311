import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeKeys, readKey } from "../../../../shared/identity/credentials/key-files.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import { readPreviewSecret, writePreviewSecret } from "../../../../shared/works/previews/open-preview.ts";
import { openFolder } from "../../../support/close-afterwards.ts";

const KEY = Buffer.alloc(32, 7);
const ID = "01M7WVCCXGEVQM8BZ45NSYPBF2";

test("a secret is 43 characters, the same each time, and leads back to its id", () => {
  for (const id of [ID, "00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]) {
    const secret = writePreviewSecret(KEY, id);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(writePreviewSecret(KEY, id)).toBe(secret);
    expect(readPreviewSecret(KEY, secret)).toBe(id);
  }
});

test("no other text leads to an id: of another key, changed anywhere, longer, shorter, or written in another way", () => {
  const secret = writePreviewSecret(KEY, ID);
  expect(readPreviewSecret(Buffer.alloc(32, 8), secret)).toBeNull();
  for (let at = 0; at < secret.length; at++) {
    for (const other of ["A", "B", "_"]) {
      const changed = `${secret.slice(0, at)}${other}${secret.slice(at + 1)}`;
      expect(readPreviewSecret(KEY, changed)).toBe(changed === secret ? ID : null);
    }
  }
  const standard = Buffer.from(secret, "base64url").toString("base64");
  const wrong = [
    "",
    ID,
    `${secret}A`,
    `${secret}=`,
    secret.slice(1),
    ` ${secret.slice(1)}`,
    standard,
    "é".repeat(43),
  ];
  expect(wrong.map((text) => readPreviewSecret(KEY, text))).toEqual(wrong.map(() => null));
});

/** The configuration of a data folder of its own. */
async function openConfig(more: Record<string, string> = {}) {
  return loadConfig({ DATA_DIR: await openFolder(), ...more });
}

const KEYS = [
  ["preview", "PREVIEW_KEY"],
  ["webhook", "WEBHOOK_KEY"],
] as const;

test.each(KEYS)(
  "of many that ask for the key %s at once, one makes it, for this user alone",
  async (name) => {
    const config = await openConfig();
    const keys = await Promise.all(Array.from({ length: 20 }, () => readKey(config, name)));
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
    expect(keys[0]?.length).toBe(32);
    const folder = join(config.dataDir, "keys");
    expect(await readdir(folder)).toEqual([name]);
    const modes = [(await stat(folder)).mode & 0o777, (await stat(join(folder, name))).mode & 0o777];
    expect(modes).toEqual([0o700, 0o600]);
  },
);

test.each(KEYS)(
  "the key %s is that of %s where it is set, and a damaged file stops its use",
  async (name, variable) => {
    const given = await openConfig({ [variable]: "0A".repeat(32) });
    await makeKeys(given);
    expect(await readKey(given, name)).toEqual(Buffer.alloc(32, 10));
    const others = KEYS.filter(([other]) => other !== name).map(([other]) => other);
    expect(await readdir(join(given.dataDir, "keys"))).toEqual(others);
    expect(() => loadConfig({ [variable]: "short" })).toThrow(`${variable} cannot be used: 64 hexadecimal`);
    const config = await openConfig();
    await makeKeys(config);
    const path = join(config.dataDir, "keys", name);
    await writeFile(path, "half");
    await expect(readKey(config, name)).rejects.toThrow(`${path} is damaged`);
  },
);
