import type { Deps } from "../../platform/deps.ts";
import { checkFileStore, checkFolderMode, checkFreeSpace, checkOrphans, checkOwners } from "./files.ts";
import { type Finding, fail } from "./finding.ts";
import { examineRedis } from "./redis.ts";
import {
  checkBackup,
  checkLog,
  checkMail,
  checkProcesses,
  checkQueues,
  checkStandstill,
  checkWitnessedLogs,
  checkWitnesses,
} from "./work.ts";

const CHECKS: readonly { name: string; run(deps: Deps): Promise<Finding[]> }[] = [
  { name: "redis", run: ({ config }) => examineRedis(config.redisUrl) },
  { name: "files.store", run: checkFileStore },
  { name: "files.mode", run: checkFolderMode },
  { name: "files.owner", run: checkOwners },
  { name: "files.space", run: checkFreeSpace },
  { name: "restore", run: checkStandstill },
  { name: "backup", run: checkBackup },
  { name: "queues", run: checkQueues },
  { name: "processes", run: checkProcesses },
  { name: "log", run: checkLog },
  { name: "witnesses", run: checkWitnesses },
  { name: "witnessed_logs", run: checkWitnessedLogs },
  { name: "files.rows", run: checkOrphans },
  { name: "mail", run: checkMail },
];

/**
 * Examines what a service needs beside its database; a check that throws is itself a finding, and the others
 * go on.
 */
export async function* examine(deps: Deps): AsyncIterable<Finding> {
  for (const { name, run } of CHECKS) {
    try {
      yield* await run(deps);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      yield fail(
        name,
        `This could not be looked at: ${reason}`,
        MENDS[name] ?? "Mend the findings above first.",
      );
    }
  }
}

const MENDS: Record<string, string> = {
  redis: "Check that the server runs and REDIS_URL is right.",
  "files.store": "Check that the folder of FILES_URL exists and this user may write there.",
};
