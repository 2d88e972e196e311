import { measureOutboxes } from "../../../sql/platform/outbox.ts";
import { secondsSince } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { readLogState, STANDSTILLS } from "../../trust/transparency-log/log-state.ts";
import { type Finding, fail, judgeWait, ok } from "./finding.ts";

/** Whether the transparency log goes on, and what waits for it. */
export async function checkLog(deps: Deps): Promise<Finding[]> {
  const { log, standstill } = await readLogState(deps, deps.pool);
  const says = standstill === null ? "The log goes on." : STANDSTILLS[standstill].detail;
  if (standstill === "off") return [ok("log", says)];
  const backlog = (await measureOutboxes(deps.pool)).find(({ sequencer }) => sequencer === "log");
  const seconds = secondsSince(backlog?.oldest_at ?? null, deps.now());
  const rows = backlog?.rows ?? 0;
  const waits = `${rows} ${rows === 1 ? "waits" : "wait"}, the oldest for ${Math.round(seconds)} s.`;
  const size = log?.size ?? 0;
  const detail = `${says} ${size} ${size === 1 ? "entry" : "entries"}, ${waits}`;
  if (standstill !== null) {
    return [fail("log", detail, STANDSTILLS[standstill].mend ?? "Begin another log: log reopen.")];
  }
  return [judgeWait("log", seconds, detail, "Check that a process with the worker deliver runs.")];
}
