import { makeExport as make } from "../../shared/care/archive/make.ts";
import { CATALOGUE, type JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { JobRun } from "../../shared/platform/jobs/queue.ts";
import type { WorkerContext } from "../context.ts";

/** Makes the archive that an owner asked for; a late or second run changes nothing. */
export async function makeExport(
  { deps }: WorkerContext,
  { export_id }: JobPayload<"make-export">,
  { attempt, signal }: JobRun,
): Promise<void> {
  const isLast = attempt >= CATALOGUE["make-export"].attempts;
  await make(deps, export_id, { isLast, signal });
}
