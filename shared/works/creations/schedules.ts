import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import { type CreationRow, lockCreation, raiseCreationVersion } from "../../../sql/works/creations.ts";
import { findRevisionById, type RevisionRow } from "../../../sql/works/revisions.ts";
import {
  cancelPendingSchedule,
  finishSchedule,
  hasPendingSchedule,
  insertSchedule,
  listDueSchedules,
  lockSchedule,
  type ScheduleRow,
} from "../../../sql/works/schedules.ts";
import { notFound, orNotFound, Refusal } from "../../ground/errors.ts";
import { recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseScheduleRequest, type ScheduleRequest } from "../../requests/parse-publishing.ts";
import { checkPublication } from "./publication-checks.ts";
import { actOn, actOnChanged, findNamedRevision, publishRevision, toWritten } from "./publish.ts";
import { type CreationSubject, creationSubject, takesNothing } from "./subject.ts";

/**
 * POST /creations/{creation}/schedule: schedules the latest revision for a time and replaces an earlier
 * schedule.
 */
export const scheduleCreation: WriteKind<ScheduleRequest, CreationSubject> = {
  ...creationSubject,
  async prepare(deps, _caller, body) {
    const window = { nowMs: deps.now(), days: deps.config.limits.scheduleDays };
    return requireValue(parseScheduleRequest(body, window));
  },
  async perform(tx, deps, agent, wanted, { creation }) {
    const revision = await findNamedRevision(tx, creation, wanted.revisionId);
    const after = await scheduleRevision(tx, deps, agent, creation, revision, wanted);
    return await toWritten(tx, deps, agent, { before: creation, after }, "creation.schedule");
  },
};

/** Schedules a creation's latest revision in the caller's transaction, which locks agent and creation. */
export async function scheduleRevision(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  revision: RevisionRow,
  { publishMs, visibility }: Pick<ScheduleRequest, "publishMs" | "visibility">,
): Promise<CreationRow> {
  await checkPublication(tx, "schedule", { agent, creation, revision });
  const nowMs = deps.now();
  await cancelPendingSchedule(tx, creation.id, "Replaced by a newer schedule.", nowMs);
  const ids = { id: deps.newId(), creation_id: creation.id, revision_id: revision.id };
  await insertSchedule(tx, { ...ids, publish_at: publishMs, visibility, created_at: nowMs });
  return await raiseCreationVersion(tx, creation.id);
}

/** DELETE /creations/{creation}/schedule: cancels the pending schedule; `not_found` without one. */
export const cancelSchedule: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  ...takesNothing,
  async perform(tx, deps, agent, _body, { creation }) {
    if (!(await hasPendingSchedule(tx, creation.id))) throw notFound("pending schedule");
    await cancelPendingSchedule(tx, creation.id, "Cancelled by the agent.", deps.now());
    const after = await raiseCreationVersion(tx, creation.id);
    return await toWritten(tx, deps, agent, { before: creation, after }, "creation.cancel_schedule");
  },
};

/**
 * Settles a schedule for good in one transaction; a racing write (a new revision, a pause …) comes before or
 * after it.
 */
async function fireSchedule(
  deps: Deps,
  due: { id: string; creation_id: string; agent_id: string },
): Promise<boolean> {
  return await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, due.agent_id);
    const creation = await lockCreation(tx, due.creation_id);
    const schedule = await lockSchedule(tx, due.id);
    if (agent === null || creation === null || schedule?.status !== "pending") return false;
    if (schedule.publish_at > deps.now()) return false;
    const outcome = await publishOrRefuse(tx, deps, agent, creation, schedule);
    const isRefused = outcome instanceof Refusal;
    if (isRefused) await failSchedule(tx, deps, creation, schedule, outcome);
    const [code, visibility] = isRefused ? [outcome.code, null] : [null, outcome.visibility];
    const detail = { schedule_id: schedule.id, outcome_code: code, visibility };
    const act = isRefused
      ? actOn(creation, "schedule.fail", detail)
      : actOnChanged({ before: creation, after: outcome }, "schedule.publish", detail);
    await recordAct(tx, SERVICE, act, deps.now());
    return true;
  });
}

/** The published creation. Rolls a refused publication back to its savepoint; the end of the schedule stays. */
async function publishOrRefuse(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  schedule: ScheduleRow,
): Promise<CreationRow | Refusal> {
  try {
    return await tx.transaction(async (inner) => {
      const revision = orNotFound("revision", await findRevisionById(inner, schedule.revision_id));
      // This comes before the publication, which cancels any schedule that still waits.
      await finishSchedule(inner, schedule.id, {
        status: "published",
        code: null,
        detail: null,
        nowMs: deps.now(),
      });
      // Its questions are asked by the job that its publication orders.
      const how = { visibility: schedule.visibility, evidence: new Map() };
      return await publishRevision(inner, deps, { agent, creation, revision }, how);
    });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function failSchedule(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  schedule: ScheduleRow,
  { code, message }: Refusal,
): Promise<void> {
  await finishSchedule(tx, schedule.id, { status: "failed", code, detail: message, nowMs: deps.now() });
  await raiseCreationVersion(tx, creation.id);
}

/** Publishes or fails every due schedule and returns the count; safe to run in many processes at once. */
export async function sweepDueSchedules(deps: Deps): Promise<number> {
  let count = 0;
  for (const due of await listDueSchedules(deps.pool, deps.now())) {
    if (!(await fireSchedule(deps, due))) continue;
    count++;
    deps.metrics.scheduleLateness.observe(Math.max(0, deps.now() - due.publish_at) / 1000);
  }
  return count;
}
