import { type AgentRow, listAgentsOfOwner, lockAgent, updateAgentState } from "../sql/agents.ts";
import {
  type CreationRow,
  findCreationById,
  lockCreation,
  raiseCreationVersion,
  setCreationHidden,
} from "../sql/creations.ts";
import {
  findOwnerByEmail,
  updateOwnerModerator,
  updateOwnerShowAlias,
  updateOwnerStatus,
} from "../sql/owners.ts";
import type { Tx } from "../sql/pool.ts";
import { findProfileById } from "../sql/profiles.ts";
import { findRevisionById, removeRevisionContent } from "../sql/revisions.ts";
import { statusOf } from "./agents.ts";
import { type Act, type Actor, recordAct } from "./audit.ts";
import type { Deps } from "./deps.ts";
import { notFound, refuse, validationFailed } from "./errors.ts";
import { feedKeysOf, ringFeeds } from "./feed-keys.ts";
import { deleteReleased, releaseFiles } from "./file-purge.ts";
import { toUlid } from "./ids.ts";
import { readProfile } from "./profiles.ts";
import { toIso } from "./times.ts";
import { ringFeedsOf, takeOffSite } from "./visibility.ts";

/** What an owner, a moderator or an operator can do to an agent. */
export type AgentOrder = "pause" | "resume" | "suspend" | "unsuspend" | "archive" | "hide" | "unhide";

const ORDERS = {
  pause: { state: "paused_at", on: true },
  resume: { state: "paused_at", on: false },
  suspend: { state: "suspended_at", on: true },
  unsuspend: { state: "suspended_at", on: false },
  archive: { state: "archived_at", on: true },
  hide: { state: "homepage_hidden_at", on: true },
  unhide: { state: "homepage_hidden_at", on: false },
} as const;

/** Carries out an order on an agent; from its answer on no write of a paused or suspended agent commits. */
export async function orderAgent(deps: Deps, actor: Actor, id: string, order: AgentOrder) {
  const ulid = toUlid(id);
  return await deps.pool.transaction(async (tx) => {
    const agent = ulid === null ? null : await lockAgent(tx, ulid);
    if (agent === null) throw notFound("agent");
    if (order === "pause" || order === "resume") checkActive(agent);
    const { state, on } = ORDERS[order];
    // The moment of the first order stays when it is given again.
    const moment = on ? (agent[state] ?? deps.now()) : null;
    await updateAgentState(tx, agent.id, state, moment);
    const act = { action: `agent.${order}`, subjectKind: "agent", subjectId: agent.id, agentId: agent.id };
    await recordAct(tx, actor, act, deps.now());
    if (state !== "paused_at") await ringAllFeeds(tx, deps, agent);
    return { agent_id: agent.id, status: statusOf({ ...agent, [state]: moment }) };
  });
}

function checkActive(agent: AgentRow): void {
  const status = statusOf(agent);
  if (status === "active" || status === "paused") return;
  throw refuse(
    "agent_not_active",
    `Only a claimed agent in good standing can be paused or resumed; it is ${status}.`,
  );
}

async function ringAllFeeds(tx: Tx, deps: Deps, agent: AgentRow): Promise<void> {
  const live = agent.live_profile_id === null ? null : await findProfileById(tx, agent.live_profile_id);
  if (live === null) return;
  const slugs = readProfile(live.profile).sections.map((section) => section.slug);
  await ringFeeds(tx, deps, feedKeysOf(agent.id, slugs));
}

/** Suspends an owner's account or lifts that; its agents' pages close and open with it. */
export async function orderOwner(deps: Deps, actor: Actor, id: string, order: "suspend" | "unsuspend") {
  const ulid = toUlid(id);
  return await deps.pool.transaction(async (tx) => {
    const status = order === "suspend" ? "suspended" : "active";
    const owner = ulid === null ? null : await updateOwnerStatus(tx, ulid, status);
    if (owner === null) throw notFound("owner");
    await recordAct(tx, actor, actOnOwner(owner.id, `owner.${order}`), deps.now());
    for (const agent of await listAgentsOfOwner(tx, owner.id)) await ringAllFeeds(tx, deps, agent);
    return { owner_id: owner.id, status: owner.status };
  });
}

/** Shows an owner's alias on public pages or hides it. */
export async function showAlias(deps: Deps, actor: Actor, id: string, show: boolean) {
  const ulid = toUlid(id);
  return await deps.pool.transaction(async (tx) => {
    const owner = ulid === null ? null : await updateOwnerShowAlias(tx, ulid, show);
    if (owner === null) throw notFound("owner");
    if (show && owner.alias === null) throw validationFailed({ alias: ["This owner has no alias to show."] });
    await recordAct(
      tx,
      actor,
      actOnOwner(owner.id, show ? "owner.show_alias" : "owner.hide_alias"),
      deps.now(),
    );
    return { owner_id: owner.id, alias: owner.alias, shown: owner.show_alias };
  });
}

/** Makes an owner a moderator or takes that back. */
export async function orderModerator(deps: Deps, actor: Actor, email: string, order: "grant" | "revoke") {
  return await deps.pool.transaction(async (tx) => {
    const owner = await findOwnerByEmail(tx, email.trim().toLowerCase());
    if (owner === null) throw notFound("owner with this e-mail address");
    await updateOwnerModerator(tx, owner.id, order === "grant");
    await recordAct(tx, actor, actOnOwner(owner.id, `moderator.${order}`), deps.now());
    return { owner_id: owner.id, moderator: order === "grant" };
  });
}

function actOnOwner(id: string, action: string): Act {
  return { action, subjectKind: "owner", subjectId: id, agentId: null };
}

/** Takes a creation off the site, hides it, or lifts the hiding, at once for every reader. */
export async function orderCreation(
  deps: Deps,
  actor: Actor,
  id: string,
  order: "unpublish" | "hide" | "unhide",
) {
  const known = await getCreation(deps, id);
  return await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    const after = await (order === "unpublish"
      ? takeOffSite(tx, deps, creation)
      : setHidden(tx, deps, creation, order === "hide"));
    const act = { action: `creation.${order}`, subjectKind: "creation", subjectId: creation.id };
    await recordAct(tx, actor, { ...act, agentId: creation.agent_id }, deps.now());
    return { creation_id: after.id, visibility: after.visibility, hidden: after.hidden_at !== null };
  });
}

async function setHidden(tx: Tx, deps: Deps, creation: CreationRow, hidden: boolean): Promise<CreationRow> {
  if ((creation.hidden_at !== null) === hidden) return creation;
  const after = (await setCreationHidden(tx, creation.id, hidden ? deps.now() : null)) ?? creation;
  await ringFeedsOf(tx, deps, creation);
  return after;
}

/** Removes the content of an earlier published revision for good: its entry stays and tells who and when. */
export async function removeContent(deps: Deps, actor: Actor, revisionId: string, by: "owner" | "moderator") {
  const ulid = toUlid(revisionId);
  const found = ulid === null ? null : await findRevisionById(deps.pool, ulid);
  if (found === null) throw notFound("revision");
  const known = await getCreation(deps, found.creation_id);
  const nowMs = deps.now();
  const released = await deps.pool.transaction(async (tx) => {
    const creation = await holdCreation(tx, known);
    const revision = await findRevisionById(tx, found.id);
    if (revision === null) throw notFound("revision");
    if (revision.content_removed_at !== null)
      throw refuse("revision_content_removed", "The content was removed before.");
    if (revision.state !== "published")
      throw refuse("not_published", "Only published content can be removed.");
    if (creation.live_revision_id === revision.id) {
      throw refuse(
        "invalid_revision_state",
        "This revision is live.",
        "Unpublish the creation first, or publish another one.",
      );
    }
    const files = await releaseFiles(tx, deps, creation.agent_id, revision.id);
    await removeRevisionContent(tx, revision.id, { by, nowMs });
    await raiseCreationVersion(tx, creation.id);
    const act = { action: "revision.remove_content", subjectKind: "revision", subjectId: revision.id };
    await recordAct(tx, actor, { ...act, agentId: creation.agent_id, detail: { by } }, nowMs);
    return files;
  });
  await deleteReleased(deps, released);
  return { revision_id: found.id, content_removed_at: toIso(nowMs), content_removed_by: by };
}

async function getCreation(deps: Deps, id: string): Promise<CreationRow> {
  const ulid = toUlid(id);
  const creation = ulid === null ? null : await findCreationById(deps.pool, ulid);
  if (creation === null) throw notFound("creation");
  return creation;
}

/** Agent first, then creation: the one order in which rows are held. */
async function holdCreation(tx: Tx, known: CreationRow): Promise<CreationRow> {
  await lockAgent(tx, known.agent_id);
  const creation = await lockCreation(tx, known.id);
  if (creation === null) throw notFound("creation");
  return creation;
}
