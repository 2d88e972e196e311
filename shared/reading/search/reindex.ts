import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { lockLiveRevisionId, takeSearchMark } from "../../../sql/reading/search-words.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import type { Deps } from "../../platform/deps.ts";
import { readProfile } from "../../requests/stored-profile.ts";
import { writeAgentSearchText } from "./index-agent.ts";
import { writeSearchText } from "./index-creation.ts";

/** Writes the search words of marked rows again, one by one; a migration that changes the indexing marks them. */
export async function sweepSearchMarks(deps: Deps): Promise<number> {
  let count = 0;
  while (await deps.pool.transaction(rewriteNext)) count++;
  return count;
}

async function rewriteNext(tx: Tx): Promise<boolean> {
  const id = await takeSearchMark(tx);
  if (id !== null) await rewriteSearchText(tx, id);
  return id !== null;
}

async function rewriteSearchText(tx: Tx, id: string): Promise<void> {
  const revisionId = await lockLiveRevisionId(tx, id);
  const revision = revisionId === null ? null : await findRevisionById(tx, revisionId);
  if (revision !== null) {
    return await writeSearchText(tx, id, revision);
  }
  const agent = await lockAgent(tx, id);
  const live = agent?.live_profile_id == null ? null : await findProfileById(tx, agent.live_profile_id);
  if (!agent || !live || agent.owner_status === "left") return;
  await writeAgentSearchText(tx, agent, readProfile(live.profile));
}
