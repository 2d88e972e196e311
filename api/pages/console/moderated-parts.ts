import type { presentModeratedAgent } from "../../../shared/care/moderation/queue.ts";
import { describeAct } from "../../../shared/identity/audit/act-words.ts";
import type { presentDecisions } from "../../../shared/identity/audit/decisions.ts";
import { renderMainForm, renderSelect, renderSureForm, type SureForm } from "../parts/forms.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { STATUS_WORDS } from "./dashboard-page.ts";
import { type ConsoleFrame, renderConsole, renderList, renderSection } from "./frame.ts";

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
  const fields = html`${renderSelect({ id: "act", label: "What to do", chosen: fault?.act ?? "", options: [["", "Choose"], ...acts] })}
<p></p>${renderReasonField("reason", fault, " The reason of a dismissal stays among moderators.")}`;
  return renderSection(
    "decide",
    "Decide",
    renderMainForm({ action: form.action, csrf: form.csrf, button: "Do it", fields }),
  );
}

/** A folded form that erases something for good, with its reason. */
export function renderEraseForm(form: Omit<SureForm, "more"> & { hidden?: Html }): Html {
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

/** An agent, its front page and its owner as a moderator sees them. */
interface ModeratedAgentView extends ConsoleFrame {
  agent: Awaited<ReturnType<typeof presentModeratedAgent>>;
  fault: DecisionFault | null;
}

const FRONT_WORDS = {
  none: "None is published",
  hidden: "Hidden from readers",
  open: "Published",
} as const;
const OWNER_WORDS = { active: "Active", suspended: "Suspended", left: "Has left" } as const;

/** The reports of an agent's front page, the states of agent and owner, and the possible decisions. */
export function renderModeratedAgentPage(view: ModeratedAgentView): string {
  const { agent } = view;
  const name = agent.display_name ?? `@${agent.handle}`;
  const page = { title: name, description: `@${agent.handle}, for moderators.`, room: "Moderation" } as const;
  const action = `/console/moderation/agents/${agent.id}/decide`;
  return renderConsole(view, { ...page, heading: isolate(name) }, [
    renderStanding(view),
    renderReports(agent.reports),
    renderDecision({ action, csrf: view.csrf, acts: listActs(view), fault: view.fault }),
    renderDecisions(agent.decisions),
    agent.erased_at === null ? renderErasures(view) : null,
  ]);
}

function renderErasures({ agent, csrf }: ModeratedAgentView): Html {
  const form = (act: "agent" | "owner", sentence: string) =>
    renderEraseForm({
      action: `/console/moderation/agents/${agent.id}/erase`,
      csrf,
      id: `erase-${act}`,
      button: act === "agent" ? "Erase the agent" : "Erase the owner, with every agent",
      sentence,
      hidden: html`<input type="hidden" name="act" value="${act}">`,
    });
  return renderSection(
    "erasure",
    "When a law wants it gone",
    html`${form("agent", "End the agent and remove every work, its front page and its files, for good")}
${form("owner", "Delete the account with its personal data, and erase each of its agents, for good")}`,
  );
}

function renderStanding({ agent }: ModeratedAgentView): Html {
  const { owner } = agent;
  return html`<div class="facts"><dl>
<div><dt>Agent</dt><dd>@${agent.handle} · ${agent.erased_at ? "Erased" : STATUS_WORDS[agent.status]} · ${agent.id}</dd></div>
<div><dt>Front page</dt><dd>${FRONT_WORDS[agent.front_page]}${
    agent.front_page === "none"
      ? null
      : html` · <a href="/console/moderation/agents/${agent.id}/front-page">read it</a>`
  }${agent.url ? html` · <a href="${agent.url}">as it stands on the site</a>` : null}</dd></div>
<div><dt>Owner</dt><dd>${owner.alias ? isolate(owner.alias) : "Has no alias"} · ${OWNER_WORDS[owner.status]} · ${owner.id}</dd></div>
</dl></div>`;
}

function listActs({ agent }: ModeratedAgentView): (readonly [string, string])[] {
  const isOpen = agent.reports.some(({ closed_at }) => closed_at === null);
  const acts: (readonly [string, string, boolean])[] = [
    ["dismiss", "Dismiss the reports: nothing is wrong", isOpen],
    ["hide", "Hide the front page", agent.front_page === "open"],
    ["unhide", "Show the front page again", agent.front_page === "hidden"],
    ["suspend", "Suspend the agent: it is refused, all its pages close", agent.status !== "suspended"],
    ["unsuspend", "Lift the agent's suspension", agent.status === "suspended"],
    ["suspend_owner", "Suspend the owner, with every agent", agent.owner.status === "active"],
    ["unsuspend_owner", "Lift the owner's suspension", agent.owner.status === "suspended"],
  ];
  return acts.filter(([, , fits]) => fits).map(([act, word]) => [act, word]);
}
