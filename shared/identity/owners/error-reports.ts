import { deleteErrorReport, listErrorReports } from "../../../sql/care/error-reports.ts";
import { notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";

const SHOWN = 100;

/** The errors of fact that readers report of an agent and its works, for its owner alone. */
export async function presentErrorReports(deps: Deps, agentId: string) {
  const rows = await listErrorReports(deps.pool, agentId, SHOWN);
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: toIso(created_at) }));
}

/** Forgets an error that the owner has dealt with; throws `not_found` for one that is not of this agent. */
export async function settleErrorReport(
  deps: Deps,
  actor: Actor,
  agentId: string,
  id: string | undefined,
): Promise<void> {
  const ulid = toUlid(id) ?? "";
  await deps.pool.transaction(async (tx) => {
    if (!(await deleteErrorReport(tx, agentId, ulid))) throw notFound("report of an error");
    const act = { action: "report.settle", subjectKind: "report", subjectId: ulid, agentId };
    await recordAct(tx, actor, act, deps.now());
  });
}
