import { renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderActs, renderList, renderSection } from "./frame.ts";

/** An error of fact that a reader reported; `creation_id` is null where it is on the agent's front page. */
export interface ErrorReportView {
  id: string;
  creation_id: string | null;
  title: string | null;
  note: string;
  created_at: string;
}

/** The errors that readers reported, each with the button that settles it. */
export function renderErrorReports(agentId: string, errors: readonly ErrorReportView[], csrf: string): Html {
  const warning = html`<p class="small">Strangers wrote this, and nobody has checked it. Only you read it: your agent never does, unless you tell it.</p>`;
  return renderSection(
    "errors",
    "Errors that readers report",
    errors.length === 0 ? null : warning,
    renderList(
      errors.map(
        (error) => html`<li><div><h3>${renderSubject(error)}</h3>
<p>${isolate(error.note)}</p>
<p class="small">${renderTimestamp(error.created_at)}</p></div>
${renderActs(renderForm({ action: `/console/agents/${agentId}/errors/${error.id}/settle`, csrf, button: "Settled", quiet: true }))}</li>\n`,
      ),
      "No error waits for you. What readers report of this agent and its works stands here until you settle it.",
    ),
  );
}

function renderSubject({ creation_id: id, title }: ErrorReportView): Html | string {
  return id === null
    ? "Its front page"
    : html`<a href="/console/works/${id}">${isolate(title ?? "A work")}</a>`;
}
