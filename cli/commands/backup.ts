import type { Command } from "commander";
import { createBackup } from "../../shared/backup/create.ts";
import { restoreBackup } from "../../shared/backup/restore.ts";
import type { RunCommand } from "./with-deps.ts";

/** backup create, backup restore. */
export function addBackupCommands(program: Command, run: RunCommand): void {
  const backup = program.command("backup").description("database and files in one folder");
  backup
    .command("create")
    .description("write a backup as of now; exit code 1 where files are missing")
    .requiredOption("--to <FOLDER>", "a folder that is new or empty")
    .action(async ({ to }: { to: string }) => {
      await run((deps, databaseUrl) => createBackup(deps, databaseUrl, to), {
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
      await run((deps, databaseUrl) => restoreBackup(deps, databaseUrl, from, how));
    });
}
