import { createHash, randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { getArchive, requestExport } from "../../shared/care/archive/exports.ts";
import { makeExport } from "../../shared/care/archive/make.ts";
import { ownerActor } from "../../shared/identity/audit/record-act.ts";
import { makeOwner } from "../support/agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { until } from "../support/service-process.ts";
import { storeFiles } from "../support/stored-files.ts";
import { runSql } from "../support/tables.ts";
import { readZip } from "../support/zip.ts";

const MIB = 1024 * 1024;
const FILE_BYTES = 10 * MIB;
const FILES = 14;
// Chunks wait for the collector: the same 75 MiB at 100 and at 1,000 MiB of files.
const GROWS_BY_LESS_THAN_MIB = 110;

let service: RealService;
let ownerId = "";
let hashes: Record<string, string> = {};

beforeAll(async () => {
  service = await openRealService({ cluster: inject("cluster") });
  // Two that cannot be made smaller, the others can: the output is large, and the whole does not take long.
  const noise = Array.from({ length: 2 }, () => randomBytes((FILE_BYTES / 4) * 3).toString("base64"));
  const even = Array.from({ length: FILES - 2 }, (_, index) => `${index},4.12\n`.repeat(FILE_BYTES / 7));
  const texts = [...noise, ...even];
  const ids = await storeFiles(service.deps, texts);
  hashes = Object.fromEntries(ids.map((id, index) => [id, hashOf(texts[index] ?? "")]));
  ownerId = (await runSql(service, "SELECT id FROM owners"))[0].id;
});
afterAll(async () => {
  expect(await service.close()).toEqual([]);
});

const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const temporary = () => join(service.dataDir, "files", "tmp");

async function order(of = ownerId): Promise<string> {
  await requestExport(service.deps, ownerActor(of, null), of);
  return (await runSql(service, "SELECT id FROM owner_exports ORDER BY id DESC"))[0].id;
}

const stateOf = async (id: string) =>
  (await runSql(service, "SELECT state FROM owner_exports WHERE id = $1", [id]))[0].state;

async function readArchive(id: string): Promise<Map<string, Buffer>> {
  const { fileId } = await getArchive(service.deps, ownerId, id);
  const chunks: Uint8Array[] = [];
  for await (const chunk of service.deps.files.get(fileId)) chunks.push(chunk);
  return await readZip(Buffer.concat(chunks));
}

/** Bytes of what is being written. */
async function writtenBytes(): Promise<number> {
  const names = await readdir(temporary()).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(temporary(), name)).catch(() => null)));
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}

test("a worker that is killed on the way leaves an order that the next one fulfils, whole", async () => {
  const id = await order();
  const worker = await service.startWorkers(["purge"]);
  await until(async () => (await writtenBytes()) > MIB, 20_000);
  worker.child.kill("SIGKILL");
  await worker.ended;
  expect([await stateOf(id), (await readdir(temporary())).length]).toEqual(["waiting", 1]);
  // The engine hands the job on after ten seconds; here is what the next worker does.
  await makeExport(service.deps, id, { attempt: 1, signal: new AbortController().signal });
  expect(await stateOf(id)).toBe("ready");
  const files = await readArchive(id);
  const found = [...files].filter(([path]) => path.endsWith(".csv") && path !== "audit.csv");
  expect(Object.fromEntries(found.map(([path, bytes]) => [path.split("/").at(-2), hashOf(bytes)]))).toEqual(
    hashes,
  );
  expect(await service.deps.files.discardUnfinished(Date.now() + 1_000)).toBe(1);
});

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
