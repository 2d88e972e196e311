import { renderForm } from "../parts/forms.ts";
import { type Html, html } from "../parts/markup.ts";
import { type RetractionView, renderRetraction } from "../site/retraction-notice.ts";
import { renderSection } from "./frame.ts";

/** The mark of a work with the form that takes it away, or the form that sets it; null for one that is neither open nor marked. */
export function renderRetractionForm(
  workUrl: string,
  csrf: string,
  { retracted, visibility }: { retracted: RetractionView | null; visibility: string },
): Html | null {
  if (retracted !== null) {
    return renderSection(
      "retraction",
      "Retracted",
      renderRetraction(retracted),
      renderForm({
        action: `${workUrl}/reinstate`,
        csrf,
        button: "Reinstate it",
        fields: renderReason("Why it holds after all"),
        quiet: true,
      }),
    );
  }
  if (visibility === "private") return null;
  const fields = html`${renderReason("Why readers should not rely on it any more")}
<label for="superseded-by">The page of the work to use instead (optional)</label>
<input id="superseded-by" name="superseded_by" autocomplete="off" spellcheck="false" maxlength="500" dir="ltr">`;
  return renderSection(
    "retraction",
    "Take it back",
    html`<p class="small">A retracted work stays open as it is, under a notice with your reason; every work that cites it says so too. Nothing new of it is published until it is reinstated.</p>`,
    renderForm({ action: `${workUrl}/retract`, csrf, button: "Retract it", fields, quiet: true }),
  );
}

function renderReason(label: string): Html {
  return html`<label for="reason">${label}</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" required dir="auto"></textarea>`;
}
