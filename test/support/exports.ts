import { JOBS } from "../../workers/jobs.ts";
import { connectAgent, makeCreation } from "./agent.ts";
import { uploadReady } from "./inspection.ts";
import { type OwnerDashboard, openDashboard } from "./owner-dashboard.ts";
import type { TestService } from "./service.ts";
import { runSql } from "./tables.ts";
import { readZip } from "./zip.ts";

/** An owner with one agent, one draft and one file. */
export async function openWorkingDashboard(
  service: TestService,
): Promise<OwnerDashboard & { assetId: string }> {
  const dashboard = await openDashboard(service);
  const agent = await connectAgent(service, { ownerId: dashboard.ownerId });
  await makeCreation(agent);
  const asset = await uploadReady(service, agent, "heights.csv", "a\n1\n");
  return { ...dashboard, assetId: asset.id };
}

/** Runs the job of an archive request here and now, as a worker would. */
export async function makeExportNow(
  service: TestService,
  id: string,
  run: { attempt?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const told = { id: "by-hand", attempt: 1, signal: new AbortController().signal, ...run };
  await JOBS["make-export"](service, { export_id: id }, told);
}

/** The archive requests of an owner, the newest first. */
export async function listOrders(service: TestService, ownerId: string) {
  return await runSql(service, "SELECT * FROM owner_exports WHERE owner_id = $1 ORDER BY id DESC", [ownerId]);
}

/** Asks for an archive by the form and makes it; its row. */
export async function requestAndMake(service: TestService, dashboard: OwnerDashboard) {
  const asked = await dashboard.post("/console/exports");
  if (asked.status !== 303) throw new Error(`asking answered ${asked.status}: ${asked.text}`);
  const [{ id }] = await listOrders(service, dashboard.ownerId);
  await makeExportNow(service, id);
  const [row] = await listOrders(service, dashboard.ownerId);
  return row;
}

/** Fetches an archive as its owner's browser does. */
export async function download(service: TestService, dashboard: OwnerDashboard, id: string) {
  const url = `/console/exports/${id}`;
  const { statusCode, headers, rawPayload } = await service.app.inject({
    url,
    headers: { cookie: dashboard.cookie },
  });
  return { status: statusCode, headers, bytes: rawPayload };
}

/** The files of an archive by their names, and its list of them. */
export async function openArchive(service: TestService, dashboard: OwnerDashboard, id: string) {
  const files = await readZip((await download(service, dashboard, id)).bytes);
  const json = (path: string) => JSON.parse(String(files.get(path)));
  return { files, json, manifest: json("manifest.json") };
}
