import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { restoreBackup } from "../../../../shared/care/backup/restore.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { readKey } from "../../../../shared/identity/credentials/key-files.ts";
import { allow } from "../../../support/allow.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { deliverAll, listSent, readWebhook } from "../../../support/own-webhooks.ts";
import { openService } from "../../../support/service.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const site = openWebhookSite();

test("a restore sends nothing of what waited, has no key, and switches webhooks off unless it keeps credentials", async () => {
  const { id } = await site.openWebhook();
  site.receiver.answer = (reply) => void reply.writeHead(500).end();
  await site.publishOne();
  await site.deliver();
  const folder = await openFolder();
  const { deps, databaseUrl } = site.service;
  await createBackup(deps, databaseUrl, folder);
  const key = (await readKey(deps.config, "webhook")).toString("hex");
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile()) expect([path, (await readFile(path, "latin1")).includes(key)]).toEqual([path, false]);
  }
  const before = site.receiver.all.length;
  for (const keepCredentials of [true, false]) {
    const outboundAllow = allow(site.receiver.host);
    const other = await openService({ workers: false, config: { outboundAllow } });
    await restoreBackup(other.deps, other.databaseUrl, folder, { keepCredentials });
    const status = keepCredentials ? "active" : "disabled";
    expect(await readWebhook(other, id)).toMatchObject({ status });
    other.clock.nowMs = site.service.clock.nowMs + DAY_MS;
    await deliverAll(other);
    expect(await listSent(other, id)).toMatchObject([{ state: "failed", failure: "restored" }]);
  }
  expect(site.receiver.all).toHaveLength(before);
});
