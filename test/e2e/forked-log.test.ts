import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackup } from "../../shared/care/backup/create.ts";
import { restoreBackup, resumeService } from "../../shared/care/backup/restore.ts";
import { addWitness, readWitnesses } from "../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog, listWitnessKeys } from "../../shared/trust/witness/witnessed-logs.ts";
import { verifyCosignature } from "../shared/text/transparency-log/oracle/verify-log.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun, type RealService } from "../support/real-service.ts";
import { runHere } from "../support/run-here.ts";
import { readServedSize } from "../support/served-log.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

// A keeper restores a backup, and has it sign again under the same name and key what it had signed otherwise.

const ORIGIN = "sea.example/log";
const WITHIN_MS = 30_000;

const watch = await openServiceOfRun({ SITE_URL: "https://watch.example", WITNESS: "on" });
const watchUrl = (await watch.startApi()).url;
const [witness = ""] = await listWitnessKeys(watch.deps);
const keeper = {
  SITE_URL: "https://sea.example",
  LOG_KEY: makeLogKey(ORIGIN),
  OUTBOUND_ALLOW: `witness=${new URL(watchUrl).host}`,
};
const folder = await openFolder();

/** A site of the keeper: publishes a work, and waits for its entry. */
async function openSite(service: RealService) {
  const [{ url }] = [await service.startApi(), await service.startWorkers(["deliver"])];
  return {
    url,
    async publish(handle: string): Promise<void> {
      const size = await readServedSize(url);
      const writer = await openPublisher(service.deps, url, handle);
      await writer.publishStory("Surge", "The gauge rose.");
      await until(async () => (await readServedSize(url)) > (Number.isNaN(size) ? 0 : size), WITHIN_MS);
    },
    checkpoint: async () => (await send(url, { path: "/log/checkpoint" })).text,
    vkey: async () => (await send(url, { path: "/log/vkeys" })).text.split("\n")[0] ?? "",
  };
}

const ofWitness = async () => {
  const hash = createHash("sha256").update(ORIGIN).digest("hex");
  return (await send(watchUrl, { path: `/witness/${hash}/checkpoint` })).text;
};
const failureOf = async ({ deps }: RealService) => (await readWitnesses(deps)).witnesses[0]?.failure;

test("a log that signs again after a restore is cosigned no more, and is found by whoever kept a checkpoint", async () => {
  const source = await openServiceOfRun(keeper);
  const site = await openSite(source);
  await site.publish("north");
  const vkey = await site.vkey();
  await addWitnessedLog(watch.deps, ORIGIN, vkey);
  await addWitness(source.deps, witness, `${watchUrl}/witness`);
  const isCosigned = async () => (await site.checkpoint()).includes(` ${witness.split("+")[0]} `);
  await until(isCosigned, WITHIN_MS);
  const backup = join(folder, "backup");
  await createBackup(source.deps, source.databaseUrl, backup);
  await site.publish("south");
  await until(isCosigned, WITHIN_MS);
  const kept = await site.checkpoint();
  expect([kept.split("\n")[1], verifyCosignature(kept, witness) > 0]).toEqual(["2", true]);

  const forked = await openServiceOfRun(keeper);
  await restoreBackup(forked.deps, forked.databaseUrl, backup);
  await resumeService(forked.deps);
  // Only who wants two histories does this.
  await runSql(forked, "UPDATE logs SET restored_at = NULL");
  const fork = await openSite(forked);
  for (const [handle, size] of [
    ["east", 2],
    ["west", 3],
  ] as const) {
    await fork.publish(handle);
    expect([await readServedSize(fork.url), await fork.vkey()]).toEqual([size, vkey]);
    await until(async () => (await failureOf(forked)) === "The witness answers 422.", WITHIN_MS);
    await runSql(forked, "UPDATE log_witnesses SET failure = NULL, next_at = now()");
  }
  expect(await fork.checkpoint()).not.toContain(" watch.example/witness ");
  expect((await ofWitness()).split("\n").slice(0, 3)).toEqual(kept.split("\n").slice(0, 3));

  const verify = async (note: string, ...more: string[]) => {
    const file = join(folder, "kept");
    await writeFile(file, note);
    const words = ["log", "verify", "--site", fork.url, "--vkey", vkey, "--checkpoint", file, ...more];
    const { code, stdout } = await runHere(words, {});
    return [code, JSON.parse(stdout).faults];
  };
  const another = "This does not hold: The log goes on from the earlier checkpoint of 2 entries.";
  expect(await verify(kept)).toEqual([1, [another]]);
  expect(await verify(await ofWitness(), "--witness", witness)).toEqual([
    1,
    ["This does not hold: 1 of the witnesses signed the checkpoint.", another],
  ]);
});
