import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { restoreBackup, resumeService } from "../../../../shared/care/backup/restore.ts";
import { addWitness, readWitnesses } from "../../../../shared/trust/transparency-log/own-witnesses.ts";
import { verifyLog } from "../../../../shared/trust/transparency-log/verify-log.ts";
import { addWitnessedLog } from "../../../../shared/trust/witness/witnessed-logs.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { makeLogKey, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService, type TestService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { openWitness } from "../../../support/witness-host.ts";
import { verifyCosignature } from "../../text/transparency-log/oracle/verify-log.ts";

// A keeper restores a backup, and has it sign again under the same name and key what it had signed otherwise.

const ORIGIN = "localhost:3000/log";
const watch = await openWitness("watch");
const config = { logKeys: [makeLogKey(ORIGIN)], outboundAllow: allow(`witness=${watch.host}`) };
const source = await openService({ workers: false, config });
const forked = await openService({ workers: false, config });
const backup = join(await openFolder(), "backup");

/** Publishes a work, and has the witness asked to sign its entry, as a worker does a second later. */
async function publish(service: TestService): Promise<void> {
  await publishNew(await connectAuthor(service));
  await sequence(service);
  service.clock.nowMs += 1_000;
  await sequence(service);
  await until(() => service.deps.background.count() === 0, 15_000);
}

const failureOf = async ({ deps }: TestService) => (await readWitnesses(deps)).witnesses[0]?.failure;

test("a log that signs again after a restore is cosigned no more, and is found by whoever kept a checkpoint", async () => {
  await publish(source);
  const { vkey } = await readWholeLog(source);
  await addWitnessedLog(watch.service.deps, ORIGIN, vkey);
  await addWitness(source.deps, watch.vkey, watch.url);
  await createBackup(source.deps, source.databaseUrl, backup);
  await publish(source);
  const { checkpoint: kept, size } = await readWholeLog(source);
  expect([size, verifyCosignature(kept, watch.vkey) > 0]).toEqual([2, true]);

  await restoreBackup(forked.deps, forked.databaseUrl, backup);
  await resumeService(forked.deps);
  // Only who wants two histories does this.
  await runSql(forked, "UPDATE logs SET restored_at = NULL");
  for (const size of [2, 3]) {
    await publish(forked);
    expect(await readWholeLog(forked)).toMatchObject({ size, vkey });
    expect(await failureOf(forked)).toBe("The witness answers 422.");
    await runSql(forked, "UPDATE log_witnesses SET failure = NULL, next_at = $1", [
      new Date(forked.clock.nowMs),
    ]);
  }
  expect((await readWholeLog(forked)).checkpoint).not.toContain(` ${watch.name} `);
  const hash = createHash("sha256").update(ORIGIN).digest("hex");
  const ofWitness = (await readRaw(watch.service, `/witness/${hash}/checkpoint`)).text;
  expect(ofWitness.split("\n").slice(0, 3)).toEqual(kept.split("\n").slice(0, 3));

  await forked.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = forked.app.server.address() as AddressInfo;
  const verify = async (checkpoint: string, witnessed?: { vkeys: string[]; quorum: number }) => {
    const wish = { vkeys: [vkey], checkpoint, proof: null, entries: false };
    return (await verifyLog(`http://127.0.0.1:${port}/log`, { ...wish, ...(witnessed && { witnessed }) }))
      .faults;
  };
  const another = "This does not hold: The log goes on from the earlier checkpoint of 2 entries.";
  expect(await verify(kept)).toEqual([another]);
  expect(await verify(ofWitness, { vkeys: [watch.vkey], quorum: 1 })).toEqual([
    "This does not hold: 1 of the witnesses signed the checkpoint.",
    another,
  ]);
});
