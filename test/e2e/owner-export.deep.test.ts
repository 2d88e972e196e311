import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { requestExport } from "../../shared/care/archive/exports.ts";
import { ownerActor } from "../../shared/identity/audit/record-act.ts";
import { makeOwner } from "../support/agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { until } from "../support/service-process.ts";
import { storeFiles } from "../support/stored-files.ts";
import { runSql } from "../support/tables.ts";

const MIB = 1024 * 1024;
const FILE_BYTES = 10 * MIB;
const FILES = 14;
// Chunks wait for the collector: the same 75 MiB at 100 and at 1,000 MiB of files.
const GROWS_BY_LESS_THAN_MIB = 110;

const service = await openServiceOfRun();
// Two that cannot be made smaller, the others can: the output is large, and the whole does not take long.
const noise = Array.from({ length: 2 }, () => randomBytes((FILE_BYTES / 4) * 3).toString("base64"));
const even = Array.from({ length: FILES - 2 }, (_, index) => `${index},4.12\n`.repeat(FILE_BYTES / 7));
await storeFiles(service.deps, [...noise, ...even]);
const ownerId = (await runSql(service, "SELECT id FROM owners"))[0].id;

async function order(of = ownerId): Promise<string> {
  await requestExport(service.deps, ownerActor(of, null), of);
  return (await runSql(service, "SELECT id FROM owner_exports ORDER BY id DESC"))[0].id;
}

const stateOf = async (id: string) =>
  (await runSql(service, "SELECT state FROM owner_exports WHERE id = $1", [id]))[0].state;

test.skipIf(process.platform !== "linux")(
  `an archive of ${(FILES * FILE_BYTES) / MIB} MiB of files takes less than ${GROWS_BY_LESS_THAN_MIB} MiB of its worker's memory`,
  async () => {
    const worker = await service.startWorkers(["purge"]);
    // The first archive loads the code; this one has no files.
    const empty = await order(await makeOwner(service));
    await until(async () => (await stateOf(empty)) === "ready", 25_000);
    await delay(500);
    const restingMib = await residentMib(worker.pid);
    const id = await order();
    let peakMib = 0;
    await until(async () => {
      peakMib = Math.max(peakMib, await residentMib(worker.pid));
      return (await stateOf(id)) === "ready";
    }, 25_000);
    console.log(`worker: ${restingMib.toFixed(1)} MiB at rest, ${peakMib.toFixed(1)} MiB at most`);
    expect(peakMib - restingMib).toBeLessThan(GROWS_BY_LESS_THAN_MIB);
  },
);
