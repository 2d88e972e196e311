import { findLastAuditId, type ListedAct, skipAuditIds } from "../../../sql/care/removals.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import { deletePasskey } from "../../../sql/identity/passkeys.ts";
import { findCreationById } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { notFound, orNotFound, Refusal } from "../../ground/errors.ts";
import { runAgentCommand } from "../../identity/agents/agent-states.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import { showOwnerAlias } from "../../identity/owners/alias.ts";
import { hideDomain, listDomains, removeDomain } from "../../identity/owners/domains.ts";
import { runModeratorCommand, runOwnerCommand } from "../../identity/owners/suspension.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { allowSubscriptions } from "../../trust/webhooks/subscriptions.ts";
import { deleteDraft } from "../../works/creations/delete-draft.ts";
import { retractCreation } from "../../works/creations/retract.ts";
import { cancelSchedule } from "../../works/creations/schedules.ts";
import { type CreationSubject, performFor } from "../../works/creations/subject.ts";
import { changeVisibility, removeContent, runCreationCommand } from "../../works/creations/take-down.ts";
import { allowPreviews } from "../../works/previews/preview-links.ts";
import { eraseAgent, eraseOwner } from "../erasure/erase-agent.ts";
import { eraseCreation } from "../erasure/erase-creation.ts";
import { addBlock, putBlock } from "../moderation/blocks.ts";
import { endAccount } from "../owners/leave.ts";

const REASON = "Done again after a restore: it was done after the backup.";
const LEFT_ADDRESS = { reason: "An owner left this address after the backup was made.", untilMs: null };

/** Does an act again on the row of an id; throws a refusal where nothing is left to take away. */
type Again = (deps: Deps, id: string, act: ListedAct) => Promise<unknown>;

/** The acts of the list, and how each is done again; null for one that only gave back what another had taken away. */
const AGAIN: Readonly<Record<string, Again | null>> = {
  "agent.allow_previews": (deps, id) => allowPreviews(deps, COMMAND_LINE, id, true),
  "agent.allow_subscriptions": (deps, id) => allowSubscriptions(deps, COMMAND_LINE, id, true),
  "agent.archive": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "archive", REASON),
  "agent.erase": (deps, id) => eraseAgent(deps, COMMAND_LINE, id, REASON),
  "agent.forbid_previews": (deps, id) => allowPreviews(deps, COMMAND_LINE, id, false),
  "agent.forbid_subscriptions": (deps, id) => allowSubscriptions(deps, COMMAND_LINE, id, false),
  "agent.hide": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "hide", REASON),
  "agent.pause": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "pause", REASON),
  "agent.resume": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "resume", REASON),
  "agent.suspend": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "suspend", REASON),
  "agent.unhide": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "unhide", REASON),
  "agent.unsuspend": (deps, id) => runAgentCommand(deps, COMMAND_LINE, id, "unsuspend", REASON),
  "block.add": block,
  "block.lift": null,
  "creation.cancel_schedule": (deps, id) => write(deps, id, cancelSchedule, {}),
  "creation.delete": (deps, id) => write(deps, id, deleteDraft, {}),
  "creation.erase": (deps, id) => eraseCreation(deps, COMMAND_LINE, id, REASON),
  "creation.hide": (deps, id) => runCreationCommand(deps, COMMAND_LINE, id, "hide", REASON),
  "creation.publish": unlist,
  "creation.reinstate": null,
  "creation.restore": unlist,
  "creation.retract": retract,
  "creation.unhide": (deps, id) => runCreationCommand(deps, COMMAND_LINE, id, "unhide", REASON),
  "creation.unpublish": (deps, id) => runCreationCommand(deps, COMMAND_LINE, id, "unpublish", REASON),
  "creation.visibility": unlist,
  "domain.hide": hideShownDomain,
  "domain.remove": (deps, id, { facts }) => removeDomain(deps, COMMAND_LINE, id, facts?.domain_id ?? ""),
  "domain.show": hideShownDomain,
  "moderator.grant": null,
  "moderator.revoke": async (deps, id) =>
    runModeratorCommand(deps, COMMAND_LINE, await findEmail(deps, id), "revoke"),
  // Nobody signs in by the address that the owner left; the list has no texts, so it does not have the new one.
  "owner.change_email": async (deps, id) =>
    addBlock(deps, COMMAND_LINE, { email: await findEmail(deps, id) }, LEFT_ADDRESS),
  "owner.erase": (deps, id) => eraseOwner(deps, COMMAND_LINE, id, REASON),
  "owner.hide_alias": (deps, id) => showOwnerAlias(deps, COMMAND_LINE, id, false),
  "owner.leave": (deps, id) => endAccount(deps, COMMAND_LINE, id),
  // The alias of the backup may be one that the owner has changed since.
  "owner.show_alias": null,
  "owner.suspend": (deps, id) => runOwnerCommand(deps, COMMAND_LINE, id, "suspend", REASON),
  "owner.unsuspend": (deps, id) => runOwnerCommand(deps, COMMAND_LINE, id, "unsuspend", REASON),
  "passkey.remove": removePasskey,
  "revision.remove_content": removeLiveToo,
  "schedule.publish": unlist,
};

/** The acts that the list of removals takes up. */
export const LISTED_ACTS: readonly string[] = Object.keys(AGAIN);

/** Of such acts on one row the last one alone is done again, as the one before cannot be done and undone. */
const LAST_COUNTS: readonly (readonly string[])[] = [
  ["block.add", "block.lift"],
  ["creation.publish", "creation.restore", "creation.unpublish", "creation.visibility", "schedule.publish"],
  ["creation.reinstate", "creation.retract"],
  ["domain.hide", "domain.show"],
  ["moderator.grant", "moderator.revoke"],
  ["owner.hide_alias", "owner.show_alias"],
];

/**
 * Does again, in a database that was just restored, what a list says was taken away after its backup, in the order of the
 * list; what is not there or is gone already is passed over. Returns how many were done.
 */
export async function removeAgain(deps: Deps, listed: readonly ListedAct[]): Promise<number> {
  const lastId = await findLastAuditId(deps.pool);
  const later = listed.filter(({ id }) => id > lastId).toSorted((one, other) => one.id - other.id);
  // New entries must not take the numbers of those in the list, or the list would count them as known.
  await skipAuditIds(deps.pool, later.at(-1)?.id ?? lastId);
  let count = 0;
  const last = new Map(later.map((act) => [thingOf(act), act.id]));
  for (const act of later) {
    const again = AGAIN[act.action] ?? null;
    if (again === null || last.get(thingOf(act)) !== act.id) continue;
    try {
      await again(deps, act.subject_id, act);
      count++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return count;
}

/** What an act is about: of the acts of one thing the last one counts. */
function thingOf({ id, action, subject_id }: ListedAct): string {
  const same = LAST_COUNTS.find((acts) => acts.includes(action));
  return same === undefined ? `${id}` : `${same[0]} ${subject_id}`;
}

/** Does again what its agent did to a work, whatever state the agent is in now. */
async function write<Body>(
  deps: Deps,
  id: string,
  kind: WriteKind<Body, CreationSubject>,
  body: Body,
): Promise<void> {
  const known = orNotFound("creation", await findCreationById(deps.pool, id));
  await performFor(deps, COMMAND_LINE, known, kind, body);
}

/** A work that was listed in the backup and was not any more is unlisted; nothing is listed that was not. */
async function unlist(deps: Deps, id: string, { facts }: ListedAct): Promise<void> {
  if (facts?.visibility !== "unlisted") throw notFound("listed work");
  await write(deps, id, changeVisibility, "unlisted");
}

/** The list has no texts, so the reason of the retraction is one of ours. */
async function retract(deps: Deps, id: string, { facts }: ListedAct): Promise<void> {
  const other = await findCreationById(deps.pool, facts?.superseded_by ?? "");
  const reason = "Retracted. The reason was lost when the service was restored from a backup.";
  await write(deps, id, retractCreation, { reason, supersededBy: other?.id ?? null, by: "agent" });
}

async function block(deps: Deps, _id: string, { facts }: ListedAct): Promise<void> {
  const { kind, value, until } = facts ?? {};
  // It was lifted before the list had it.
  if (kind === undefined || value === undefined) throw notFound("block");
  const untilMs = until === undefined ? null : Date.parse(until);
  await putBlock(deps, COMMAND_LINE, { kind, value }, { reason: REASON, untilMs });
}

async function findEmail(deps: Deps, ownerId: string): Promise<string> {
  return (await findOwnerById(deps.pool, ownerId))?.email ?? "";
}

/** Another domain is shown now, one that the backup may not have, or none. */
async function hideShownDomain(deps: Deps, ownerId: string, { action, facts }: ListedAct): Promise<void> {
  const shown = (await listDomains(deps, ownerId)).find((domain) => domain.shown);
  if (action === "domain.show" && shown?.id === facts?.domain_id) throw notFound("other domain");
  await hideDomain(deps, COMMAND_LINE, ownerId, shown?.id ?? "");
}

/** A revision that was replaced after the backup is live again, so its creation is taken off the site first. */
async function removeLiveToo(deps: Deps, revisionId: string, act: ListedAct): Promise<void> {
  const by = act.by ?? "owner";
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
    if (!(await deletePasskey(tx, null, id))) throw notFound("passkey");
    await recordAct(tx, COMMAND_LINE, makeAct("passkey", id, "passkey.remove"), deps.now());
  });
}
