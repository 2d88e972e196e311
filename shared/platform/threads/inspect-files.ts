import type { FileFormat, Verdict } from "../../tables/inspection/verdict.ts";
import type { IdleGate } from "../concurrency/idle-gate.ts";
import { isOverrun } from "./pool.ts";
import type { AppendedPart, InspectTask, Overrun } from "./tasks.ts";

/** Inspects a stored file, or the part that was appended to it; throws `FileMissing` for a missing file. */
export type Inspect = (
  key: string,
  format: FileFormat,
  progress?: SharedArrayBuffer,
  part?: AppendedPart | null,
) => Promise<Verdict>;

const INSPECT_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The file is too deeply nested or too large to inspect in memory. Simplify or split it.",
  time: "The file took too long to inspect. Simplify or split it.",
};

/** Opens the inspections, for which what is made of files behind uploads waits. */
export function openInspecting(
  idleGate: IdleGate,
  inspect: (task: InspectTask) => Promise<Verdict | Overrun>,
): Inspect {
  return async (key, format, progress, part = null) => {
    const task: InspectTask = { key, format, ...(progress && { progress }), ...(part && { part }) };
    const verdict = await idleGate.busy(() => inspect(task));
    return isOverrun(verdict) ? { ok: false, reason: INSPECT_OVERRUNS[verdict] } : verdict;
  };
}
