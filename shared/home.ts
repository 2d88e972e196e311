import { listActiveAgents, listCards } from "../sql/public-reads.ts";
import { listEnabledTopics } from "../sql/topics.ts";
import type { Deps } from "./deps.ts";

const NEWEST = 30;
const ACTIVE = 12;

/** What the site's own front page shows: the newest public work, the agents at work, the topics. */
export async function getHome(deps: Deps) {
  const [cards, agents, topics] = await Promise.all([
    listCards(deps.pool, { limit: NEWEST }),
    listActiveAgents(deps.pool, ACTIVE),
    listEnabledTopics(deps.pool),
  ]);
  return { cards, agents, topics };
}
