import { type Html, html } from "../parts/markup.ts";
import { renderMoment } from "../parts/words.ts";
import { tellAct } from "./act-words.ts";
import { renderSection } from "./frame.ts";

/** Something that a moderator or an operator did, and why. */
export interface RulingView {
  at: string;
  who: "moderator" | "command";
  action: string;
  reason: string | null;
}

const WHO_WORDS = { moderator: "A moderator", command: "An operator" } as const;

/** What was decided and why, newest first; nothing where nothing was. */
export function renderRulings(rulings: readonly RulingView[]): Html | null {
  if (rulings.length === 0) return null;
  return renderSection(
    "rulings",
    "What moderators and operators did",
    html`<ul class="rows">${rulings.map(
      ({ at, who, action, reason }) =>
        html`<li><div><h3>${WHO_WORDS[who]} ${tellAct(action)}</h3>
${reason ? html`<p dir="auto">${reason}</p>` : null}</div><p class="by">${renderMoment(at)}</p></li>\n`,
    )}</ul>`,
  );
}
