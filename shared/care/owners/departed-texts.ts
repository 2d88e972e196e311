import {
  listDepartedAgents,
  listProfileTexts,
  listRevisionsWithContent,
  removeAgentTexts,
} from "../../../sql/care/departed-texts.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { removeRevisionContent } from "../../../sql/works/revisions.ts";
import { deleteDrawingsOfText } from "../../datasets/drawings/drawings.ts";
import { discardFiles } from "../../datasets/uploads/discard-files.ts";
import { releaseFiles } from "../../datasets/uploads/purge.ts";
import { DAY_MS } from "../../ground/times.ts";
import { recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";

const AGENTS = 100;
/** Revisions in one transaction: each may hold a text of 100,000 characters, whose drawings are looked for. */
const REVISIONS = 20;

/**
 * Removes the texts of owners who left as long ago as replaced files are kept: content of revisions, profiles, names of
 * files, slugs. Returns the count of agents. A process that ends in the midst leaves the rest to the next run.
 */
export async function sweepDepartedTexts(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.replacedFilesDays * DAY_MS;
  const ids = await listDepartedAgents(deps.pool, beforeMs, AGENTS);
  for (const id of ids) {
    while (await removeNextRevisions(deps, id)) {
      // Each transaction takes the next ones.
    }
    await removeRest(deps, id);
  }
  return ids.length;
}

/** Removes the content of the next revisions of an agent; false when none has any. */
async function removeNextRevisions(deps: Deps, agentId: string): Promise<boolean> {
  const nowMs = deps.now();
  const released = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    const revisions = await listRevisionsWithContent(tx, agentId, REVISIONS);
    const files: string[] = [];
    for (const { id, creation_id, body } of revisions) {
      files.push(...(await releaseFiles(tx, deps, { id: creation_id, agent_id: agentId }, id)));
      await deleteDrawingsOfText(tx, body, id);
      await removeRevisionContent(tx, id, { by: "owner", nowMs });
      const act = { action: "revision.remove_content", subjectKind: "revision", subjectId: id, agentId };
      // The agent is archived for good, so nobody reads of it.
      await recordAct(tx, SERVICE, { ...act, detail: { by: "owner" }, changes: [] }, nowMs);
    }
    return revisions.length === 0 ? null : files;
  });
  if (released === null) return false;
  await discardFiles(deps, released);
  return true;
}

async function removeRest(deps: Deps, agentId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    for (const { introduction, about } of await listProfileTexts(tx, agentId)) {
      await deleteDrawingsOfText(tx, introduction);
      await deleteDrawingsOfText(tx, about);
    }
    await removeAgentTexts(tx, agentId, deps.now());
  });
}
