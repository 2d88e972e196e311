import { expect, test } from "vitest";
import { download, openArchive, openWorkingDashboard, requestAndMake } from "../../../support/exports.ts";
import { startBucket } from "../../../support/s3.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles } from "../../../support/tables.ts";

test("from a bucket and into it", async () => {
  const bucket = await startBucket();
  const away = await openService({ workers: false, config: { filesUrl: bucket.filesUrl } });
  const dashboard = await openWorkingDashboard(away);
  const { id, bytes } = await requestAndMake(away, dashboard);
  const fetched = await download(away, dashboard, id);
  expect([fetched.status, fetched.bytes.length]).toEqual([200, Number(bytes)]);
  const { files } = await openArchive(away, dashboard, id);
  const path = [...files.keys()].find((name) => name.includes(dashboard.assetId)) ?? "";
  expect(String(files.get(path))).toBe("a\n1\n");
  await dashboard.post(`/console/exports/${id}/delete`);
  expect(await listStoredFiles(away)).toEqual([dashboard.assetId]);
});
