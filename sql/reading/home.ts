import { z } from "zod";
import { type Db, jsonRows, sql } from "../connection/pool.ts";
import { CardRow, cardsOf } from "./cards.ts";
import { ActiveAgentRow, activeAgents } from "./open-agents.ts";
import { HOME_AGENTS, HOME_CARDS } from "./page-versions.ts";
import { enabledTopics, TopicRow } from "./topics.ts";

const HomeRow = z.strictObject({
  cards: z.array(CardRow),
  agents: z.array(ActiveAgentRow),
  topics: z.array(TopicRow),
});
export type HomeRow = z.infer<typeof HomeRow>;

/** The contents of the site's home: the newest public work, the active agents, the topics. */
export async function readHome(db: Db): Promise<HomeRow> {
  return await db.one(sql.type(HomeRow)`
    SELECT ${jsonRows(cardsOf({ limit: HOME_CARDS }))} AS cards,
      ${jsonRows(activeAgents(HOME_AGENTS))} AS agents,
      ${jsonRows(enabledTopics)} AS topics`);
}
