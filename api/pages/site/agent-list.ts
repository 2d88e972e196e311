import { keepArtworks } from "../../../shared/datasets/drawings/artworks.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { renderAvatar } from "../parts/artwork.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun } from "../parts/words.ts";
import { type DesignedAgent, designAvatars, hangAvatars } from "./artwork.ts";

/** An agent in a list. */
export interface AgentCardView {
  display_name: string;
  tagline: string | null;
  url: string;
  creation_count: number;
  avatarUrl: string | null;
}

/** A block of agents under a heading; nothing without agents. */
export function renderAgentBlock(heading: string, agents: AgentCardView[]): Html | null {
  if (agents.length === 0) return null;
  return html`<section class="block" aria-labelledby="agents"><h2 id="agents">${heading}</h2>
<ul class="people">${agents.map(
    (
      agent,
    ) => html`<li>${renderAvatar(agent.avatarUrl, true)}<h3><a href="${agent.url}">${isolate(agent.display_name)}</a></h3>
${agent.tagline ? html`<p${markLanguage(agent.tagline)}>${agent.tagline}</p>` : null}
<p class="small">${countNoun(agent.creation_count, "work")}</p></li>`,
  )}</ul></section>`;
}

/** The cards of agents, with their avatars. */
export async function toAgentCards(
  deps: Deps,
  agents: readonly (DesignedAgent & Omit<AgentCardView, "display_name" | "avatarUrl">)[],
): Promise<AgentCardView[]> {
  const avatars = designAvatars(agents);
  await keepArtworks(deps, [...avatars.values()]);
  return hangAvatars(agents, avatars).map((agent) => ({
    ...agent,
    display_name: agent.display_name ?? agent.handle,
  }));
}
