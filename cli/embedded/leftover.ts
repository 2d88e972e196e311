import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  endProcesses,
  identifyProcess,
  type ProcessIdentity,
  readCommandLine,
} from "../../shared/platform/process/processes.ts";
import { refuseToRun } from "../refusal.ts";

/**
 * Ends a postmaster that outlived its watchdog, and takes away a postmaster.pid whose number now belongs to a stranger
 * (PostgreSQL would refuse to start). The caller holds the lock, so nobody else starts one meanwhile.
 */
export async function clearLeftover(folder: string, log: (message: string) => void): Promise<void> {
  const pidFile = join(folder, "postmaster.pid");
  const text = await readFile(pidFile, "utf8").catch(() => null);
  const pid = Number(text?.split("\n")[0]);
  // PostgreSQL itself handles the file of a dead process: it also knows whether sessions are left over.
  const identity = Number.isInteger(pid) && pid > 0 ? await identifyProcess(pid) : null;
  if (identity === null) return;
  if (!(await isPostmasterOf(identity, folder))) {
    await rm(pidFile, { force: true });
    return;
  }
  log(`PostgreSQL of an earlier start still runs as process ${pid}: ending it`);
  await endLeftover(identity);
}

async function endLeftover(identity: ProcessIdentity): Promise<void> {
  const gone = await endProcesses(
    [identity],
    [
      { signal: "SIGINT", waitMs: 10_000 },
      { signal: "SIGQUIT", waitMs: 5000 },
    ],
  );
  if (!gone) {
    throw refuseToRun(
      `PostgreSQL of an earlier start, process ${identity.pid}, cannot be ended: end it by hand.`,
    );
  }
}

async function isPostmasterOf(identity: ProcessIdentity, folder: string): Promise<boolean> {
  const command = await readCommandLine(identity.pid);
  return command.includes("postgres") && command.includes(folder);
}
