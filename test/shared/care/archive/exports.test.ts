import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sweepExpiredExports, sweepLostExports } from "../../../../shared/care/archive/exports.ts";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import {
  eachMissingFile,
  eachOrphanFile,
  sweepOrphanFiles,
  verifyFiles,
} from "../../../../shared/datasets/uploads/sweeps.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { openDiskStore } from "../../../../shared/platform/files/disk.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import {
  download,
  listOrders,
  makeExportNow,
  openArchive,
  openWorkingDashboard,
  requestAndMake,
} from "../../../support/exports.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, listStoredFiles, runSql, setOwnerStatus } from "../../../support/tables.ts";

const service = await openService({ workers: false });

const openDashboardWithWork = () => openWorkingDashboard(service);

const account = async (dashboard: OwnerDashboard) => (await dashboard.get("/console/account")).text;
const actsOf = async (dashboard: OwnerDashboard) =>
  (
    await runSql(
      service,
      "SELECT action FROM audit_log WHERE subject_id = $1 AND action LIKE 'export.%' ORDER BY id",
      [dashboard.ownerId],
    )
  ).map(({ action }) => action);

test("an owner asks, sees that it is being made, fetches it, and deletes it", async () => {
  const dashboard = await openDashboardWithWork();
  expect(await account(dashboard)).toContain("Ask for an archive");
  expect((await dashboard.post("/console/exports")).headers.location).toBe("/console/account");
  expect(await account(dashboard)).toContain("and is being made.");
  const again = await dashboard.post("/console/exports");
  expect([again.status, again.text.includes("An archive is being made already.")]).toEqual([422, true]);
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  expect((await download(service, dashboard, id)).status).toBe(404);
  await makeExportNow(service, id);
  const [row] = await listOrders(service, dashboard.ownerId);
  const page = await account(dashboard);
  for (const words of [
    `/console/exports/${id}`,
    row.sha256,
    "here until",
    "27 November 2026",
    "Delete it now",
  ]) {
    expect(page).toContain(words);
  }
  expect((await dashboard.post(`/console/exports/${id}/delete`)).status).toBe(303);
  expect((await download(service, dashboard, id)).status).toBe(404);
  expect(await listStoredFiles(service)).not.toContain(row.file_id);
  expect((await dashboard.post(`/console/exports/${id}/delete`)).status).toBe(404);
  expect(await actsOf(dashboard)).toEqual(["export.order", "export.finish", "export.delete"]);
});

test("its owner gets a mail that leads to the account page", async () => {
  const dashboard = await openDashboard(service);
  await requestAndMake(service, dashboard);
  const folder = join(service.deps.config.dataDir, "mail");
  const mails = (await readdir(folder)).length;
  expect(mails).toBeGreaterThan(0);
});

test("nobody else finds it, and a suspended owner still does", async () => {
  const dashboard = await openDashboard(service);
  const stranger = await openDashboard(service);
  const { id } = await requestAndMake(service, dashboard);
  expect((await download(service, stranger, id)).status).toBe(404);
  expect((await stranger.post(`/console/exports/${id}/delete`)).status).toBe(404);
  await setOwnerStatus(service, dashboard.ownerId, "suspended");
  expect((await download(service, dashboard, id)).status).toBe(200);
  const next = await requestAndMake(service, dashboard);
  expect((await openArchive(service, dashboard, next.id)).json("owner.json").status).toBe("suspended");
});

test("a new archive takes the earlier one's place, and a day has three", async () => {
  const dashboard = await openDashboard(service);
  const made = [await requestAndMake(service, dashboard), await requestAndMake(service, dashboard)];
  const last = await requestAndMake(service, dashboard);
  const stored = await listStoredFiles(service);
  expect([...made, last].map(({ file_id }) => stored.includes(file_id))).toEqual([false, false, true]);
  const refused = await dashboard.post("/console/exports");
  expect([refused.status, refused.text.includes("You can ask for 3 archives a day")]).toEqual([429, true]);
  service.clock.nowMs = TEST_START_MS + 15 * 3600_000;
  expect((await dashboard.post("/console/exports")).status).toBe(303);
  service.clock.nowMs = TEST_START_MS;
});

test("two orders at once are one", async () => {
  const dashboard = await openDashboard(service);
  const replies = await Promise.all([1, 2, 3].map(() => dashboard.post("/console/exports")));
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
});

test("a worker that is stopped on the way leaves nothing, and the next one makes it whole", async () => {
  const dashboard = await openDashboardWithWork();
  await dashboard.post("/console/exports");
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  const before = await listStoredFiles(service);
  const signal = AbortSignal.abort();
  await expect(makeExportNow(service, id, { signal, attempt: 5 })).rejects.toThrow();
  expect(await listStoredFiles(service)).toEqual(before);
  expect(await readdir(join(filesFolder(), "tmp"))).toEqual([]);
  expect((await listOrders(service, dashboard.ownerId))[0]).toMatchObject({ state: "waiting", tries: 1 });
  await makeExportNow(service, id);
  const { files } = await openArchive(service, dashboard, id);
  expect([...files.keys()].some((path) => path.endsWith("heights.csv"))).toBe(true);
});

test("where the store takes nothing, the last try tells the owner why; a new order can be made", async () => {
  const dashboard = await openDashboard(service);
  await dashboard.post("/console/exports");
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  const blocked = join(service.deps.config.dataDir, "blocked");
  await writeFile(blocked, "a file where a folder is needed");
  const broken = { ...service, deps: { ...service.deps, files: openDiskStore(blocked) } };
  await expect(makeExportNow(broken, id, { attempt: 4 })).rejects.toThrow();
  expect((await listOrders(service, dashboard.ownerId))[0].state).toBe("waiting");
  await expect(makeExportNow(broken, id, { attempt: 5 })).rejects.toThrow();
  expect(await account(dashboard)).toContain("The last one failed. The archive could not be made.");
  expect((await requestAndMake(service, dashboard)).state).toBe("ready");
  expect(await actsOf(dashboard)).toEqual(["export.order", "export.fail", "export.order", "export.finish"]);
});

test("an order that takes worker after worker down is given up", async () => {
  const dashboard = await openDashboard(service);
  await dashboard.post("/console/exports");
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  await runSql(service, "UPDATE owner_exports SET tries = 10 WHERE id = $1", [id]);
  await makeExportNow(service, id);
  expect((await listOrders(service, dashboard.ownerId))[0].state).toBe("failed");
});

test("a requested archive whose job was lost is enqueued again", async () => {
  const dashboard = await openDashboard(service);
  await dashboard.post("/console/exports");
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  const jobs = async () =>
    (
      await runSql(
        service,
        "SELECT 1 FROM pgboss.job WHERE name = 'make-export' AND data->>'export_id' = $1",
        [id],
      )
    ).length;
  expect(await jobs()).toBe(1);
  await runSql(service, "DELETE FROM pgboss.job WHERE name = 'make-export'");
  service.clock.nowMs = TEST_START_MS + 39_999;
  await sweepLostExports(service.deps);
  expect(await jobs()).toBe(0);
  service.clock.nowMs = TEST_START_MS + 40_001;
  await sweepLostExports(service.deps);
  await sweepLostExports(service.deps);
  expect(await jobs()).toBe(1);
  service.clock.nowMs = TEST_START_MS;
});

test("after seven days row and file are gone", async () => {
  const dashboard = await openDashboard(service);
  const { id, file_id } = await requestAndMake(service, dashboard);
  service.clock.nowMs = TEST_START_MS + 7 * DAY_MS - 1;
  await sweepExpiredExports(service.deps);
  expect((await download(service, dashboard, id)).status).toBe(200);
  service.clock.nowMs = TEST_START_MS + 7 * DAY_MS;
  expect((await download(service, dashboard, id)).status).toBe(404);
  await sweepExpiredExports(service.deps);
  service.clock.nowMs = TEST_START_MS;
  expect(await listOrders(service, dashboard.ownerId)).toEqual([]);
  expect(await listStoredFiles(service)).not.toContain(file_id);
});

test("the stored file is known to whoever looks after files, and a backup leaves it out", async () => {
  const dashboard = await openDashboardWithWork();
  const { file_id } = await requestAndMake(service, dashboard);
  const old = new Date(Date.now() - 2 * 3600_000);
  await utimes(pathOf(file_id), old, old);
  const orphans: string[] = [];
  for await (const key of eachOrphanFile(service.deps)) orphans.push(key);
  expect(orphans).toEqual([]);
  await sweepOrphanFiles(service.deps);
  expect(await listStoredFiles(service)).toContain(file_id);
  expect((await verifyFiles(service.deps, () => undefined)).wrong).toBe(0);
  const to = await openFolder();
  const made = await createBackup(service.deps, service.databaseUrl, to);
  expect(made.missing).toEqual([]);
  expect(await readdir(join(to, "tables"))).not.toContain("owner_exports.ndjson");
  expect(await readdir(join(to, "files"), { recursive: true })).not.toContainEqual(
    expect.stringContaining(file_id),
  );
  await rm(pathOf(file_id));
  const missing: string[] = [];
  for await (const key of eachMissingFile(service.deps)) missing.push(key);
  expect(missing).toEqual([file_id]);
});

test("leaving takes archives and orders along, also one that is being made", async () => {
  const dashboard = await openDashboardWithWork();
  const { file_id } = await requestAndMake(service, dashboard);
  await dashboard.post("/console/exports");
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  expect((await dashboard.post("/console/leave", { confirm: dashboard.email })).status).toBe(303);
  expect(await listOrders(service, dashboard.ownerId)).toEqual([]);
  expect(await listStoredFiles(service)).not.toContain(file_id);
  const before = [await dumpTables(service), await listStoredFiles(service)];
  await makeExportNow(service, id);
  expect([await dumpTables(service), await listStoredFiles(service)]).toEqual(before);
});

function filesFolder(): string {
  return fileURLToPath(service.deps.config.filesUrl.replace(/^file:(?!\/\/)/, "file://"));
}

function pathOf(key: string): string {
  return join(filesFolder(), key.slice(-2), key);
}
