import type { presentModeratedAgent } from "../../../shared/care/moderation/queue.ts";
import { describeAct } from "../../../shared/identity/audit/act-words.ts";
import type { presentDecisions } from "../../../shared/identity/audit/decisions.ts";
import { renderForm, renderSelect, renderSureForm } from "../parts/forms.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { renderList, renderSection } from "./frame.ts";

type ReportView = Awaited<ReturnType<typeof presentModeratedAgent>>["reports"][number];

/** A moderator's input that could not be carried out. */
export interface DecisionFault {
  message: string;
  act: string;
  reason: string;
}

/** The reports of a page: the open ones, then those decided before. */
export function renderReports(reports: readonly ReportView[]): Html {
  const open = reports.filter(({ closed_at }) => closed_at === null).length;
  const decided = reports.length === 0 ? "Reports" : "Reports, all decided";
  return renderSection(
    "reports",
    open > 0 ? `${countNoun(open, "report")} to decide` : decided,
    renderList(reports.map(renderReport), "No reader reported this."),
  );
}

function renderReport({ reason, note, at, closed_at }: ReportView): Html {
  return html`<li><div><h3>${reason}</h3>
${note ? html`<p${markLanguage(note)}>${note}</p>` : null}</div><p class="by">${renderTimestamp(at)}${closed_at ? html`<br>decided ${renderTimestamp(closed_at)}` : null}</p></li>\n`;
}

/** The form for a decision and its reason. */
export function renderDecision(form: {
  action: string;
  csrf: string;
  acts: readonly (readonly [value: string, word: string])[];
  fault: DecisionFault | null;
}): Html {
  const { fault, acts } = form;
  const fields = html`${renderSelect({ id: "act", name: "act", label: "What to do", chosen: fault?.act ?? "", options: [["", "Choose"], ...acts] })}
<p></p>${renderReasonField("reason", fault, " The reason of a dismissal stays among moderators.")}`;
  return renderSection(
    "decide",
    "Decide",
    renderForm({ action: form.action, csrf: form.csrf, button: "Do it", fields }),
  );
}

/** A folded form that erases something for good, with its reason. */
export function renderEraseForm(form: {
  action: string;
  csrf: string;
  id: string;
  button: string;
  sentence: string;
  hidden?: Html;
}): Html {
  const hint = " Quote nothing of what you erase.";
  return html`<details><summary>${form.button}</summary>${renderSureForm({
    ...form,
    more: html`${form.hidden ?? null}${renderReasonField(`reason-${form.id}`, null, hint)}`,
  })}</details>`;
}

/** The field for a moderator's reason; `more` is added to the usual hint. */
export function renderReasonField(id: string, fault: DecisionFault | null, more = ""): Html {
  return html`<label for="${id}">Why</label>
<textarea id="${id}" name="reason" rows="3" maxlength="500" required aria-describedby="${id}-help"${fault ? html` aria-invalid="true"` : null}>${fault?.reason ?? ""}</textarea>
<p id="${id}-help">${fault?.message ?? `One line for the owner, who reads it; it is kept for good.${more}`}</p>`;
}

/** An act of a moderator or an operator, and its reason. */
export type DecisionView = Awaited<ReturnType<typeof presentDecisions>>[number];

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
