import { type Config, loadConfig } from "../../shared/platform/config.ts";
import { explainDatabaseFault } from "../../shared/platform/process/explain-failure.ts";
import { refuseToRun, sentenceOf } from "../refusal.ts";
import type { FromPreparation, ToPreparation } from "./prepare.ts";

// What npm start does but for a moment: it reads the environment, migrates the database and makes the first owner. The
// code for it takes 60 MB, so a process does it that ends after the start. It ends with its parent too.

// Ctrl-C is for the parent, which closes the channel.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
process.on("message", (message: ToPreparation) => void answer(() => obey(message)));

let config: Config | null = null;
await answer(async () => {
  config = loadConfig(process.env);
  const { dataDir, databaseUrl, filesUrl, removalsFile, host, port, siteUrl } = config;
  return { dataDir, databaseUrl, filesUrl, removalsFile, host, port, siteUrl };
});
// While PostgreSQL starts.
void migrations();
void firstOwner();

async function obey({ step, databaseUrl }: ToPreparation): Promise<unknown> {
  if (config === null) throw refuseToRun("The configuration was not read.");
  if (step === "migrate") return await (await migrations()).prepareDatabase(config, databaseUrl);
  return await (await firstOwner()).prepareFirstStart(databaseUrl, config);
}

async function answer(work: () => Promise<unknown>): Promise<void> {
  try {
    tell({ type: "done", result: (await work()) ?? null });
  } catch (error) {
    // Of a database of our own DATABASE_URL says nothing.
    const sentence = config?.databaseUrl === undefined ? null : explainDatabaseFault(error);
    tell({ type: "failed", sentence: sentence ?? sentenceOf(error) });
  }
}

async function migrations() {
  return await import("../supervisor/whole-service.ts");
}

async function firstOwner() {
  return await import("../../shared/identity/owners/first-owner.ts");
}

function tell(message: FromPreparation): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
