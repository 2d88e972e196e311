import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts so many a second. */
const TICKS_A_SECOND = 100;

/** Processor milliseconds of a process, its children that run and those that ended. */
export function readProcessor(pid: number): number {
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid,
  );
  const own = readTicks(pid, [11, 12, 13, 14]);
  const theirs = children.map((child) => readTicks(Number(child), [11, 12]));
  return ([own, ...theirs].reduce((sum, ticks) => sum + ticks, 0) * 1_000) / TICKS_A_SECOND;
}

function parentOf(pid: number): number {
  return readTicks(pid, [1]);
}

/** The sum of fields of a process's line, counted from the one behind its name; 0 of a process that is gone. */
function readTicks(pid: number, fields: readonly number[]): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parts = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields.reduce((sum, field) => sum + Number(parts[field] ?? 0), 0);
  } catch {
    return 0;
  }
}
