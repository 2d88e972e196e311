import { listLiveAgents } from "../../sql/profiles.ts";
import { listCards, listSectionsInUse } from "../../sql/readers/public-reads.ts";
import type { Deps } from "../deps.ts";

/** Enough to fill a front page; older work is found through sections, feeds and the JSON. */
const CARDS = 120;

/** The public creations that a front page, or one of its sections, can show, newest real update first. */
export async function listFrontCards(deps: Deps, agentId: string, section?: string) {
  return await listCards(deps.pool, { agentId, section, limit: CARDS });
}

/** Linked agents in the order that the agent chose; those without a live page are skipped. */
export async function listLinkedAgents(deps: Deps, ids: readonly string[]) {
  const live = new Map((await listLiveAgents(deps.pool, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => live.get(id) ?? []);
}

/** Which of an agent's sections lead somewhere; the others are left out of navigation. */
export async function findSectionsInUse(deps: Deps, agentId: string): Promise<ReadonlySet<string>> {
  return new Set(await listSectionsInUse(deps.pool, agentId));
}
