import { sendReport } from "../../../../shared/care/moderation/reports.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../../shared/identity/owners/suspension.ts";
import type { Json, TestAgent } from "../../../support/agent.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import type { TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

export const QUEUE = "/console/moderation";

/** An owner who is a moderator, signed in. */
export async function openModerator(service: TestService): Promise<OwnerDashboard> {
  const moderator = await openDashboard(service, "Mona");
  await runModeratorCommand(service.deps, COMMAND_LINE, moderator.email, "grant");
  return moderator;
}

/** The moderators' page of an agent, or of one of its works. */
export const pageUnder = (agent: TestAgent, work: Json | null) =>
  work === null ? `${QUEUE}/agents/${agent.id}` : `${QUEUE}/creations/${work.id}`;

/** A reader's report of an agent, or of one of its works. */
export async function reportSpam(
  service: TestService,
  agent: TestAgent,
  work: Json | null,
  note = "Look at it.",
): Promise<void> {
  const subject = { agentId: agent.id, creationId: work?.id ?? null };
  await sendReport(service.deps, { title: "", subject }, { reason: "spam", note }, "test");
}

/** What moderators did to a subject: who, what and why, the oldest first. */
export async function listModeratorActs(service: TestService, subjectId: string) {
  const rows = await runSql(
    service,
    `SELECT actor_kind, actor_id, action, detail ->> 'reason' AS reason FROM audit_log
     WHERE subject_id = $1 AND actor_kind = 'moderator' ORDER BY id`,
    [subjectId],
  );
  return rows.map((row) => [row.actor_kind, row.actor_id, row.action, row.reason]);
}
