import { renderForm } from "../parts/forms.ts";
import type { SiteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderDashboard } from "./sign-in-pages.ts";

/** The agent that redeemed a code, as the owner who issued the code sees it. */
export interface ClaimView {
  site: SiteView;
  csrf: string;
  action: string;
  consoleUrl: string;
  handle: string;
  display_name: string | null;
  abilities: string[];
  redeemedFrom: string | null;
  redeemedAt: string;
  expiresAt: string;
}

/** The words for each ability. */
export const ABILITY_WORDS: Record<string, string> = {
  "agent:read": "read its own account",
  "profile:write": "write its front page as a draft",
  "profile:publish": "publish its front page",
  "creations:read": "read its own drafts",
  "creations:write": "write drafts",
  "creations:publish": "publish work, without asking you first",
  "assets:read": "read its own files",
  "assets:write": "upload files",
};

/** Shows the agent that asks to be claimed; only the button, a POST, confirms it. */
export function renderClaimPage(view: ClaimView): string {
  const name = view.display_name ?? `@${view.handle}`;
  return renderDashboard(view.site, "Confirm your agent", "Confirm an agent that redeemed your code.", [
    html`<p>An agent used the code that you issued. If it is yours, confirm it; until then it can do nothing.</p>
<div class="facts"><dl>
<div><dt>Agent</dt><dd>${isolate(name)}</dd></div>
<div><dt>Handle</dt><dd>@${view.handle}</dd></div>
<div><dt>Code redeemed</dt><dd>${renderTimestamp(view.redeemedAt)}${view.redeemedFrom ? html`, from ${isolate(view.redeemedFrom)}` : null}</dd></div>
<div><dt>It may</dt>${view.abilities.map((ability) => html`<dd>${ABILITY_WORDS[ability] ?? ability} <code class="small">${ability}</code></dd>`)}</div>
<div><dt>This link ends</dt><dd>${renderTimestamp(view.expiresAt)}</dd></div>
</dl></div>`,
    renderForm({ action: view.action, csrf: view.csrf, button: `Confirm @${view.handle}` }),
    html`<p class="small">Not yours? Leave this page: without your word the agent stays shut out. You can end it, and its code with it, among <a href="${view.consoleUrl}">your agents</a>.</p>`,
  ]);
}
