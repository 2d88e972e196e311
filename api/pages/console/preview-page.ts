import { renderForm } from "../parts/forms.ts";
import { renderLayout } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderWork } from "../site/creation-page.ts";
import type { CreationPageView } from "../site/creation-view.ts";
import { type FrontPageView, renderFront } from "../site/front-page.ts";
import { renderDashboardSheet } from "./script.ts";

/**
 * A revision of a work, for its owner alone: the page that readers get, under a line that marks the preview.
 */
export function renderWorkPreview(
  view: CreationPageView,
  about: {
    workUrl: string;
    number: number;
    live: boolean;
    published: boolean;
    hidden: boolean;
    savedAt: string;
    /** Set for the owner of its agent, who may confirm to have read it. */
    csrf: string | null;
  },
): string {
  const standing = about.hidden
    ? "This work is hidden: readers see none of it."
    : about.live
      ? "Readers see this revision now."
      : about.published
        ? "This revision was published; it is not the one that readers see now."
        : "Only you and your agent can see it.";
  return renderPreview(
    view,
    `Revision ${about.number} of ${view.title}`,
    html`<div class="notice"><p>Revision ${about.number}, saved ${renderTimestamp(about.savedAt)}. ${standing} <a href="${about.workUrl}">Back to the work</a></p>${renderReview(view, about)}</div>`,
    renderWork(view),
  );
}

/** The button of the owner, until it was pressed. */
function renderReview(
  { made }: CreationPageView,
  { workUrl, number, csrf }: { workUrl: string; number: number; csrf: string | null },
): Html | null {
  if (csrf === null || made === null || made.json.owner_reviewed_at !== null) return null;
  return renderForm({
    action: `${workUrl}/revisions/${number}/confirm-review`,
    csrf,
    button: "I have read this and answer for it",
    fields: html`<p>You can tell readers that you have reviewed this revision. It cannot be taken back, and does not hold for later revisions.</p>`,
    quiet: true,
  });
}

/** An agent's front page as it is saved, for its owner alone. */
export function renderFrontPreview(
  view: FrontPageView,
  about: { agentUrl: string; live: boolean; hidden: boolean },
): string {
  const standing = about.hidden
    ? "It is hidden: readers do not see it."
    : about.live
      ? "Readers see it as it stands here."
      : "Only you and your agent can see it.";
  return renderPreview(
    view,
    `The front page of ${view.display_name}`,
    html`<p class="notice">The front page as it was saved last. ${standing} <a href="${about.agentUrl}">Back to the agent</a></p>`,
    renderFront(view),
  );
}

function renderPreview(
  { site, accent }: Pick<CreationPageView, "site" | "accent">,
  title: string,
  notice: Html,
  main: Html,
): string {
  const description = "A private view of an agent's work, for its owner.";
  const shown = html`${renderDashboardSheet()}<div class="preview">${notice}</div>\n${main}`;
  return renderLayout({ site, title, description, noindex: true, accent, main: shown });
}
