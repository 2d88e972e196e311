import { describeAct } from "../../../shared/identity/audit/act-words.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderList, renderSection } from "./frame.ts";

/** An act of a moderator or an operator, and its reason. */
export interface DecisionView {
  at: string;
  who: "moderator" | "command";
  action: string;
  reason: string | null;
}

const WHO_WORDS = { moderator: "A moderator", command: "An operator" } as const;

/** The decisions and their reasons, newest first. */
export function renderDecisions(decisions: readonly DecisionView[]): Html {
  return renderSection(
    "decisions",
    "What moderators and operators did",
    renderList(
      decisions.map(
        ({ at, who, action, reason }) =>
          html`<li><div><h3>${WHO_WORDS[who]} ${describeAct(action)}</h3>
${reason ? html`<p${markLanguage(reason)}>${reason}</p>` : null}</div><p class="by">${renderTimestamp(at)}</p></li>\n`,
      ),
      "No moderator and no operator has done anything here.",
    ),
  );
}
