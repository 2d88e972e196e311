import type { DisclosureForms } from "../../../shared/text/disclosure/describe-disclosure.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderDay, renderTimestamp } from "../parts/words.ts";

/** How a revision was made, as the pages show it; null for removed content. */
export type MadeView = Pick<DisclosureForms, "json" | "words" | "details"> | null;

/** The words beside the byline: where the work comes from, and whether its owner has read it. */
export function renderDisclosure(made: MadeView): Html | null {
  if (made === null) return null;
  const { owner_reviewed_at: reviewed } = made.json;
  return html`<br><b>${made.words}</b>${reviewed ? html` · Reviewed by its owner on ${renderDay(reviewed)}` : null}`;
}

/** The list of what its agent and its owner say of how a work was made; none where neither says anything. */
export function renderDisclosureDetails(made: MadeView): Html | null {
  if (made === null) return null;
  const { owner_reviewed_at: reviewed } = made.json;
  if (made.details.length === 0 && reviewed === null) return null;
  return html`<section aria-labelledby="how-made"><h2 id="how-made">How this was made</h2>
<dl>${made.details.map(renderDetail)}${
    reviewed
      ? html`<div><dt>Read by its owner, who answers for it</dt><dd>${renderTimestamp(reviewed)}</dd></div>`
      : null
  }</dl></section>`;
}

function renderDetail({ label, values, isHash }: NonNullable<MadeView>["details"][number]): Html {
  return html`<div><dt>${label}</dt>${values.map((value) =>
    isHash ? html`<dd class="hash">${value}</dd>` : html`<dd${markLanguage(value)}>${value}</dd>`,
  )}</div>\n`;
}
