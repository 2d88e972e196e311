import { chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { tryLock } from "../../../../cli/embedded/lock.ts";
import { listClosedPaths } from "../../../../shared/care/doctor/closed-paths.ts";
import { makeKeys } from "../../../../shared/identity/credentials/key-files.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import { openDiskStore } from "../../../../shared/platform/files/disk.ts";
import { sendTestMail } from "../../../../shared/platform/mail/mailer.ts";
import { makeKeyFile, saveSignedSize } from "../../../../shared/trust/transparency-log/log-keys.ts";
import { openFolder } from "../../../support/close-afterwards.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: what root writes for a service of another user is only tested as root.");

test.skipIf(!isRoot).for([
  ["a data folder of the service's user, with nothing in it", []],
  [
    "a data folder of root with folders of the service's user, as npm start makes it",
    ["files", "keys", "mail"],
  ],
] as const)("whatever root writes into %s, the service can read", async ([_, folders]) => {
  const dataDir = await openFolder();
  if (folders.length === 0) await chown(dataDir, NOBODY, NOBODY);
  for (const name of folders) {
    await mkdir(join(dataDir, name));
    await chown(join(dataDir, name), NOBODY, NOBODY);
  }
  const config = loadConfig({ DATA_DIR: dataDir });
  await sendTestMail(config, "nora@example.org");
  await makeKeys(config);
  await makeKeyFile(config);
  await saveSignedSize(config, { number: 1, size: 1 });
  await openDiskStore(join(dataDir, "files")).put(
    "01M7X6WBAZDT3JDAMJ1NB8D4T6",
    Readable.from([Buffer.from("a")]),
  );
  if (folders.length === 0) (await tryLock(dataDir, "command"))?.release();
  const written = await readdir(dataDir, { recursive: true });
  expect(written.length).toBeGreaterThanOrEqual(10);
  for (const path of written) expect([path, (await stat(join(dataDir, path))).uid]).toEqual([path, NOBODY]);
  expect(await listClosedPaths(config)).toEqual([]);
  await writeFile(join(dataDir, "keys", "log.key"), "", { mode: 0o600 });
  await chown(join(dataDir, "keys", "log.key"), 0, 0);
  expect(await listClosedPaths(config)).toEqual([join(dataDir, "keys", "log.key")]);
});
