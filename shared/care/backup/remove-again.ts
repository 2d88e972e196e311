import { findLastAuditId, skipAuditIds } from "../../../sql/care/removals.ts";
import { deletePasskeyById } from "../../../sql/identity/passkeys.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { notFound, Refusal } from "../../ground/errors.ts";
import { runAgentCommand } from "../../identity/agents/agent-states.ts";
import { COMMAND_LINE, recordAct } from "../../identity/audit/record-act.ts";
import { runOwnerCommand } from "../../identity/owners/suspension.ts";
import type { Deps } from "../../platform/deps.ts";
import { removeContent, runCreationCommand } from "../../works/creations/take-down.ts";
import { eraseAgent } from "../erasure/erase-agent.ts";
import { eraseCreation } from "../erasure/erase-creation.ts";
import { eraseOwner } from "../erasure/erase-owner.ts";
import { endAccount } from "../owners/leave.ts";
import type { Removal } from "./removals.ts";

const REASON = "Done again after a restore: it was done after the backup.";

/**
 * Does again, in a database that was just restored, what a list says was removed after its backup; what is not there or
 * is removed already is passed over. Returns how many were done.
 */
export async function removeAgain(deps: Deps, removals: readonly Removal[]): Promise<number> {
  const lastId = await findLastAuditId(deps.pool);
  const later = removals.filter(({ id }) => id > lastId).toSorted((one, other) => one.id - other.id);
  // New entries must not take the numbers of those in the list, or the list would count them as known.
  await skipAuditIds(deps.pool, later.at(-1)?.id ?? lastId);
  let count = 0;
  for (const removal of later) {
    try {
      await doAgain(deps, removal);
      count++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return count;
}

async function doAgain(deps: Deps, removal: Removal): Promise<void> {
  const { action, subject_id: id } = removal;
  switch (action) {
    case "revision.remove_content":
      await removeLiveToo(deps, id, removal.by ?? "owner");
      break;
    case "creation.unpublish":
    case "creation.hide":
    case "creation.unhide":
      await runCreationCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
      break;
    case "owner.suspend":
    case "owner.unsuspend":
      await runOwnerCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
      break;
    case "creation.erase":
      await eraseCreation(deps, COMMAND_LINE, id, REASON);
      break;
    case "agent.erase":
      await eraseAgent(deps, COMMAND_LINE, id, REASON);
      break;
    case "owner.erase":
      await eraseOwner(deps, COMMAND_LINE, id, REASON);
      break;
    case "owner.leave":
      await endAccount(deps, COMMAND_LINE, id);
      break;
    case "passkey.remove":
      await removePasskey(deps, id);
      break;
    default:
      await runAgentCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
  }
}

/** A revision that was replaced after the backup is live again, so its creation is taken off the site first. */
async function removeLiveToo(deps: Deps, revisionId: string, by: "owner" | "moderator"): Promise<void> {
  try {
    await removeContent(deps, COMMAND_LINE, revisionId, by, REASON);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "invalid_revision_state") throw error;
    const revision = await findRevisionById(deps.pool, revisionId);
    await runCreationCommand(deps, COMMAND_LINE, revision?.creation_id ?? "", "unpublish", REASON);
    await removeContent(deps, COMMAND_LINE, revisionId, by, REASON);
  }
}

async function removePasskey(deps: Deps, id: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    if (!(await deletePasskeyById(tx, id))) throw notFound("passkey");
    const act = { action: "passkey.remove", subjectKind: "passkey", subjectId: id, agentId: null };
    await recordAct(tx, COMMAND_LINE, act, deps.now());
  });
}

type VerbOf<Action extends string> = Action extends `${string}.${infer Verb}` ? Verb : never;

function verbOf<Action extends Removal["action"]>(action: Action): VerbOf<Action> {
  return action.slice(action.indexOf(".") + 1) as VerbOf<Action>;
}
