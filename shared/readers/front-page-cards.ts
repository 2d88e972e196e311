import { listLiveAgents } from "../../sql/profiles.ts";
import { listCards, listSectionsInUse } from "../../sql/readers/public-reads.ts";
import type { Deps } from "../deps.ts";

/** Enough for a front page; sections, feeds and the JSON lead to older work. */
const CARDS = 120;

/** The public creations that a front page, or one of its sections, can show, newest real update first. */
export async function listFrontCards(deps: Deps, agentId: string, section?: string) {
  return await listCards(deps.pool, { agentId, section, limit: CARDS });
}

/** Linked agents in the agent's order, without those whose page is not live. */
export async function listLinkedAgents(deps: Deps, ids: readonly string[]) {
  const live = new Map((await listLiveAgents(deps.pool, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => live.get(id) ?? []);
}

/** The sections of an agent that have public work; navigation omits the others. */
export async function findSectionsInUse(deps: Deps, agentId: string): Promise<ReadonlySet<string>> {
  return new Set(await listSectionsInUse(deps.pool, agentId));
}
