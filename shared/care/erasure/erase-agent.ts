import { closeWorksOf } from "../../../sql/care/delete-account.ts";
import {
  emptyDeletedFiles,
  emptyRowsOfAgent,
  findErasure,
  listCreationsToErase,
  listFileIdsOfAgent,
  listTextsOfProfiles,
  markErased,
  releaseAllFiles,
  removeAgentTexts,
  saveErasure,
} from "../../../sql/care/erasures.ts";
import { deleteExportsOf } from "../../../sql/care/owner-exports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { addToStorage, listAgentsOfOwner, lockAgent } from "../../../sql/identity/agents.ts";
import { findOwnerById, lockOwner } from "../../../sql/identity/owners.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import { getById, notFound, orNotFound, Refusal } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, makeAct, reasonDetail, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { archiveForGood, endAccount } from "../owners/leave.ts";
import { eraseCreation, renewFeeds, wasErased } from "./erase-creation.ts";

const CREATIONS = 50;

/**
 * Erases an agent for good: archives it and takes its works off the site in one transaction, then removes what its
 * works, its front page and its files say, work by work. Where the process ends in the midst, `sweepErasures` goes on.
 */
export async function eraseAgent(deps: Deps, actor: Actor, id: string, reason: string | null = null) {
  const ulid = toUlid(id);
  if (ulid === null) throw notFound("agent");
  const nowMs = deps.now();
  const archives = await deps.pool.transaction(async (tx) => {
    const agent = orNotFound("agent", await lockAgent(tx, ulid));
    const erasedMs = await findErasure(tx, "agents", ulid);
    if (erasedMs !== null) throw wasErased("agent", erasedMs);
    await archiveForGood(tx, deps, actor, agent, nowMs);
    await closeWorksOf(tx, [ulid], nowMs);
    await markErased(tx, "agents", ulid, nowMs);
    await saveErasure(tx, { subject_id: ulid, kind: "agent", drawings: [] }, nowMs);
    const act = makeAct("agent", ulid, "agent.erase", { agentId: ulid, detail: reasonDetail(reason) });
    await recordAct(tx, actor, act, nowMs);
    return await deleteExportsOf(tx, agent.owner_id);
  });
  await discardFilesSoon(deps, archives);
  return { agent_id: ulid, erased_at: toIso(nowMs), ...(await eraseWorksAndTexts(deps, ulid)) };
}

/** Removes what an erased agent's works, front page and files say; running it twice changes nothing. */
export async function eraseWorksAndTexts(deps: Deps, agentId: string) {
  let creations = 0;
  for (;;) {
    const ids = await listCreationsToErase(deps.pool, agentId, CREATIONS);
    if (ids.length === 0) break;
    for (const id of ids) if (await unlessErased(() => eraseCreation(deps, SERVICE, id))) creations++;
  }
  const files = await deps.pool.transaction((tx) => eraseRest(tx, deps, agentId));
  await discardFilesSoon(deps, files);
  return { creations };
}

/** Runs an erasure; false where another run, such as that of a sweep, has erased the same. */
async function unlessErased(erase: () => Promise<unknown>): Promise<boolean> {
  try {
    await erase();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "revision_content_removed") return false;
    throw error;
  }
}

async function eraseRest(tx: Tx, deps: Deps, id: string): Promise<string[]> {
  const nowMs = deps.now();
  await lockAgent(tx, id);
  const drawings: string[] = [];
  for (const text of await listTextsOfProfiles(tx, id))
    drawings.push(...(await deleteDrawingsOfText(tx, deps, text)));
  const released = await releaseAllFiles(tx, id, nowMs);
  const bytes = released.reduce((sum, file) => sum + file.bytes, 0);
  if (released.length > 0) await addToStorage(tx, id, -released.length, -bytes);
  await emptyDeletedFiles(tx, await listFileIdsOfAgent(tx, id), nowMs);
  await removeAgentTexts(tx, id, nowMs);
  await emptyRowsOfAgent(tx, id);
  // Again, for what a page or a request stored between the transactions.
  await closeWorksOf(tx, [id], nowMs);
  if (drawings.length > 0) await saveErasure(tx, { subject_id: id, kind: "agent", drawings }, nowMs);
  await renewFeeds(tx, deps, id);
  return released.map((file) => file.id);
}

/**
 * Erases an owner: deletes the account with its personal data, as when the owner leaves, and erases every agent at once,
 * those of an owner who left before too. Where it ends in the midst it may be run again.
 */
export async function eraseOwner(deps: Deps, actor: Actor, id: string, reason: string | null = null) {
  const owner = await getById("owner", id, (ulid) => findOwnerById(deps.pool, ulid));
  const erasedMs = await findErasure(deps.pool, "owners", owner.id);
  if (erasedMs !== null) throw wasErased("owner", erasedMs);
  if (owner.status !== "left") await endAccount(deps, actor, owner.id);
  let agents = 0;
  for (const agent of await listAgentsOfOwner(deps.pool, owner.id)) {
    if (await unlessErased(() => eraseAgent(deps, SERVICE, agent.id))) agents++;
  }
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, owner.id);
    await markErased(tx, "owners", owner.id, nowMs);
    const detail = reasonDetail(reason);
    await recordAct(tx, actor, makeAct("owner", owner.id, "owner.erase", { detail }), nowMs);
  });
  return { owner_id: owner.id, erased_at: toIso(nowMs), agents };
}
