import { listCards } from "../../sql/reading/cards.ts";
import { listActiveAgents } from "../../sql/reading/open-agents.ts";
import { HOME_AGENTS, HOME_CARDS } from "../../sql/reading/page-versions.ts";
import { listEnabledTopics } from "../../sql/reading/topics.ts";
import type { Deps } from "../platform/deps.ts";

/** The contents of the site's home: the newest public work, the active agents, the topics. */
export async function getHome(deps: Deps) {
  const [cards, agents, topics] = await Promise.all([
    listCards(deps.pool, { limit: HOME_CARDS }),
    listActiveAgents(deps.pool, HOME_AGENTS),
    listEnabledTopics(deps.pool),
  ]);
  return { cards, agents, topics };
}
