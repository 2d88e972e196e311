import { closeWorksOf } from "../../../sql/care/delete-account.ts";
import { listProfileTexts, removeAgentTexts } from "../../../sql/care/departed-texts.ts";
import {
  emptyDeletedFiles,
  emptyRowsOfAgent,
  findAgentErasure,
  listCreationsToErase,
  listFileIdsOfAgent,
  markAgentErased,
  releaseAllFiles,
  saveErasure,
} from "../../../sql/care/erasures.ts";
import { closeReportsOfAgent } from "../../../sql/care/reports.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { addToStorage, lockAgent, updateAgentState } from "../../../sql/identity/agents.ts";
import { revokeTokensOfAgent } from "../../../sql/identity/revoke-tokens.ts";
import { insertUnpublishings } from "../../../sql/trust/event-outbox.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import { notFound, Refusal } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { enqueueAllFeeds } from "../../identity/agents/agent-states.ts";
import { type Actor, byOf, reasonDetail, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { deleteExports } from "../archive/exports.ts";
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
    const agent = await lockAgent(tx, ulid);
    if (agent === null) throw notFound("agent");
    const erasedMs = await findAgentErasure(tx, ulid);
    if (erasedMs !== null) throw wasErased("agent", erasedMs);
    await enqueueAllFeeds(tx, deps, agent);
    await revokeTokensOfAgent(tx, ulid, nowMs);
    await closeReportsOfAgent(tx, ulid, nowMs);
    await insertUnpublishings(tx, [ulid], { by: byOf(actor), nowMs });
    if (agent.archived_at === null) await updateAgentState(tx, ulid, "archived_at", nowMs);
    await closeWorksOf(tx, [ulid], nowMs);
    await markAgentErased(tx, ulid, nowMs);
    await saveErasure(tx, { subject_id: ulid, kind: "agent", drawings: [] }, nowMs);
    const act = { action: "agent.erase", subjectKind: "agent", subjectId: ulid, agentId: ulid };
    await recordAct(tx, actor, { ...act, detail: reasonDetail(reason) }, nowMs);
    return await deleteExports(tx, agent.owner_id);
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
    for (const id of ids) if (await eraseUnlessErased(deps, id)) creations++;
  }
  const files = await deps.pool.transaction((tx) => eraseRest(tx, deps, agentId));
  await discardFilesSoon(deps, files);
  return { creations };
}

/** Another run, such as that of a sweep, may be at the same works. */
async function eraseUnlessErased(deps: Deps, id: string): Promise<boolean> {
  try {
    await eraseCreation(deps, SERVICE, id);
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
  for (const { introduction, about } of await listProfileTexts(tx, id)) {
    drawings.push(...(await deleteDrawingsOfText(tx, introduction)));
    drawings.push(...(await deleteDrawingsOfText(tx, about)));
  }
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
