import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import {
  type BackupAnswer,
  createBackup,
  type Pruned,
  pruneBackups,
} from "../../shared/care/backup/create.ts";
import { restoreBackup, resumeService } from "../../shared/care/backup/restore.ts";
import { refuseField } from "../../shared/ground/errors.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { RunCommand } from "../command-line/with-deps.ts";
import { prepareDataFolder } from "../embedded/data-folder.ts";

interface CreateOptions {
  to?: string;
  in?: string;
  keep?: string;
}

/** backup create, restore, resume. */
export function addCommands(program: Command, run: RunCommand): void {
  const backup = program.command("backup").description("database and files in one folder");
  backup
    .command("create")
    .description("write a backup as of now; exit code 1 where files are missing or differ from their hash")
    .option("--to <FOLDER>", "a folder that is new or empty")
    .option("--in <FOLDER>", "a folder of backups, in which one is made that has the time as its name")
    .option("--keep <NUMBER>", "afterwards remove all backups beside this one but the newest NUMBER")
    .action(async (options: CreateOptions) => {
      const keep = readKeep(options.keep);
      await run((deps, databaseUrl) => create(deps, databaseUrl, { place: options, keep }), {
        fails: ({ missing }) => missing.length > 0,
      });
    });
  backup
    .command("restore")
    .description("put a backup into an empty database and an empty file store")
    .requiredOption("--from <FOLDER>", "a backup's folder")
    .option("--keep-credentials", "keep sessions, sign-in links, codes and tokens as the backup has them")
    .option("--removals <FILE>", "the list of what was removed after the backup")
    .action(async ({ from, ...how }: { from: string; keepCredentials?: boolean; removals?: string }) => {
      const { readLastMigration } = await import("../../shared/care/backup/restore.ts");
      const upTo = (await readLastMigration(from)) ?? undefined;
      await run((deps, databaseUrl) => restore(deps, databaseUrl, from, how), { makes: true, upTo });
    });
  backup
    .command("resume")
    .description("let webhooks and mail go on, which stand still after a restore; say how much waits")
    .action(async () => await run(resumeService));
}

async function create(
  deps: Deps,
  databaseUrl: string,
  { place, keep }: { place: CreateOptions; keep: number | null },
): Promise<BackupAnswer & Partial<Pruned>> {
  const folder = chooseFolder(place, deps.now());
  const answer = await createBackup(deps, databaseUrl, folder);
  // One that misses files takes no other's place.
  if (keep === null || answer.missing.length > 0) return answer;
  return { ...answer, ...(await pruneBackups(folder, keep, dirname(deps.config.removalsFile))) };
}

/** Restores into a data folder that npm start can open to the user of the service. */
async function restore(
  deps: Deps,
  databaseUrl: string,
  from: string,
  how: Parameters<typeof restoreBackup>[3],
): Promise<Awaited<ReturnType<typeof restoreBackup>>> {
  const { dataDir, filesUrl } = deps.config;
  if (filesUrl.startsWith("file:")) await prepareDataFolder(dataDir);
  return await restoreBackup(deps, databaseUrl, from, how);
}

/** Names a new backup by its time to the millisecond, in an order that is also that of the names. */
function chooseFolder({ to, in: within }: CreateOptions, nowMs: number): string {
  if (to !== undefined && within === undefined) return resolve(to);
  if (within !== undefined && to === undefined)
    return join(resolve(within), new Date(nowMs).toISOString().replace(/[-:.]/g, ""));
  const sentence = "Name one place: --to with a new folder, or --in with a folder of backups.";
  throw refuseField("to", sentence);
}

function readKeep(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw refuseField("keep", "--keep takes a whole number of backups, 1 or more.");
}
