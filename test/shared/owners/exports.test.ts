import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachMissingFile, eachOrphanFile, verifyFiles } from "../../../shared/assets/orphan-files.ts";
import { sweepOrphanFiles } from "../../../shared/assets/sweeps.ts";
import { createBackup } from "../../../shared/backup/create.ts";
import { openDiskStore } from "../../../shared/files/disk.ts";
import { sweepExpiredExports, sweepLostExports } from "../../../shared/owners/exports.ts";
import { DAY_MS } from "../../../shared/times.ts";
import { connectAgent, makeCreation } from "../../support/agent.ts";
import { download, listOrders, makeExportNow, openArchive, requestAndMake } from "../../support/exports.ts";
import { uploadReady } from "../../support/inspection.ts";
import { type OwnerDashboard, openDashboard } from "../../support/owner-dashboard.ts";
import { startBucket } from "../../support/s3.ts";
import { openService, TEST_START_MS, type TestService } from "../../support/service.ts";
import { dumpTables, listStoredFiles, runSql, setOwnerStatus } from "../../support/tables.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ workers: false });
});
afterAll(async () => {
  await service.close();
});

/** An owner with one agent, one draft and one file. */
async function openDashboardWithWork(on = service): Promise<OwnerDashboard & { assetId: string }> {
  const desk = await openDashboard(on);
  const agent = await connectAgent(on, { ownerId: desk.ownerId });
  await makeCreation(agent);
  const asset = await uploadReady(on, agent, "heights.csv", "a\n1\n");
  return { ...desk, assetId: asset.id };
}

const account = async (desk: OwnerDashboard) => (await desk.get("/console/account")).text;
const actsOf = async (desk: OwnerDashboard) =>
  (
    await runSql(
      service,
      "SELECT action FROM audit_log WHERE subject_id = $1 AND action LIKE 'export.%' ORDER BY id",
      [desk.ownerId],
    )
  ).map(({ action }) => action);

test("an owner asks, sees that it is being made, fetches it, and deletes it", async () => {
  const desk = await openDashboardWithWork();
  expect(await account(desk)).toContain("Ask for an archive");
  expect((await desk.post("/console/exports")).headers.location).toBe("/console/account");
  expect(await account(desk)).toContain("and is being made.");
  const again = await desk.post("/console/exports");
  expect([again.status, again.text.includes("An archive is being made already.")]).toEqual([422, true]);
  const [{ id }] = await listOrders(service, desk.ownerId);
  expect((await download(service, desk, id)).status).toBe(404);
  await makeExportNow(service, id);
  const [row] = await listOrders(service, desk.ownerId);
  const page = await account(desk);
  for (const words of [
    `/console/exports/${id}`,
    row.sha256,
    "here until",
    "27 November 2026",
    "Delete it now",
  ]) {
    expect(page).toContain(words);
  }
  expect((await desk.post(`/console/exports/${id}/delete`)).status).toBe(303);
  expect((await download(service, desk, id)).status).toBe(404);
  expect(await listStoredFiles(service)).not.toContain(row.file_id);
  expect((await desk.post(`/console/exports/${id}/delete`)).status).toBe(404);
  expect(await actsOf(desk)).toEqual(["export.order", "export.finish", "export.delete"]);
});

test("its owner gets a mail that leads to the account page", async () => {
  const desk = await openDashboard(service);
  await requestAndMake(service, desk);
  const folder = join(service.deps.config.dataDir, "mail");
  const mails = (await readdir(folder)).length;
  expect(mails).toBeGreaterThan(0);
});

test("nobody else finds it, and a suspended owner still does", async () => {
  const desk = await openDashboard(service);
  const stranger = await openDashboard(service);
  const { id } = await requestAndMake(service, desk);
  expect((await download(service, stranger, id)).status).toBe(404);
  expect((await stranger.post(`/console/exports/${id}/delete`)).status).toBe(404);
  await setOwnerStatus(service, desk.ownerId, "suspended");
  expect((await download(service, desk, id)).status).toBe(200);
  const next = await requestAndMake(service, desk);
  expect((await openArchive(service, desk, next.id)).json("owner.json").status).toBe("suspended");
});

test("a new archive takes the earlier one's place, and a day has three", async () => {
  const desk = await openDashboard(service);
  const made = [await requestAndMake(service, desk), await requestAndMake(service, desk)];
  const last = await requestAndMake(service, desk);
  const stored = await listStoredFiles(service);
  expect([...made, last].map(({ file_id }) => stored.includes(file_id))).toEqual([false, false, true]);
  const refused = await desk.post("/console/exports");
  expect([refused.status, refused.text.includes("You can ask for 3 archives a day")]).toEqual([429, true]);
  service.clock.nowMs = TEST_START_MS + 15 * 3600_000;
  expect((await desk.post("/console/exports")).status).toBe(303);
  service.clock.nowMs = TEST_START_MS;
});

test("two orders at once are one", async () => {
  const desk = await openDashboard(service);
  const replies = await Promise.all([1, 2, 3].map(() => desk.post("/console/exports")));
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
});

test("a worker that is stopped on the way leaves nothing, and the next one makes it whole", async () => {
  const desk = await openDashboardWithWork();
  await desk.post("/console/exports");
  const [{ id }] = await listOrders(service, desk.ownerId);
  const before = await listStoredFiles(service);
  const signal = AbortSignal.abort();
  await expect(makeExportNow(service, id, { signal, attempt: 5 })).rejects.toThrow();
  expect(await listStoredFiles(service)).toEqual(before);
  expect(await readdir(join(filesFolder(), "tmp"))).toEqual([]);
  expect((await listOrders(service, desk.ownerId))[0]).toMatchObject({ state: "waiting", tries: 1 });
  await makeExportNow(service, id);
  const { files } = await openArchive(service, desk, id);
  expect([...files.keys()].some((path) => path.endsWith("heights.csv"))).toBe(true);
});

test("where the store takes nothing, the last try tells the owner why; a new order can be made", async () => {
  const desk = await openDashboard(service);
  await desk.post("/console/exports");
  const [{ id }] = await listOrders(service, desk.ownerId);
  const blocked = join(service.deps.config.dataDir, "blocked");
  await writeFile(blocked, "a file where a folder is needed");
  const broken = { ...service, deps: { ...service.deps, files: openDiskStore(blocked) } };
  await expect(makeExportNow(broken, id, { attempt: 4 })).rejects.toThrow();
  expect((await listOrders(service, desk.ownerId))[0].state).toBe("waiting");
  await expect(makeExportNow(broken, id, { attempt: 5 })).rejects.toThrow();
  expect(await account(desk)).toContain("The last one failed. The archive could not be made.");
  expect((await requestAndMake(service, desk)).state).toBe("ready");
  expect(await actsOf(desk)).toEqual(["export.order", "export.fail", "export.order", "export.finish"]);
});

test("an order that takes worker after worker down is given up", async () => {
  const desk = await openDashboard(service);
  await desk.post("/console/exports");
  const [{ id }] = await listOrders(service, desk.ownerId);
  await runSql(service, "UPDATE owner_exports SET tries = 10 WHERE id = $1", [id]);
  await makeExportNow(service, id);
  expect((await listOrders(service, desk.ownerId))[0].state).toBe("failed");
});

test("an order whose bell was lost is rung for again", async () => {
  const desk = await openDashboard(service);
  await desk.post("/console/exports");
  const [{ id }] = await listOrders(service, desk.ownerId);
  const bells = async () =>
    (
      await runSql(
        service,
        "SELECT 1 FROM pgboss.job WHERE name = 'make-export' AND data->>'export_id' = $1",
        [id],
      )
    ).length;
  expect(await bells()).toBe(1);
  await runSql(service, "DELETE FROM pgboss.job WHERE name = 'make-export'");
  service.clock.nowMs = TEST_START_MS + 39_999;
  await sweepLostExports(service.deps);
  expect(await bells()).toBe(0);
  service.clock.nowMs = TEST_START_MS + 40_001;
  await sweepLostExports(service.deps);
  await sweepLostExports(service.deps);
  expect(await bells()).toBe(1);
  service.clock.nowMs = TEST_START_MS;
});

test("after seven days row and file are gone", async () => {
  const desk = await openDashboard(service);
  const { id, file_id } = await requestAndMake(service, desk);
  service.clock.nowMs = TEST_START_MS + 7 * DAY_MS - 1;
  await sweepExpiredExports(service.deps);
  expect((await download(service, desk, id)).status).toBe(200);
  service.clock.nowMs = TEST_START_MS + 7 * DAY_MS;
  expect((await download(service, desk, id)).status).toBe(404);
  await sweepExpiredExports(service.deps);
  service.clock.nowMs = TEST_START_MS;
  expect(await listOrders(service, desk.ownerId)).toEqual([]);
  expect(await listStoredFiles(service)).not.toContain(file_id);
});

test("the stored file is known to whoever looks after files, and a backup leaves it out", async () => {
  const desk = await openDashboardWithWork();
  const { file_id } = await requestAndMake(service, desk);
  const old = new Date(Date.now() - 2 * 3600_000);
  await utimes(pathOf(file_id), old, old);
  const orphans: string[] = [];
  for await (const key of eachOrphanFile(service.deps)) orphans.push(key);
  expect(orphans).toEqual([]);
  await sweepOrphanFiles(service.deps);
  expect(await listStoredFiles(service)).toContain(file_id);
  expect((await verifyFiles(service.deps, () => undefined)).wrong).toBe(0);
  const to = await mkdtemp(join(tmpdir(), "broadsheet-backup-"));
  try {
    const made = await createBackup(service.deps, service.databaseUrl, to);
    expect(made.missing).toEqual([]);
    expect(await readdir(join(to, "tables"))).not.toContain("owner_exports.ndjson");
    expect(await readdir(join(to, "files"), { recursive: true })).not.toContainEqual(
      expect.stringContaining(file_id),
    );
  } finally {
    await rm(to, { recursive: true, force: true });
  }
  await rm(pathOf(file_id));
  const missing: string[] = [];
  for await (const key of eachMissingFile(service.deps)) missing.push(key);
  expect(missing).toEqual([file_id]);
});

test("leaving takes archives and orders along, also one that is being made", async () => {
  const desk = await openDashboardWithWork();
  const { file_id } = await requestAndMake(service, desk);
  await desk.post("/console/exports");
  const [{ id }] = await listOrders(service, desk.ownerId);
  expect((await desk.post("/console/leave", { confirm: desk.email })).status).toBe(303);
  expect(await listOrders(service, desk.ownerId)).toEqual([]);
  expect(await listStoredFiles(service)).not.toContain(file_id);
  const before = [await dumpTables(service), await listStoredFiles(service)];
  await makeExportNow(service, id);
  expect([await dumpTables(service), await listStoredFiles(service)]).toEqual(before);
});

test("from a bucket and into it", async () => {
  const bucket = await startBucket();
  const away = await openService({ workers: false, config: { filesUrl: bucket.filesUrl } });
  try {
    const desk = await openDashboardWithWork(away);
    const { id, bytes } = await requestAndMake(away, desk);
    const fetched = await download(away, desk, id);
    expect([fetched.status, fetched.bytes.length]).toEqual([200, Number(bytes)]);
    const { files } = await openArchive(away, desk, id);
    const path = [...files.keys()].find((name) => name.includes(desk.assetId)) ?? "";
    expect(String(files.get(path))).toBe("a\n1\n");
    await desk.post(`/console/exports/${id}/delete`);
    expect(await listStoredFiles(away)).toEqual([desk.assetId]);
  } finally {
    await away.close();
    await bucket.close();
  }
});

function filesFolder(): string {
  return fileURLToPath(service.deps.config.filesUrl.replace(/^file:(?!\/\/)/, "file://"));
}

function pathOf(key: string): string {
  return join(filesFolder(), key.slice(-2), key);
}
