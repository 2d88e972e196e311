import type { Deps } from "../deps.ts";
import { readLogStatus } from "../log/operate-log.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLD_WARN_SECONDS = 60;

/** Whether the transparency log goes on, and what waits for it. */
export async function checkLog(deps: Deps): Promise<Finding[]> {
  const { standstill, detail, mend, log, waiting, waiting_since } = await readLogStatus(deps);
  if (standstill === "off") return [ok("log", detail)];
  const sizes = `${detail} ${log?.size ?? 0} entries, ${waiting} wait.`;
  if (standstill !== null) return [fail("log", sizes, mend ?? "Begin another log: log reopen.")];
  const seconds = waiting_since === null ? 0 : (deps.now() - Date.parse(waiting_since)) / 1000;
  const late = "Check that a process with the worker deliver runs.";
  return [seconds > OLD_WARN_SECONDS ? warn("log", sizes, late) : ok("log", sizes)];
}
