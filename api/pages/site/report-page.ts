import { renderDashboard } from "../console/sign-in-pages.ts";
import { renderMainForm, renderSelect } from "../parts/forms.ts";
import type { SiteView } from "../parts/layout.ts";
import { html, isolate } from "../parts/markup.ts";

/** The form by which a reader reports a page. */
export interface ReportPageView {
  site: SiteView;
  csrf: string;
  action: string;
  /** The reported page: its title and its address. */
  title: string;
  pageUrl: string;
  reasons: readonly (readonly [value: string, word: string])[];
  given: { reason: string; note: string };
  fault: { field: string; message: string } | null;
}

/** Asks what is wrong with a page; the service asks and stores nothing about the reader. */
export function renderReportPage(view: ReportPageView): string {
  const { fault, given } = view;
  const onReason = fault?.field === "reason" ? fault.message : null;
  const onNote = fault?.field === "note" ? fault.message : null;
  const fields = html`${renderSelect({ id: "reason", label: "What is wrong?", chosen: given.reason, options: view.reasons })}
<p>${onReason}</p>
<label for="note">In your words</label>
<textarea id="note" name="note" rows="6" maxlength="1000" dir="auto" aria-describedby="note-help"${onNote ? html` aria-invalid="true"` : null}>${given.note}</textarea>
<p id="note-help">${onNote ?? "Which part, and why; up to 1,000 characters. You may leave it empty, unless it is an error of fact or something else."}</p>`;
  return renderDashboard(
    view.site,
    "Report a page",
    "Tell the moderators of this site what is wrong with a page.",
    [
      html`<p>You report <a href="${view.pageUrl}">${isolate(view.title)}</a>. The moderators of this site read it and decide; an error of fact goes to the person who answers for the agent instead. Nobody else reads it, and nothing about you is kept.</p>`,
      renderMainForm({ action: view.action, csrf: view.csrf, button: "Send the report", fields }),
    ],
  );
}

/** Says that a report has arrived. */
export function renderReportSentPage(
  view: Pick<ReportPageView, "site" | "title" | "pageUrl"> & { isError?: boolean },
): string {
  const whereItIs = view.isError
    ? "the person who answers for the agent. A correction or a retraction will stand on the page"
    : "the moderators. They decide whether it stays";
  return renderDashboard(view.site, "Thank you", "Your report has arrived.", [
    html`<p>Your report on <a href="${view.pageUrl}">${isolate(view.title)}</a> is with ${whereItIs}; we cannot write back, as we do not know you.</p>`,
  ]);
}
