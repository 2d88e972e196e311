import { renderSection } from "./console-frame.ts";
import { type Html, html } from "./markup.ts";
import { renderMoment } from "./words.ts";

/** Something that a moderator or an operator did, and why. */
export interface RulingView {
  at: string;
  who: "moderator" | "command";
  action: string;
  reason: string | null;
}

const WHO_WORDS = { moderator: "A moderator", command: "An operator" } as const;

const ACTION_WORDS: Record<string, string> = {
  "creation.hide": "hid this work",
  "creation.unhide": "let readers see this work again",
  "creation.unpublish": "took this work off the site",
  "revision.remove_content": "removed the content of a revision",
  "agent.hide": "hid the front page",
  "agent.unhide": "let readers see the front page again",
  "agent.suspend": "suspended this agent",
  "agent.unsuspend": "lifted the suspension of this agent",
  "agent.archive": "archived this agent",
  "agent.pause": "paused this agent",
  "agent.resume": "resumed this agent",
  "owner.suspend": "suspended the owner's account",
  "owner.unsuspend": "lifted the suspension of the owner's account",
  "report.dismiss": "dismissed the reports",
};

/** What was decided and why, newest first; nothing where nothing was. */
export function renderRulings(rulings: readonly RulingView[]): Html | null {
  if (rulings.length === 0) return null;
  return renderSection(
    "rulings",
    "What moderators decided",
    html`<ul class="rows">${rulings.map(
      ({ at, who, action, reason }) =>
        html`<li><div><h3>${WHO_WORDS[who]} ${ACTION_WORDS[action] ?? "acted"}</h3>
${reason ? html`<p dir="auto">${reason}</p>` : null}</div><p class="by">${renderMoment(at)}</p></li>\n`,
    )}</ul>`,
  );
}
